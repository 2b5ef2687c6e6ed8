// A small picture of a board, given as rows.

import { element } from "../page/dom.js";
import { BoardView } from "../puzzle/board.js";
import { fromRows } from "../puzzle/puzzle.js";

/** Return the picture; tiles have the colours of `goal`, its cells, if it is given. */
export function smallBoard(rows, goal, label) {
  const { cells, columns } = fromRows(rows);
  const place = element("div", { class: "small-board" });
  place.style.setProperty("--ratio", columns / rows.length);
  new BoardView(place, { goal, label }).show(cells, { columns, animate: false });
  return place;
}
