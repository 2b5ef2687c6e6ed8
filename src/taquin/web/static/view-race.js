// Race: two to four searches side by side on one board, in lockstep.

import { button, element, icon } from "./dom.js";
import { Turn, listen, queueWords } from "./listening.js";
import { RaceLane, mostOf } from "./race-lane.js";
import { verdictOf } from "./race-words.js";
import { isOtherPuzzle, mounted, otherBoard, puzzleOnTable } from "./table.js";
import { seconds, counted } from "./words.js";

const USUAL = "astar(manhattan);greedy(manhattan);bfs";
const NEXT = ["idastar(manhattan)", "astar(manhattan)", "bidirectional", "greedy(manhattan)"];
const [FEWEST, MOST] = [2, 4];
const PACES = {
  expansions: [[10, "10 a second"], [50, "50 a second"], [300, "300 a second"], [2000, "2,000 a second"], [0, "full speed"]],
  time: [[0.001, "1,000 times slower"], [0.01, "100 times slower"], [0.1, "10 times slower"], [1, "as it is"]],
};
const USUAL_PACE = { expansions: 300, time: 0.01 };

class RaceView {
  #resume = null;
  lanes = [];

  constructor(root, app) {
    this.app = app;
    this.root = root;
    this.by = element("select", { onchange: () => { this.#fillPaces(); this.#keep(); } },
      element("option", { value: "expansions" }, "expansions"), element("option", { value: "time" }, "time"));
    this.pace = element("select", { onchange: () => this.#keep() });
    this.start = button("Race", { sign: "play", class: "main", disabled: true }, () => this.run());
    this.hold = button("Pause", { sign: "pause", hidden: true }, () => this.#pause());
    this.end = button("Stop", { sign: "stop", hidden: true }, () => this.stop());
    this.add = button("Add a search", { sign: "plus", class: "quiet", disabled: true }, () => this.#add());
    this.said = element("div", { class: "race-said" });
    this.list = element("ul", { class: "lanes" });
    this.other = otherBoard(app);
    root.classList.add("race");
    root.append(
      element("div", { class: "row race-head" },
        element("label", { class: "field" }, "In step by", this.by), element("label", { class: "field" }, "Pace", this.pace),
        this.start, this.hold, this.end, this.add),
      this.said, this.list, this.other.root);
    this.turn = new Turn((isRunning) => this.#isRunning(isRunning), (error) => this.fail(error));
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view === "race" && isOtherPuzzle(state, before)) this.#take().catch((error) => this.fail(error));
    });
  }

  async begin() {
    this.searches = await this.app.searches();
    const { racers, by } = this.app.state.get();
    this.by.value = by === "time" ? "time" : "expansions";
    this.#fillPaces(this.app.state.get().pace);
    const texts = (racers || USUAL).split(";").filter(Boolean).slice(0, MOST);
    while (texts.length < FEWEST) texts.push(NEXT[texts.length]);
    for (const text of texts) this.#addLane(text);
    // Not before: what can be added is not known.
    this.add.disabled = false;
    await this.#take();
    this.start.disabled = false;
  }

  leave() {
    this.turn.end();
    this.unsubscribe();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.said.replaceChildren(element("p", { class: "sentence bad" }, error.message));
  }

  // --- who runs -------------------------------------------------------------------------------

  #fillPaces(chosen) {
    const by = this.by.value;
    this.pace.replaceChildren(...PACES[by].map(([value, words]) => element("option", { value }, words)));
    this.pace.value = PACES[by].some(([value]) => String(value) === chosen) ? chosen : String(USUAL_PACE[by]);
  }

  #addLane(text) {
    const lane = new RaceLane({
      searches: this.searches, text, onChange: () => this.#changed(),
      onRemove: () => { this.lanes.splice(this.lanes.indexOf(lane), 1); lane.root.remove(); this.#changed(); },
    });
    this.lanes.push(lane);
    this.list.append(lane.root);
    this.#fit();
  }

  #add() {
    const taken = this.lanes.map((each) => each.text);
    this.#addLane(NEXT.find((each) => !taken.includes(each)) ?? NEXT[0]);
    this.lanes.at(-1).details.open = true;
    this.#changed();
  }

  #changed() {
    this.#fit();
    this.#keep();
    this.#line();
  }

  #fit() {
    this.add.hidden = this.lanes.length >= MOST;
    for (const lane of this.lanes) lane.remove.hidden = this.lanes.length <= FEWEST;
    this.list.style.setProperty("--lanes", this.lanes.length);
  }

  #keep() {
    const by = this.by.value;
    this.app.state.set({
      racers: this.lanes.map((each) => each.text).join(";"),
      by: by === "time" ? by : null,
      pace: Number(this.pace.value) === USUAL_PACE[by] ? null : this.pace.value,
    });
  }

  // --- the race -------------------------------------------------------------------------------

  async #take() {
    this.stop();
    this.puzzle = await puzzleOnTable(this.app);
    this.other.show(this.puzzle);
    this.#line();
  }

  /** Let all stand at the start line. */
  #line() {
    if (!this.puzzle) return;
    for (const lane of this.lanes) lane.ready(this.puzzle);
    this.said.replaceChildren(element("p", { class: "note" },
      this.by.value === "time" ? "Each search gets as much time as any other." : "Each search expands as many boards as any other."));
  }

  async run() {
    this.stop();
    this.#line();
    this.#keep();
    const { board, goal, metric } = this.app.state.get();
    const body = { board, goal, metric, searches: this.lanes.map((each) => each.text), by: this.by.value };
    if (Number(this.pace.value)) body.speed = Number(this.pace.value);
    await this.turn.take((signal) => listen("/api/race", body, signal, {
      queued: ({ place }) => this.said.replaceChildren(element("p", { class: "note" }, queueWords(place))),
      frame: ({ runners }) => this.#show(runners),
      result: (result) => this.#finish({ by: this.by.value, ...result }),
    }, () => this.paused));
  }

  stop() {
    if (this.turn.end()) this.said.replaceChildren(element("p", { class: "sentence" }, "The race was stopped."));
  }

  #pause() {
    if (this.#resume) this.#go();
    else {
      this.paused = new Promise((resolve) => { this.#resume = resolve; });
      this.#sign("play", "Go on");
    }
  }

  #go() {
    this.#resume?.();
    this.#resume = null;
    this.paused = null;
    this.#sign("pause", "Pause");
  }

  #sign(sign, words) {
    this.hold.replaceChildren(icon(sign), element("span", {}, words));
  }

  #isRunning(isRunning) {
    const hadFocus = [this.hold, this.end].includes(document.activeElement);
    this.start.hidden = isRunning;
    this.hold.hidden = this.end.hidden = !isRunning;
    this.by.disabled = this.pace.disabled = this.add.disabled = isRunning;
    for (const lane of this.lanes) lane.lock(isRunning);
    if (isRunning) this.hold.focus();
    else {
      if (hadFocus) this.start.focus();
      this.#go();
    }
  }

  #show(runners) {
    const most = mostOf(runners);
    for (const [index, runner] of runners.entries()) this.lanes[index]?.show(runner, most);
    const spent = Math.max(...runners.map((each) => each.spent));
    const words = this.by.value === "time" ? seconds(spent) : counted(Math.round(spent), "expansion");
    this.said.replaceChildren(element("p", { class: "note" }, `${words} each so far`));
  }

  #finish(result) {
    this.#show(result.runners);
    const nameOf = (runner) => this.lanes[result.runners.indexOf(runner)]?.name ?? runner.name;
    const verdict = verdictOf(result, nameOf);
    this.said.replaceChildren(element("p", { class: "sentence good" }, verdict));
    this.app.announce(verdict);
  }
}

/** Fill the view; return how to leave it. */
export const mount = mounted(RaceView);
