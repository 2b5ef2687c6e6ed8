// One search of a race: what it is, the board it is at, and bars that all are measured by.

import { BoardView } from "./board.js";
import { button, element } from "./dom.js";
import { fromRows } from "./puzzle.js";
import { statusOf } from "./race-words.js";
import { SearchForm } from "./search-form.js";
import { titleOf } from "./search-text.js";
import { thousands } from "./words.js";

const MEASURES = [["expanded", "expanded"], ["frontier", "waiting"], ["depth", "depth"]];

export class RaceLane {
  /** `onChange` hears another search, `onRemove` that this one shall not run. */
  constructor({ searches, text, onChange, onRemove }) {
    this.searches = searches;
    this.form = new SearchForm({ searches, text, onChange: () => { this.#name(); onChange(); } });
    this.title = element("span", { class: "chosen" });
    this.remove = button("", { sign: "close", class: "round", "aria-label": "Take this search out" }, onRemove);
    this.details = element("details", {}, element("summary", {}, this.title), this.form.root);
    this.place = element("div", { class: "lane-board" });
    this.board = new BoardView(this.place, { label: "Board" });
    this.bars = MEASURES.map(([, word]) => bar(word));
    this.status = element("p", { class: "lane-status" });
    this.root = element("li", { class: "card lane" },
      element("div", { class: "lane-head" }, this.details, this.remove),
      this.place, element("dl", { class: "bars" }, ...this.bars.map((each) => each.root)), this.status);
    this.#name();
  }

  get text() {
    return this.form.text;
  }

  get name() {
    return titleOf(this.text, this.searches);
  }

  /** Stand at the start line. */
  ready(puzzle) {
    this.board.options.goal = puzzle.goal;
    this.place.style.setProperty("--ratio", puzzle.columns / puzzle.rows);
    this.board.show(puzzle.cells, { columns: puzzle.columns, animate: false });
    for (const bar of this.bars) bar.show(0, 1);
    this.#say("");
  }

  /** Show where the runner is; `most` are the largest values of all runners. */
  show(runner, most) {
    const { cells, columns } = fromRows(runner.board);
    this.board.show(cells, { columns, animate: false });
    for (const [index, [key]] of MEASURES.entries()) this.bars[index].show(runner[key], most[key]);
    this.#say(statusOf(runner), runner.outcome === "solved", runner.place === 1);
  }

  /** Let the search be changed, or not, while it runs. */
  lock(isLocked) {
    this.remove.disabled = isLocked;
    this.details.inert = isLocked;
    if (isLocked) this.details.open = false;
  }

  #name() {
    this.title.textContent = this.name;
  }

  #say(words, isSolved = false, isFirst = false) {
    this.status.textContent = words;
    this.root.classList.toggle("solved", isSolved);
    this.root.classList.toggle("first", isFirst);
  }
}

/** Return the largest value of each measure. */
export function mostOf(runners) {
  return Object.fromEntries(MEASURES.map(([key]) => [key, Math.max(1, ...runners.map((each) => each[key]))]));
}

function bar(word) {
  const fill = element("span", { class: "bar-fill" });
  const number = element("dd", {}, "0");
  return {
    root: element("div", { class: "bar-row" }, element("dt", {}, word), element("span", { class: "bar-track", "aria-hidden": "true" }, fill), number),
    show(value, most) {
      fill.style.transform = `scaleX(${value / most})`;
      number.textContent = thousands(value);
    },
  };
}
