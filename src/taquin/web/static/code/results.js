// What the user's own code does, beside the editor: its estimate, the searches with it, the audit.

import { button, element } from "../page/dom.js";
import { capitalised, thousands } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import { fromRows } from "../puzzle/puzzle.js";
import { titleOf } from "../search/searches.js";

export class CodeResults {
  #rows = [];

  /** The catalogue of searches, set before a report. */
  searches = null;

  /** `onBoard` is called with the rows of a board that is to be shown. */
  constructor({ onBoard }) {
    this.onBoard = onBoard;
    this.place = element("div", { class: "code-board" });
    this.board = new BoardView(this.place, { label: "The board" });
    this.value = element("div", { class: "stack tight" });
    this.fault = element("div", { class: "stack tight", id: "code-fault", role: "status" });
    this.compared = element("section", {
      class: "card stack tight",
      "aria-label": "Boards expanded",
      hidden: true,
    });
    this.audited = element("section", {
      class: "card stack tight",
      "aria-label": "Audit",
      hidden: true,
    });
    this.root = element(
      "div",
      { class: "code-results stack" },
      element(
        "section",
        { class: "code-value", "aria-label": "The estimate" },
        this.place,
        this.value,
      ),
      this.compared,
      this.audited,
    );
  }

  /** Show the puzzle of the page. */
  showPuzzle(puzzle) {
    this.puzzle = puzzle;
    this.place.style.setProperty("--ratio", puzzle.columns / puzzle.rows);
    Object.assign(this.board.options, { goal: puzzle.goal, marks: null });
    this.board.show(puzzle.cells, { columns: puzzle.columns, animate: false });
  }

  /** Return the functions that show the events of a report, by their names. */
  get handlers() {
    return {
      value: (value) => this.#showValue(value),
      search: (search) => this.#addSearch(search),
      progress: (progress) => this.#showProgress(progress),
      audit: (audit) => this.#showAudit(audit),
      fault: (fault) => this.showFault(fault),
    };
  }

  /** Prepare for a report: what is shown fades until it is replaced. */
  begin() {
    this.#rows = [];
    this.fault.replaceChildren();
    for (const part of [this.value, this.compared, this.audited]) part.classList.add("stale");
  }

  /** Hide what the report did not replace. */
  end() {
    for (const part of [this.compared, this.audited])
      part.hidden ||= part.classList.contains("stale");
    if (this.value.classList.contains("stale")) this.value.replaceChildren();
  }

  /** Show what went wrong, and the board for which it did. */
  showFault({ sentence, board = null }) {
    const parts = [element("p", { class: "sentence bad" }, sentence)];
    if (board && !this.#isShown(board)) {
      parts.push(
        element(
          "div",
          { class: "row" },
          smallBoard(board, null, "The board of the fault"),
          button("Show this board", { class: "quiet" }, () => this.onBoard(board)),
        ),
      );
    }
    this.fault.replaceChildren(...parts);
  }

  #isShown(rows) {
    return JSON.stringify(rows.flat()) === JSON.stringify(this.puzzle.cells);
  }

  #showValue({ value, tiles, after, printed }) {
    const shares = tiles && new Map(tiles);
    this.board.set({ marks: shares && this.puzzle.cells.map((label) => shares.get(label)) });
    fill(
      this.value,
      element(
        "dl",
        { class: "figures" },
        element("div", {}, element("dt", {}, "estimate"), element("dd", {}, thousands(value))),
      ),
      after.length > 0 &&
        element(
          "div",
          {},
          element("p", { class: "note" }, "After each move"),
          element(
            "ul",
            { class: "after" },
            ...after.map((next) =>
              element(
                "li",
                { class: next.value < value ? "good" : null },
                `${next.move}: ${thousands(next.value)}`,
              ),
            ),
          ),
        ),
      printed &&
        element(
          "div",
          {},
          element("p", { class: "note" }, "Printed"),
          element("pre", { class: "printed", tabindex: 0 }, printed),
        ),
    );
  }

  #addSearch(search) {
    this.#rows.push(search);
    const most = Math.max(1, ...this.#rows.map(({ expanded }) => expanded ?? 0));
    const own = this.#rows[0];
    fill(
      this.compared,
      element("h2", {}, "Boards expanded"),
      element(
        "table",
        { class: "compared" },
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            ...["Search", "Boards", "Moves"].map((name) => element("th", { scope: "col" }, name)),
          ),
        ),
        element("tbody", {}, ...this.#rows.map((row) => this.#row(row, row === own, most))),
      ),
      element("p", { class: "note" }, own.sentence),
    );
  }

  #row({ search, expanded, cost, sentence }, isOwn, most) {
    const isCut = cost === null;
    const fill = element("span", { class: "bar-fill" });
    fill.style.transform = `scaleX(${(expanded ?? 0) / most})`;
    return element(
      "tr",
      { class: isOwn ? "own" : null, title: sentence },
      element(
        "th",
        { scope: "row" },
        titleOf(search, this.searches),
        element("span", { class: "bar-track", "aria-hidden": "true" }, fill),
      ),
      element("td", {}, expanded === null ? "–" : `${thousands(expanded)}${isCut ? " …" : ""}`),
      element("td", {}, isCut ? "–" : thousands(cost)),
    );
  }

  #showProgress({ distance, boards }) {
    fill(
      this.audited,
      element("h2", {}, "Audit"),
      element(
        "p",
        { class: "note" },
        `${thousands(boards)} boards within ${distance} moves of the goal …`,
      ),
    );
  }

  #showAudit({ sentences, stopped, overestimate, fall, goal }) {
    const cells = fromRows(goal).cells;
    const [admissible, consistent, strength] = sentences.map(capitalised);
    const kind = overestimate ? "bad" : stopped ? "" : "good";
    fill(
      this.audited,
      element("h2", {}, "Audit"),
      element("p", { class: `sentence ${kind}` }, admissible),
      overestimate &&
        element(
          "div",
          { class: "row" },
          smallBoard(overestimate.board, cells, "The smallest counterexample"),
          element(
            "p",
            {},
            `It says ${overestimate.estimate}; ${overestimate.distance === 1 ? "1 move is" : `${overestimate.distance} moves are`} enough.`,
          ),
        ),
      element("p", { class: `sentence ${fall ? "bad" : stopped ? "" : "good"}` }, consistent),
      fall &&
        element(
          "div",
          { class: "row" },
          smallBoard(fall.boards[0], cells, "Before the move"),
          element("span", {}, `${fall.estimates[0]} → ${fall.estimates[1]}`),
          smallBoard(fall.boards[1], cells, "After the move"),
        ),
      element("p", { class: "note" }, strength),
      stopped &&
        !overestimate &&
        element("p", { class: "note" }, "The button Audit checks all boards."),
    );
  }
}

/** Replace the content of a part that may be stale or hidden. */
function fill(part, ...children) {
  part.hidden = false;
  part.classList.remove("stale");
  part.replaceChildren(...children.filter(Boolean));
}

function smallBoard(rows, goal, label) {
  const { cells, columns } = fromRows(rows);
  const place = element("div", { class: "small-board" });
  place.style.setProperty("--ratio", columns / rows.length);
  new BoardView(place, { goal, label }).show(cells, { columns, animate: false });
  return place;
}
