// One search of a race: its form, its current board, and bars for its counters.

import { BoardView } from "./board.js";
import { button, element } from "./dom.js";
import { fromRows } from "./puzzle.js";
import { statusOf } from "./race-words.js";
import { SearchForm } from "./search-form.js";
import { titleOf } from "./search-text.js";
import { thousands } from "./words.js";

const MEASURES = [["expanded", "expanded"], ["frontier", "waiting"], ["depth", "depth"]];

export class RaceLane {
  #isSearching = false;

  /** `onChange` is called when another search is chosen, `onRemove` when this one is removed. */
  constructor({ searches, text, onChange, onRemove, onUnknown }) {
    this.searches = searches;
    this.form = new SearchForm({ searches, text, onUnknown, onChange: () => { this.#showName(); onChange(); } });
    this.title = element("span", { class: "chosen" });
    this.remove = button("", { icon: "close", class: "round", "aria-label": "Remove this search" }, onRemove);
    this.details = element("details", {}, element("summary", {}, this.title), this.form.root);
    this.place = element("div", { class: "lane-board" });
    this.board = new BoardView(this.place, { label: "Board" });
    this.bars = MEASURES.map(([, name]) => bar(name));
    this.status = element("p", { class: "lane-status" });
    this.root = element("li", { class: "card lane" },
      element("div", { class: "lane-head" }, this.details, this.remove),
      this.place, element("dl", { class: "bars" }, ...this.bars.map(({ root }) => root)), this.status);
    this.#showName();
  }

  get text() {
    return this.form.text;
  }

  get name() {
    return titleOf(this.text, this.searches);
  }

  /** Show the puzzle before the race. */
  reset(puzzle) {
    this.board.options.goal = puzzle.goal;
    this.place.style.setProperty("--ratio", puzzle.columns / puzzle.rows);
    this.board.show(puzzle.cells, { columns: puzzle.columns, animate: false });
    this.#isSearching = false;
    for (const bar of this.bars) bar.show(0, 1);
    this.#showStatus("");
  }

  /** Show the state of the runner; `largest` has the largest values of all runners. */
  show(runner, largest) {
    const { cells, columns } = fromRows(runner.board);
    this.board.show(cells, { columns, animate: false });
    for (const [index, [key]] of MEASURES.entries()) this.bars[index].show(runner[key], largest[key]);
    this.#isSearching = !runner.done;
    this.#showStatus(statusOf(runner), runner.outcome === "solved", runner.place === 1);
  }

  /** Show that the race was stopped before this search ended. */
  stop() {
    if (this.#isSearching) this.#showStatus(statusOf({ done: true, outcome: "stopped" }));
  }

  /** Prevent or allow changes of the search. */
  lock(isLocked) {
    this.remove.disabled = isLocked;
    this.details.inert = isLocked;
    if (isLocked) this.details.open = false;
  }

  #showName() {
    this.title.textContent = this.name;
  }

  #showStatus(text, isSolved = false, isFirst = false) {
    this.status.textContent = text;
    this.root.classList.toggle("solved", isSolved);
    this.root.classList.toggle("first", isFirst);
  }
}

/** Return the largest value of each measure, at least 1. */
export function largestValues(runners) {
  return Object.fromEntries(MEASURES.map(([key]) => [key, Math.max(1, ...runners.map((runner) => runner[key]))]));
}

function bar(name) {
  const fill = element("span", { class: "bar-fill" });
  const number = element("dd", {}, "0");
  return {
    root: element("div", { class: "bar-row" }, element("dt", {}, name), element("span", { class: "bar-track", "aria-hidden": "true" }, fill), number),
    show(value, largest) {
      fill.style.transform = `scaleX(${value / largest})`;
      number.textContent = thousands(value);
    },
  };
}
