// The elements of Play; game-view.js says what they do.

import { button, element, icon } from "../page/dom.js";
import { store, stored } from "../page/state.js";

const KEYS = "Arrow keys slide a tile into the blank.";
const LETTERS = "Keys H, U, N: hint, undo, new board";
/** The key of the choice in the storage of this browser. */
const NO_LETTERS = "taquin-no-letter-keys";

/** Return the elements of the view; `actions` has a function for each button. */
export function playParts(actions) {
  const tall = (text, iconName, action, title) =>
    button(text, { icon: iconName, class: "tall", title }, action);
  return {
    root: element("div", { class: "play" }),
    table: element("div", {
      class: "table",
      role: "application",
      tabindex: "0",
      "aria-roledescription": "sliding puzzle",
      "aria-describedby": "play-keys",
    }),
    letters: letterKeys(),
    moves: element("dd"),
    time: element("dd"),
    left: element("dd", { class: "left" }, "–"),
    status: element("p", { class: "sentence good status", hidden: true }),
    hint: tall("Hint", "hint", actions.hint, "Show the next move; again to make it (H)"),
    undo: tall("Undo", "undo", actions.undo, "Take the last move back (U)"),
    redo: tall("Redo", "redo", actions.redo, "Make it again (Ctrl+Y)"),
    reset: tall("Reset", "reset", actions.reset, "Back to the first board"),
    text: tall("Text", "text", actions.text, "The board as text, in any notation"),
    edit: tall("Edit", "edit", actions.edit, "Walls, names, and goals of your own"),
    explain: tall("Explain", "hint", actions.explain, "Show what each possible move costs"),
    costs: element("div", { hidden: true }),
    link: tall("Link", "link", actions.link, "Copy a link to this game"),
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

/** Put the elements and the cards into their places. */
export function assemble(parts, { verdict, newBoard, goal, picture, text }) {
  const figure = (name, value) => element("div", {}, element("dt", {}, name), value);
  const figures = [
    figure("Moves", parts.moves),
    figure("Time", parts.time),
    figure("Moves left", parts.left),
  ];
  const side = element(
    "div",
    { class: "play-side" },
    element("dl", { class: "figures" }, ...figures),
    parts.costs,
    parts.status,
    verdict.box,
    element("div", { class: "actions" }, parts.hint, parts.undo, parts.redo, parts.reset),
    newBoard.card,
    goal.card,
    element(
      "div",
      { class: "actions more" },
      parts.text,
      picture.button,
      parts.edit,
      parts.explain,
      parts.link,
    ),
    element("label", { class: "tick note" }, parts.letters, LETTERS),
  );
  const keys = element("p", { id: "play-keys", class: "visually-hidden" }, KEYS);
  const stage = element("div", { class: "stage" }, parts.table);
  parts.root.append(stage, side, picture.input, text.dialog, keys);
}

/** Show the sentence of a won game; an empty one removes it. */
export function showVictory(parts, sentence) {
  parts.root.classList.toggle("won", Boolean(sentence));
  parts.status.hidden = !sentence;
  parts.status.replaceChildren(...(sentence ? [icon("check"), sentence] : []));
}
