// The beginning of a state graph: a board, and the boards that are one move away.
//
//              up
//      left  board  right        a press on a neighbour, or on a tile of the board, goes there
//             down

import { button, element } from "../page/dom.js";
import { sentence, text } from "../page/messages.js";
import { thousands } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { DIRECTIONS, OPPOSITE, puzzleOf, slide, slideFrom } from "../puzzle/puzzle.js";
import { boardChoice, USUAL } from "./figure.js";

export class NeighboursFigure {
  #visited = new Set();

  constructor({ parts }) {
    this.place = element("div", { class: "graph-board" });
    this.here = new BoardView(this.place, {
      label: text("learn.current-board"),
      onPress: (cell) => this.#slide(slideFrom(this.puzzle, cell)),
    });
    this.neighbours = Object.fromEntries(DIRECTIONS.map((way) => [way, this.#neighbour(way)]));
    this.note = element("p", { class: "sentence", role: "status" });
    this.root = element(
      "figure",
      { class: "card learn-figure stack tight" },
      element("figcaption", {}, text(`learn.caption-${parts.name}`)),
      element(
        "div",
        { class: "row figure-controls" },
        boardChoice(parts.boards, (board) => this.#begin(board)),
        button(text("learn.back"), { class: "quiet", icon: "reset" }, () =>
          this.#begin(this.start),
        ),
      ),
      element(
        "div",
        { class: "graph" },
        this.place,
        ...Object.values(this.neighbours).map(({ root }) => root),
      ),
      this.note,
    );
    this.#begin(parts.boards[0]);
  }

  remove() {}

  #neighbour(way) {
    const place = element("span", { class: "mini" });
    const word = element("span", { class: "word" });
    const root = button("", { class: `mini-card to-${way}` }, () =>
      this.#slide({ direction: way, count: 1 }),
    );
    root.append(place, word);
    return { root, word, board: new BoardView(place, { label: text(`learn.move-${way}`) }) };
  }

  #begin(board) {
    this.start = board;
    this.puzzle = puzzleOf({ ...USUAL, board });
    this.#visited.clear();
    this.#show();
  }

  #slide(move) {
    // A slide of several tiles is several moves, and passes as many boards.
    for (let left = move?.count ?? 0; left > 0; left -= 1) {
      this.puzzle.cells = slide(this.puzzle, { direction: move.direction });
      this.#visited.add(this.puzzle.cells.join());
    }
    this.#show();
    const pressed = this.neighbours[move?.direction]?.root;
    // A move cannot always be repeated, but it can be taken back.
    if (pressed?.disabled && document.activeElement !== this.root)
      this.neighbours[OPPOSITE[move.direction]].root.focus({ preventScroll: true });
  }

  #show() {
    const { cells, columns, goal } = this.puzzle;
    this.#visited.add(cells.join());
    this.here.options.goal = goal;
    this.here.show(cells, { columns });
    let count = 0;
    for (const way of DIRECTIONS) {
      const { root, word, board } = this.neighbours[way];
      const next = slide(this.puzzle, { direction: way });
      root.disabled = !next;
      root.classList.toggle("nowhere", !next);
      if (!next) continue;
      count += 1;
      const isKnown = this.#visited.has(next.join());
      root.classList.toggle("expanded", isKnown);
      root.classList.toggle("waiting", !isKnown);
      word.textContent = isKnown ? text("learn.visited") : text("learn.new");
      board.options.goal = goal;
      board.show(next, { columns, animate: false });
    }
    this.note.replaceChildren(
      ...sentence("learn.neighbours", {
        count,
        visited: this.#visited.size,
        states: thousands(statesOf(cells.length)),
      }),
    );
  }
}

/** Return the number of boards of this size that moves can reach: half of all arrangements. */
function statesOf(size) {
  return size < 3 ? 1 : size * statesOf(size - 1);
}
