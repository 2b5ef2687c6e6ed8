// What Play is made of on the screen; what it does is in play.js.

import { button, element, icon } from "./dom.js";

const KEYS = "Arrow keys slide a tile into the gap. H gives a hint, U takes a move back.";

/** Return the parts of the view; `deeds` has a function for each button. */
export function playParts(deeds) {
  const tall = (words, sign, deed, title) => button(words, { sign, class: "tall", title }, deed);
  return {
    root: element("div", { class: "play" }),
    table: element("div", {
      class: "table",
      role: "application",
      tabindex: "0",
      "aria-roledescription": "sliding puzzle",
      "aria-describedby": "play-keys",
    }),
    moves: element("dd"),
    time: element("dd"),
    left: element("dd", { class: "left" }, "–"),
    status: element("p", { class: "sentence good status", hidden: true }),
    hint: tall("Hint", "hint", deeds.hint, "Show the next move; again to make it (H)"),
    undo: tall("Undo", "undo", deeds.undo, "Take the last move back (U)"),
    redo: tall("Redo", "redo", deeds.redo, "Make it again (Ctrl+Y)"),
    reset: tall("Reset", "reset", deeds.reset, "Back to the first board"),
    text: tall("Text", "text", deeds.text, "The board as text, in any notation"),
    edit: tall("Edit", "edit", deeds.edit, "Walls, names, and goals of your own"),
    link: tall("Link", "link", deeds.link, "Copy a link to this game"),
  };
}

/** Put the parts into their places, with the cards and boxes that look after themselves. */
export function assemble(parts, { verdict, fresh, goal, picture, text }) {
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
    parts.status,
    verdict.box,
    element("div", { class: "actions" }, parts.hint, parts.undo, parts.redo, parts.reset),
    fresh.card,
    goal.card,
    element("div", { class: "actions more" }, parts.text, picture.button, parts.edit, parts.link),
  );
  const keys = element("p", { id: "play-keys", class: "heard" }, KEYS);
  const stage = element("div", { class: "stage" }, parts.table);
  parts.root.append(stage, side, picture.input, text.dialog, keys);
}

/** Show that the game is won, in a sentence; an empty one takes it away. */
export function showVictory(parts, sentence) {
  parts.root.classList.toggle("won", Boolean(sentence));
  parts.status.hidden = !sentence;
  parts.status.replaceChildren(...(sentence ? [icon("check"), sentence] : []));
}
