// Race: two to four searches side by side on one board, in lockstep.

import { withCode } from "../code/user-code.js";
import { button, element, icon } from "../page/dom.js";
import { counted, seconds, thousands } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { fromRows } from "../puzzle/puzzle.js";
import { statusOf, verdictOf } from "./race-words.js";
import { SearchForm } from "../search/search-form.js";
import { queueSentence, readEvents, SearchTask } from "../search/search-task.js";
import { titleOf, unknownSearch } from "../search/searches.js";

const DEFAULT_SEARCHES = "astar(manhattan);greedy(manhattan);bfs";
/** Searches that "Add a search" offers, in this order. */
const NEXT = ["idastar(manhattan)", "astar(manhattan)", "bidirectional", "greedy(manhattan)"];
const [FEWEST, MOST] = [2, 4];
const PACES = {
  expansions: [
    [10, "10 a second"],
    [50, "50 a second"],
    [300, "300 a second"],
    [2000, "2,000 a second"],
    [0, "full speed"],
  ],
  time: [
    [0.001, "1,000 times slower"],
    [0.01, "100 times slower"],
    [0.1, "10 times slower"],
    [1, "as it is"],
  ],
};
const DEFAULT_PACE = { expansions: 300, time: 0.01 };

class RaceView {
  #resume = null;
  /** The expansions or seconds that each search that still runs has used. */
  #spent = 0;
  lanes = [];

  constructor(root, app) {
    this.app = app;
    this.root = root;
    this.by = element(
      "select",
      {
        onchange: () => {
          this.#fillPaces();
          this.#save();
        },
      },
      element("option", { value: "expansions" }, "expansions"),
      element("option", { value: "time" }, "time"),
    );
    this.pace = element("select", { onchange: () => this.#changePace() });
    this.startButton = button("Race", { icon: "play", class: "main", disabled: true }, () =>
      this.run(),
    );
    this.pauseButton = button("Pause", { icon: "pause", hidden: true }, () => this.#pause());
    this.stopButton = button("Stop", { icon: "stop", hidden: true }, () => this.stop());
    this.addButton = button("Add a search", { icon: "plus", class: "quiet", disabled: true }, () =>
      this.#add(),
    );
    this.message = element("div", { class: "race-message" });
    this.list = element("ul", { class: "lanes" });
    this.other = boardChooser(app);
    root.classList.add("race");
    root.append(
      element(
        "div",
        { class: "row race-head" },
        element("label", { class: "field" }, "In step by", this.by),
        element("label", { class: "field" }, "Pace", this.pace),
        this.startButton,
        this.pauseButton,
        this.stopButton,
        this.addButton,
      ),
      this.message,
      this.list,
      this.other.root,
    );
    this.task = new SearchTask(
      (isRunning) => this.#onRunning(isRunning),
      (error) => this.fail(error),
    );
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view === "race" && isPuzzleChanged(state, before))
        this.#loadPuzzle().catch((error) => this.fail(error));
    });
  }

  async begin() {
    this.searches = await this.app.searches();
    const { racers, by } = this.app.state.get();
    this.by.value = by === "time" ? "time" : "expansions";
    this.#fillPaces(this.app.state.get().pace);
    const texts = (racers || DEFAULT_SEARCHES).split(";").filter(Boolean).slice(0, MOST);
    while (texts.length < FEWEST) texts.push(NEXT[texts.length]);
    for (const text of texts) this.#addLane(text);
    // Only now is it known which searches can be added.
    this.addButton.disabled = false;
    await this.#loadPuzzle();
    this.startButton.disabled = false;
  }

  leave() {
    this.task.cancel();
    this.unsubscribe();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.message.replaceChildren(element("p", { class: "sentence bad" }, error.message));
  }

  // --- the searches ---------------------------------------------------------------------------

  #fillPaces(chosen) {
    const by = this.by.value;
    this.pace.replaceChildren(
      ...PACES[by].map(([value, words]) => element("option", { value }, words)),
    );
    this.pace.value = PACES[by].some(([value]) => String(value) === chosen)
      ? chosen
      : String(DEFAULT_PACE[by]);
  }

  #addLane(text) {
    const lane = new RaceLane({
      searches: this.searches,
      text,
      onUnknown: (unknown) => this.app.notify(unknownSearch(unknown), "bad"),
      onChange: () => this.#changed(),
      onRemove: () => {
        this.lanes.splice(this.lanes.indexOf(lane), 1);
        lane.root.remove();
        this.#changed();
      },
    });
    this.lanes.push(lane);
    this.list.append(lane.root);
    this.#updateButtons();
  }

  #add() {
    const present = this.lanes.map(({ text }) => text);
    this.#addLane(NEXT.find((text) => !present.includes(text)) ?? NEXT[0]);
    this.lanes.at(-1).details.open = true;
    this.#changed();
  }

  #changed() {
    this.#updateButtons();
    this.#save();
    this.#reset();
  }

  #updateButtons() {
    this.addButton.hidden = this.lanes.length >= MOST;
    for (const lane of this.lanes) lane.remove.hidden = this.lanes.length <= FEWEST;
    this.list.style.setProperty("--lanes", this.lanes.length);
  }

  #save() {
    const by = this.by.value;
    this.app.state.set({
      racers: this.lanes.map(({ text }) => text).join(";"),
      by: by === "time" ? by : null,
      pace: Number(this.pace.value) === DEFAULT_PACE[by] ? null : this.pace.value,
    });
  }

  // --- the race -------------------------------------------------------------------------------

  async #loadPuzzle() {
    this.stop();
    this.puzzle = await currentPuzzle(this.app);
    this.other.show(this.puzzle);
    this.#reset();
  }

  /** Show all searches before the race. */
  #reset() {
    if (!this.puzzle) return;
    for (const lane of this.lanes) lane.reset(this.puzzle);
    this.message.replaceChildren(
      element(
        "p",
        { class: "note" },
        this.by.value === "time"
          ? "Each search gets as much time as any other."
          : "Each search expands as many boards as any other.",
      ),
    );
  }

  async run() {
    this.stop();
    this.#reset();
    this.#save();
    await this.#runFrom(0);
  }

  /** Go on at another pace: the race is run again, at full speed up to its present state. */
  #changePace() {
    this.#save();
    if (this.#spent) this.#runFrom(this.#spent);
  }

  async #runFrom(skip) {
    const { board, goal, metric } = this.app.state.get();
    const body = {
      board,
      goal,
      metric,
      searches: this.lanes.map(({ text }) => text),
      by: this.by.value,
    };
    if (Number(this.pace.value)) body.speed = Number(this.pace.value);
    if (skip) body.skip = skip;
    await this.task.run(async (signal) =>
      readEvents(
        "/api/race",
        await withCode(body, this.app),
        signal,
        {
          queued: ({ place }) =>
            this.message.replaceChildren(element("p", { class: "note" }, queueSentence(place))),
          frame: ({ runners }) => this.#show(runners),
          result: (result) => this.#finish({ by: this.by.value, ...result }),
        },
        () => this.paused,
      ),
    );
  }

  stop() {
    if (!this.task.cancel()) return;
    for (const lane of this.lanes) lane.stop();
    this.message.replaceChildren(element("p", { class: "sentence" }, "The race was stopped."));
  }

  #pause() {
    if (this.#resume) this.#continue();
    else {
      this.paused = new Promise((resolve) => {
        this.#resume = resolve;
      });
      this.#setPauseButton("play", "Go on");
    }
  }

  #continue() {
    this.#resume?.();
    this.#resume = null;
    this.paused = null;
    this.#setPauseButton("pause", "Pause");
  }

  #setPauseButton(iconName, text) {
    this.pauseButton.replaceChildren(icon(iconName), element("span", {}, text));
  }

  #onRunning(isRunning) {
    const hadFocus = [this.pauseButton, this.stopButton].includes(document.activeElement);
    this.startButton.hidden = isRunning;
    this.pauseButton.hidden = this.stopButton.hidden = !isRunning;
    this.by.disabled = this.addButton.disabled = isRunning;
    this.#spent = 0;
    for (const lane of this.lanes) lane.lock(isRunning);
    if (isRunning) this.pauseButton.focus();
    else {
      if (hadFocus) this.startButton.focus();
      this.#continue();
    }
  }

  #show(runners) {
    const largest = largestValues(runners);
    for (const [index, runner] of runners.entries()) this.lanes[index]?.show(runner, largest);
    const running = runners.filter(({ done }) => !done);
    this.#spent = Math.max(0, ...running.map(({ spent }) => spent));
    const effort =
      this.by.value === "time"
        ? seconds(this.#spent)
        : counted(Math.round(this.#spent), "expansion");
    const who = running.length === runners.length ? "each" : "for each that still searches";
    this.message.replaceChildren(element("p", { class: "note" }, `${effort} ${who} so far`));
  }

  #finish(result) {
    this.#show(result.runners);
    const nameOf = (runner) => this.lanes[result.runners.indexOf(runner)]?.name ?? runner.name;
    const verdict = verdictOf(result, nameOf);
    this.message.replaceChildren(element("p", { class: "sentence good" }, verdict));
    this.app.announce(verdict);
  }
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(RaceView);

// --- one search of a race ----------------------------------------------------------------------

const MEASURES = [
  ["expanded", "expanded"],
  ["frontier", "frontier"],
  ["depth", "depth"],
];

class RaceLane {
  #isSearching = false;

  /** `onChange` is called when another search is chosen, `onRemove` when this one is removed. */
  constructor({ searches, text, onChange, onRemove, onUnknown }) {
    this.searches = searches;
    this.form = new SearchForm({
      searches,
      text,
      onUnknown,
      onChange: () => {
        this.#showName();
        onChange();
      },
    });
    this.title = element("span", { class: "chosen" });
    this.remove = button(
      "",
      { icon: "close", class: "round", "aria-label": "Remove this search" },
      onRemove,
    );
    this.details = element("details", {}, element("summary", {}, this.title), this.form.root);
    this.place = element("div", { class: "lane-board" });
    this.board = new BoardView(this.place, { label: "Board" });
    this.bars = MEASURES.map(([, name]) => bar(name));
    this.status = element("p", { class: "lane-status" });
    this.root = element(
      "li",
      { class: "card lane" },
      element("div", { class: "lane-head" }, this.details, this.remove),
      this.place,
      element("dl", { class: "bars" }, ...this.bars.map(({ root }) => root)),
      this.status,
    );
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
    for (const [index, [key]] of MEASURES.entries())
      this.bars[index].show(runner[key], largest[key]);
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
function largestValues(runners) {
  return Object.fromEntries(
    MEASURES.map(([key]) => [key, Math.max(1, ...runners.map((runner) => runner[key]))]),
  );
}

function bar(name) {
  const fill = element("span", { class: "bar-fill" });
  const number = element("dd", {}, "0");
  return {
    root: element(
      "div",
      { class: "bar-row" },
      element("dt", {}, name),
      element("span", { class: "bar-track", "aria-hidden": "true" }, fill),
      number,
    ),
    show(value, largest) {
      fill.style.transform = `scaleX(${value / largest})`;
      number.textContent = thousands(value);
    },
  };
}
