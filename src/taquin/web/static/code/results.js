// What user code does, beside the editor: its estimate, the searches with it, the audit, the course of a search.
//
// Sentences of the audit and of the searches are English.

import { courseCharts } from "./charts.js";
import { button, element, table } from "../page/dom.js";
import { text } from "../page/messages.js";
import { said } from "../page/said.js";
import { capitalised, counted, moveName, thousands } from "../page/words.js";
import { BoardView, smallBoard } from "../puzzle/board.js";
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
    this.board = new BoardView(this.place, { label: text("code.board") });
    this.value = element("div", { class: "stack tight" });
    this.fault = element("div", { class: "stack tight", id: "code-fault", role: "status" });
    this.compared = card(text("code.expanded"));
    this.audited = card(text("code.audit"));
    this.courses = card(text("code.course"));
    this.root = element(
      "div",
      { class: "code-results stack" },
      element(
        "section",
        { class: "code-value", "aria-label": text("code.the_estimate") },
        this.place,
        this.value,
      ),
      this.compared,
      this.audited,
      this.courses,
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
      course: (course) => this.#addCourse(course),
      fault: (fault) => this.showFault(fault),
    };
  }

  /** Prepare for a report: what is shown fades until it is replaced. */
  begin() {
    this.#rows = [];
    this.fault.replaceChildren();
    for (const part of [this.value, this.compared, this.audited, this.courses])
      part.classList.add("stale");
  }

  /** Hide what the report did not replace. */
  end() {
    for (const part of [this.compared, this.audited, this.courses])
      part.hidden ||= part.classList.contains("stale");
    if (this.value.classList.contains("stale")) this.value.replaceChildren();
  }

  /** Show what went wrong, a message, and the board for which it did. */
  showFault({ board = null, ...told }) {
    const parts = [element("p", { class: "sentence bad" }, ...said(told))];
    if (board && !this.#isShown(board)) {
      parts.push(
        element(
          "div",
          { class: "row" },
          smallBoard(board, null, text("code.fault_board")),
          button(text("code.show_board"), { class: "quiet" }, () => this.onBoard(board)),
        ),
      );
    }
    this.fault.replaceChildren(...parts);
  }

  #isShown(rows) {
    return JSON.stringify(rows.flat()) === JSON.stringify(this.puzzle.cells);
  }

  #showValue({ value, tiles, after, remarks, printed }) {
    const shares = tiles && new Map(tiles);
    this.board.set({ marks: shares && this.puzzle.cells.map((label) => shares.get(label)) });
    fill(
      this.value,
      element(
        "dl",
        { class: "figures" },
        element(
          "div",
          {},
          element("dt", {}, text("code.estimate")),
          element("dd", {}, thousands(value)),
        ),
      ),
      after.length > 0 &&
        element(
          "div",
          {},
          element("p", { class: "note" }, text("code.after")),
          element(
            "ul",
            { class: "after" },
            ...after.map((next) =>
              element(
                "li",
                { class: next.value < value ? "good" : null },
                `${moveOf(next.move)}: ${thousands(next.value)}`,
              ),
            ),
          ),
        ),
      ...remarks.map((remark) => element("p", { class: "note", lang: "en" }, remark)),
      printed &&
        element(
          "div",
          {},
          element("p", { class: "note" }, text("code.printed")),
          element("pre", { class: "printed", tabindex: 0 }, printed),
        ),
    );
  }

  #addSearch(search) {
    this.#rows.push(search);
    const most = Math.max(1, ...this.#rows.map(({ expanded }) => expanded ?? 0));
    const users = this.#rows[0];
    const columns = ["search", "boards", "moves"];
    fill(
      this.compared,
      element("h2", {}, text("code.expanded")),
      table(
        { class: "compared" },
        columns.map((name) => text(`code.column_${name}`)),
        this.#rows.map((row) => this.#row(row, row === users, most)),
      ),
      element("p", { class: "note", lang: "en" }, users.sentence),
    );
  }

  #row({ search, expanded, cost, sentence }, isUsers, most) {
    const isCut = cost === null;
    const fill = element("span", { class: "bar-fill" });
    fill.style.transform = `scaleX(${(expanded ?? 0) / most})`;
    return element(
      "tr",
      { class: isUsers ? "users" : null, title: sentence },
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

  #addCourse(course) {
    const isFirst = this.courses.hidden || this.courses.classList.contains("stale");
    const earlier = isFirst ? [element("h2", {}, text("code.course"))] : this.courses.childNodes;
    fill(this.courses, ...earlier, courseCharts(course, this.searches));
  }

  #showProgress({ distance, boards }) {
    fill(
      this.audited,
      element("h2", {}, text("code.audit")),
      element(
        "p",
        { class: "note" },
        text("code.audited", {
          boards: counted(boards, "board"),
          moves: counted(distance, "move"),
        }),
      ),
    );
  }

  #showAudit({ sentences, stopped, overestimate, fall, goal }) {
    const cells = fromRows(goal).cells;
    const [admissible, consistent, strength] = sentences.map(capitalised);
    const kind = overestimate ? "bad" : stopped ? "" : "good";
    fill(
      this.audited,
      element("h2", {}, text("code.audit")),
      element("p", { class: `sentence ${kind}`, lang: "en" }, admissible),
      overestimate &&
        element(
          "div",
          { class: "row" },
          smallBoard(overestimate.board, cells, text("code.counterexample")),
          element(
            "p",
            {},
            text("code.overestimate", {
              estimate: overestimate.estimate,
              moves: counted(overestimate.distance, "move"),
            }),
          ),
        ),
      element(
        "p",
        { class: `sentence ${fall ? "bad" : stopped ? "" : "good"}`, lang: "en" },
        consistent,
      ),
      fall &&
        element(
          "div",
          { class: "row" },
          smallBoard(fall.boards[0], cells, text("code.before")),
          element("span", {}, `${fall.estimates[0]} → ${fall.estimates[1]}`),
          smallBoard(fall.boards[1], cells, text("code.after_move")),
        ),
      element("p", { class: "note", lang: "en" }, strength),
      stopped &&
        !overestimate &&
        element("p", { class: "note" }, text("code.audit_all", { button: text("code.audit") })),
    );
  }
}

/** Replace the content of a part that may be stale or hidden. */
function fill(part, ...children) {
  part.hidden = false;
  part.classList.remove("stale");
  part.replaceChildren(...children.filter(Boolean));
}

function card(label) {
  return element("section", { class: "card stack tight", "aria-label": label, hidden: true });
}

/** Return the name of a move that Python wrote: `8 left`. */
function moveOf(name) {
  const words = name.split(" ");
  return moveName({ tiles: words.slice(0, -1), direction: words.at(-1) });
}
