// A folded card beside the editor: what the board of user code offers, each with an example.

import { element } from "../page/dom.js";
import { text } from "../page/messages.js";

/** Each with its message, an expression, and its value on the board below. */
const BOARD = "8 1 3 / 4 0 2 / 7 6 5";
const MEMBERS = [
  ["cells", "board.cells", "(8, 1, 3, 4, 0, 2, 7, 6, 5)"],
  ["place", "board[0, 2]", "3"],
  ["rows", "board.rows()[0]", "(8, 1, 3)"],
  ["columns", "board.grid.columns", "3"],
  ["blank", "board.blank", "4"],
  ["find", "board.find(6)", "7"],
  ["moves", "[move.tile for move in board.moves()]", "[6, 1, 2, 4]"],
  ["apply", "board.apply(6).text()", "'8 1 3 / 4 6 2 / 7 0 5'"],
];
/** A search gets a board that has these too. */
const OF_SEARCHES = [
  ["goal", "board.goal.cells", "(1, 2, 3, 4, 5, 6, 7, 8, 0)"],
  ["is_goal", "board.is_goal()", "False"],
];

/** Return the card. */
export function boardApi() {
  return element(
    "details",
    { class: "card board-api" },
    element("summary", {}, text("code.api")),
    element("p", { class: "note" }, text("code.api_board", { board: BOARD })),
    list(MEMBERS),
    element("p", { class: "note" }, text("code.api_searches")),
    list(OF_SEARCHES),
  );
}

function list(members) {
  return element(
    "dl",
    {},
    ...members.flatMap(([name, expression, value]) => [
      element("dt", {}, element("code", {}, `${expression} → ${value}`)),
      element("dd", {}, text(`code.api_${name}`)),
    ]),
  );
}
