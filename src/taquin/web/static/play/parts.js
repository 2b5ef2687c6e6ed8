// The elements of Play; view.js says what they do.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { store, stored } from "../page/state.js";

/** The keys of choices in the storage of this browser. */
const NO_LETTERS = "taquin-no-letter-keys";
const MORE = "taquin-more";

/** Return the elements of the view; `actions` has a function for each button. */
export function playParts(actions) {
  const tall = (words, iconName, action, title) =>
    button(words, { icon: iconName, class: "tall", title }, action);
  return {
    root: element("div", { class: "play" }),
    table: element("div", {
      class: "table",
      role: "application",
      tabindex: "0",
      "aria-roledescription": text("play.roledescription"),
      "aria-describedby": "play-keys",
    }),
    letters: letterKeys(),
    moves: element("dd"),
    time: element("dd"),
    left: element("dd", { class: "left" }, "–"),
    hint: tall(text("play.hint"), "hint", actions.hint, text("play.hint-title")),
    undo: tall(text("play.undo"), "undo", actions.undo, text("play.undo-title")),
    fresh: tall(text("play.fresh"), "shuffle", actions.fresh, text("play.fresh-title")),
    daily: button(
      text("daily.open"),
      { class: "quiet", title: text("daily.open-title") },
      actions.daily,
    ),
    versus: button(
      text("play.versus"),
      { class: "quiet", title: text("play.versus-title"), "aria-pressed": "false" },
      actions.versus,
    ),
    redo: tall(text("play.redo"), "redo", actions.redo, text("play.redo-title")),
    reset: tall(text("play.reset"), "reset", actions.reset, text("play.reset-title")),
    text: tall(text("play.text"), "text", actions.text, text("play.text-title")),
    edit: tall(text("play.edit"), "edit", actions.edit, text("play.edit-title")),
    explain: tall(text("play.explain"), "hint", actions.explain, text("play.explain-title")),
    costs: element("div", { hidden: true }),
    link: tall(text("play.link"), "link", actions.link, text("play.link-title")),
    more: moreBox(),
  };
}

/** Return a box that says whether letters are keys of the game; its choice is kept in this browser. */
function letterKeys() {
  const box = element("input", {
    type: "checkbox",
    onchange: () => store(NO_LETTERS, box.checked ? null : "1"),
  });
  box.checked = stored(NO_LETTERS) === null;
  return box;
}

/** Return the fold for what a first game does not need; whether it is open is kept in this browser. */
function moreBox() {
  const box = element(
    "details",
    { class: "more", ontoggle: () => store(MORE, box.open ? "1" : null) },
    element("summary", {}, text("play.more")),
  );
  box.open = stored(MORE) !== null;
  return box;
}

/** Put the elements and the cards into their places. */
export function assemble(
  parts,
  { verdict, victory, daily, versus, newBoard, goal, picture, colours, dialog },
) {
  const figure = (name, value) => element("div", {}, element("dt", {}, name), value);
  const figures = [
    figure(text("play.moves"), parts.moves),
    figure(text("play.time"), parts.time),
    figure(text("play.left"), parts.left),
  ];
  parts.more.append(
    element(
      "div",
      { class: "actions" },
      parts.redo,
      parts.reset,
      parts.explain,
      parts.link,
      parts.text,
      parts.edit,
      picture.button,
    ),
    // Below its button, which must not move.
    parts.costs,
    newBoard.card,
    goal.card,
    colours,
    element("label", { class: "tick note" }, parts.letters, text("play.letters")),
  );
  const side = element(
    "div",
    { class: "play-side" },
    goal.line,
    element("dl", { class: "figures" }, ...figures),
    element("div", { class: "actions primary" }, parts.hint, parts.undo, parts.fresh),
    victory.root,
    verdict.box,
    daily.root,
    versus.root,
    element("div", { class: "row challenges" }, parts.daily, parts.versus),
    parts.more,
  );
  const keys = element("p", { id: "play-keys", class: "visually-hidden" }, text("play.keys"));
  const stage = element("div", { class: "stage" }, parts.table);
  parts.root.append(stage, side, picture.input, dialog.dialog, keys);
}
