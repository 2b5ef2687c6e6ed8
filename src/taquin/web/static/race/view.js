// Race: two to four searches side by side on one board, in lockstep.

import { withCode } from "../code/user-code.js";
import { gifControl } from "../gif/control.js";
import { raceReel } from "../gif/reels.js";
import { button, element, icon } from "../page/dom.js";
import { text } from "../page/messages.js";
import { saidIn } from "../page/said.js";
import { counted, seconds, thousands } from "../page/words.js";
import { BoardView } from "../puzzle/board.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { fromRows } from "../puzzle/puzzle.js";
import { SearchForm } from "../search/search-form.js";
import { queueSentence, readEvents, SearchTask } from "../search/search-task.js";
import { titleOf, unknownSearch } from "../search/searches.js";
import { term } from "../search/terms.js";
import { earlyWarning, placeOf, qualityOf, statusOf, verdictOf } from "./race-words.js";

const DEFAULT_SEARCHES = "astar(manhattan);greedy(manhattan);bfs";
/** Searches that "Add a search" offers, in this order. */
const NEXT = ["idastar(manhattan)", "astar(manhattan)", "bidirectional", "greedy(manhattan)"];
const [FEWEST, MOST] = [2, 4];
/** Expansions, or seconds, of each search in a second; 0 is full speed. */
const PACES = { expansions: [10, 50, 300, 2000, 0], time: [0.001, 0.01, 0.1, 1] };
const DEFAULT_PACE = { expansions: 300, time: 0.01 };
/** Milliseconds between two frames of a race. */
const FRAME_MS = 50;
/** The most frames that are kept for a GIF; of a longer race every second one is dropped, again and again. */
const MOST_KEPT = 1000;

class RaceView {
  #resume = null;
  /** The expansions or seconds that each search that still runs has used. */
  #spent = 0;
  /** The cost of a shortest solution; null while it is not known. */
  #known = null;
  /** What was told of the first to finish. */
  #warning = "";
  /** The runners of the frames so far, and the time between two of them. */
  #film = { frames: [], stride: 1, seen: 0 };
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
      ...["expansions", "time"].map((by) =>
        element("option", { value: by }, text(`race.by-${by}`)),
      ),
    );
    this.pace = element("select", { onchange: () => this.#changePace() });
    const start = { icon: "play", class: "main", disabled: true };
    this.startButton = button(text("race.start"), start, () => this.run());
    const pause = { icon: "pause", hidden: true };
    this.pauseButton = button(text("race.pause"), pause, () => this.#pause());
    this.stopButton = button(text("race.stop"), { icon: "stop", hidden: true }, () => this.stop());
    const add = { icon: "plus", class: "quiet", disabled: true };
    this.addButton = button(text("race.add"), add, () => this.#add());
    this.gif = gifControl(app, () => this.#reel(), { class: "quiet" });
    this.gif.hidden = true;
    this.message = element("div", { class: "race-message" });
    this.list = element("ul", { class: "lanes" });
    this.other = boardChooser(app);
    root.classList.add("race");
    root.append(
      element(
        "div",
        { class: "row race-head" },
        element("label", { class: "field" }, text("race.by"), this.by),
        element("label", { class: "field" }, text("race.pace"), this.pace),
        this.startButton,
        this.pauseButton,
        this.stopButton,
        this.addButton,
        this.gif,
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
    for (const search of texts) this.#addLane(search);
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
    this.message.replaceChildren(element("p", { class: "sentence bad" }, ...saidIn(error)));
  }

  // --- the searches ---------------------------------------------------------------------------

  #fillPaces(chosen) {
    const by = this.by.value;
    this.pace.replaceChildren(
      ...PACES[by].map((value) => element("option", { value }, paceName(by, value))),
    );
    this.pace.value = PACES[by].some((value) => String(value) === chosen)
      ? chosen
      : String(DEFAULT_PACE[by]);
  }

  #addLane(search) {
    const lane = new RaceLane({
      searches: this.searches,
      search,
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
    const present = this.lanes.map((lane) => lane.text);
    this.#addLane(NEXT.find((search) => !present.includes(search)) ?? NEXT[0]);
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
      racers: this.lanes.map((lane) => lane.text).join(";"),
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
    this.#film = { frames: [], stride: 1, seen: 0 };
    this.gif.hidden = true;
    this.#note(text(this.by.value === "time" ? "race.same-time" : "race.same-expansions"));
  }

  async run() {
    this.stop();
    this.#reset();
    this.#save();
    this.#askForShortest();
    await this.#runFrom(0);
  }

  /** Ask for the length of a shortest solution, which says of a solution at once whether it is optimal. */
  async #askForShortest() {
    this.#known = null;
    const { board, goal, metric } = this.app.state.get();
    const { puzzle } = this;
    const answer = await this.app.api
      .post("/api/left", { board, goal, metric })
      .catch(() => ({ left: null }));
    if (puzzle === this.puzzle) this.#known = answer.left;
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
      searches: this.lanes.map((lane) => lane.text),
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
          queued: ({ place }) => this.#note(queueSentence(place)),
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
    this.#tell(text("race.was-stopped"));
  }

  #pause() {
    if (this.#resume) this.#continue();
    else {
      this.paused = new Promise((resolve) => {
        this.#resume = resolve;
      });
      this.#setPauseButton("play", text("race.continue"));
    }
  }

  #continue() {
    this.#resume?.();
    this.#resume = null;
    this.paused = null;
    this.#setPauseButton("pause", text("race.pause"));
  }

  #setPauseButton(iconName, label) {
    this.pauseButton.replaceChildren(icon(iconName), element("span", {}, label));
  }

  #onRunning(isRunning) {
    const hadFocus = [this.pauseButton, this.stopButton].includes(document.activeElement);
    this.startButton.hidden = isRunning;
    this.pauseButton.hidden = this.stopButton.hidden = !isRunning;
    this.by.disabled = this.addButton.disabled = isRunning;
    this.gif.hidden = isRunning || this.#film.frames.length < 2;
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
    for (const [index, lane] of this.lanes.entries())
      lane.show(runners[index], runners, this.#known, largest);
    this.#keep(runners);
    const running = runners.filter(({ done }) => !done);
    this.#spent = Math.max(0, ...running.map(({ spent }) => spent));
    const effort =
      this.by.value === "time"
        ? seconds(this.#spent)
        : counted(Math.round(this.#spent), "expansion");
    const isEach = running.length === runners.length;
    this.#note(text(isEach ? "race.each" : "race.each-running", { effort }));
    const warning = earlyWarning(runners, this.#known, this.#nameIn(runners));
    if (warning) this.message.prepend(element("p", { class: "sentence warning" }, warning));
    if (warning && warning !== this.#warning) this.app.announce(warning);
    this.#warning = warning;
  }

  #finish(result) {
    this.#show(result.runners);
    const verdict = verdictOf(result, this.#known, this.#nameIn(result.runners));
    const isOptimal = result.runners.some(
      (runner) =>
        runner.outcome === "solved" && qualityOf(runner, result.runners, this.#known) === "optimal",
    );
    this.#tell(verdict, isOptimal ? "good" : "");
    this.app.announce(verdict);
  }

  #nameIn(runners) {
    return (runner) => this.lanes[runners.indexOf(runner)]?.name ?? runner.name;
  }

  #note(words) {
    this.message.replaceChildren(element("p", { class: "note" }, words));
  }

  #tell(words, kind = "") {
    this.message.replaceChildren(element("p", { class: `sentence ${kind}` }, words));
  }

  // --- the GIF --------------------------------------------------------------------------------

  #keep(runners) {
    const film = this.#film;
    const isLast = runners.every(({ done }) => done);
    if (film.seen % film.stride === 0 || isLast) film.frames.push(runners);
    film.seen += 1;
    if (film.frames.length < MOST_KEPT) return;
    film.frames = film.frames.filter((_, index) => index % 2 === 0);
    film.stride *= 2;
  }

  #reel() {
    const { frames, stride } = this.#film;
    const lanes = (runners) => {
      const largest = largestValues(runners);
      return runners.map((runner, index) => ({
        title: this.lanes[index].name,
        status: statusOf(runner, runners, this.#known),
        colour: { optimal: "goal", longer: "cut" }[lookOf(runner, runners, this.#known)] ?? "ink",
        bars: MEASURES.map((key) => ({
          name: text(`race.${key}`),
          value: runner[key],
          largest: largest[key],
        })),
      }));
    };
    return raceReel({ frames: [...frames], lanes, frameMs: () => FRAME_MS * stride });
  }
}

/** Return the name of a pace. */
function paceName(by, value) {
  if (by === "expansions")
    return value ? text("race.pace-expansions", { count: value }) : text("race.pace-full");
  return value === 1 ? text("race.pace-real") : text("race.pace-slower", { count: 1 / value });
}

/** Return what is proven about the solution of a runner; "" if it has none. */
function lookOf(runner, runners, known) {
  return runner.outcome === "solved" ? qualityOf(runner, runners, known) : "";
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(RaceView);

// --- one search of a race ----------------------------------------------------------------------

const MEASURES = ["expanded", "frontier", "depth"];

class RaceLane {
  #isSearching = false;

  /** `onChange` is called when another search is chosen, `onRemove` when this one is removed. */
  constructor({ searches, search, onChange, onRemove, onUnknown }) {
    this.searches = searches;
    this.form = new SearchForm({
      searches,
      text: search,
      onUnknown,
      onChange: () => {
        this.#showName();
        onChange();
      },
    });
    this.title = element("span", { class: "chosen" });
    this.remove = button(
      "",
      { icon: "close", class: "round", "aria-label": text("race.remove") },
      onRemove,
    );
    this.details = element("details", {}, element("summary", {}, this.title), this.form.root);
    this.place = element("div", { class: "lane-board" });
    this.board = new BoardView(this.place, { label: text("race.board") });
    this.bars = MEASURES.map((key) =>
      bar(key === "depth" ? text("race.depth") : term(key, text(`race.${key}`))),
    );
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
    this.place.style.setProperty("--ratio", puzzle.columns / puzzle.rows);
    this.board.show(puzzle.cells, { columns: puzzle.columns, animate: false });
    this.#isSearching = false;
    for (const bar of this.bars) bar.show(0, 1);
    this.#showStatus([]);
  }

  /** Show the state of the runner; `largest` has the largest values of all runners. */
  show(runner, runners, known, largest) {
    const { cells, columns } = fromRows(runner.board);
    this.board.show(cells, { columns, animate: false });
    for (const [index, key] of MEASURES.entries()) this.bars[index].show(runner[key], largest[key]);
    this.#isSearching = !runner.done;
    const isFirst = placeOf(runner, runners) === 1;
    this.#showStatus(statusOf(runner, runners, known), lookOf(runner, runners, known), isFirst);
  }

  /** Show that the race was stopped before this search ended. */
  stop() {
    if (this.#isSearching) this.#showStatus([text("race.status-stopped")]);
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

  /** Green says that no solution is shorter; who was first says the flag. */
  #showStatus(lines, quality = "", isFirst = false) {
    this.status.replaceChildren(
      ...(isFirst ? [icon("flag")] : []),
      ...lines.map((line) => element("span", {}, line)),
    );
    this.root.dataset.quality = quality;
  }
}

/** Return the largest value of each measure, at least 1. */
function largestValues(runners) {
  return Object.fromEntries(
    MEASURES.map((key) => [key, Math.max(1, ...runners.map((runner) => runner[key]))]),
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
