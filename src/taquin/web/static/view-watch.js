// Watch it think: a search step by step, both ways, and its tree as it grows.

import { stream } from "./api.js";
import { button, element } from "./dom.js";
import { Film } from "./film.js";
import { queueWords } from "./listening.js";
import { puzzleOf } from "./puzzle.js";
import { SearchForm } from "./search-form.js";
import { SearchStage } from "./search-stage.js";
import { titleOf } from "./search-text.js";
import { isOtherPuzzle, mounted, otherBoard, puzzleOnTable } from "./table.js";
import { fileSource, searchSource } from "./trace-source.js";
import { sentencesOf } from "./trace-words.js";
import { Transport } from "./transport.js";
import { TreePanel } from "./tree-panel.js";
import { thousands } from "./words.js";

const USUAL = "astar(manhattan)";
const SPEEDS = [
  [0.5, "slow"], [1, "1 step/s"], [3, "3 steps/s"], [10, "10 steps/s"], [60, "60 steps/s"], [1e6, "full speed"],
];
/** Winding for longer than this shows where it is, so that the page never stands still. */
const SLICE_MS = 40;
/** Above this many steps a second nothing glides. */
const CALM = 5;
const UNHURRIED_MS = 150;

class WatchView {
  #film = null;
  #file = null;
  toldAt = 0;

  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.stage = new SearchStage();
    this.tree = new TreePanel();
    this.transport = new Transport({
      go: (number, isWanted) => this.#go(number, isWanted), unit: "step", speeds: SPEEDS, usual: 2, label: "Wind the search",
    });
    this.#build();
    this.unsubscribe = app.state.subscribe((state, before) => this.#changed(state, before));
  }

  // --- what there is to be seen ---------------------------------------------------------------

  #build() {
    this.chooser = element("details", { class: "card chooser" });
    this.title = element("span", { class: "chosen" });
    this.chooser.append(element("summary", {}, this.title));
    this.telling = element("div", { class: "telling", "aria-live": "polite" });
    this.files = element("input", { type: "file", accept: ".jsonl,.json,.ndjson,.txt", hidden: true, "aria-label": "A recorded trace",
      onchange: () => { if (this.files.files[0]) this.#open(this.files.files[0]); this.files.value = ""; } });
    this.live = button("Back to the live search", { class: "quiet", hidden: true }, () => this.#leaveFile());
    const open = button("Open a recorded trace", { class: "quiet", title: "A file of JSON lines, written by taquin trace --json; it can also be dropped here" }, () => this.files.click());
    this.other = otherBoard(this.app);
    const head = element("div", { class: "watch-head" }, this.chooser, this.other.root,
      element("div", { class: "row" }, this.live, open, this.files));
    this.root.classList.add("watch");
    this.root.append(head, this.telling,
      element("div", { class: "watch-body" }, this.stage.root, this.tree.root),
      this.transport.root);
    this.root.addEventListener("dragover", (event) => this.#drag(event, true));
    this.root.addEventListener("dragleave", (event) => this.#drag(event, false));
    this.root.addEventListener("drop", (event) => this.#drop(event));
  }

  async #drawChooser() {
    const searches = await this.app.searches();
    this.searches = searches;
    this.form = new SearchForm({
      searches, text: this.app.state.get().search || USUAL, onChange: (text) => this.app.state.set({ search: text, step: null }),
    });
    this.chooser.append(this.form.root);
  }

  // --- the film -------------------------------------------------------------------------------

  async begin() {
    await this.#drawChooser();
    this.other.show(await puzzleOnTable(this.app));
    await this.#restart(Number(this.app.state.get().step) || 0);
  }

  leave() {
    clearTimeout(this.later);
    this.#film?.close();
    this.#film = null;
    this.unsubscribe();
    this.transport.remove();
    this.tree.remove();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.transport.pause();
    const step = Math.max(0, this.#film?.position ?? 0);
    const words = step ? `Go on from step ${thousands(step)}` : "Try again";
    this.telling.replaceChildren(element("p", { class: "sentence bad" }, error.message),
      button(words, {}, () => this.#restart(step)));
  }

  /** Begin the film anew, of the search or of the file that is open, at a step. */
  async #restart(step) {
    this.transport.pause();
    this.#film?.close();
    this.#film = new Film(() => this.#source());
    this.#showTitle();
    this.telling.replaceChildren(element("p", { class: "note" }, "The search begins …"));
    await this.transport.seek(step);
  }

  #source() {
    if (this.#file) return fileSource(this.#file);
    const { board, goal, metric, search } = this.app.state.get();
    const body = { board, goal, metric, search: search || USUAL };
    return searchSource((signal) => stream("/api/trace", body, { signal }), (place) => {
      this.telling.replaceChildren(element("p", { class: "note" }, queueWords(place)));
    });
  }

  #showTitle() {
    const { search } = this.app.state.get();
    this.title.textContent = this.#file
      ? this.#recordedTitle({})
      : titleOf(search || USUAL, this.searches);
    this.live.hidden = !this.#file;
    this.other.root.hidden = Boolean(this.#file);
    this.form.root.hidden = Boolean(this.#file);
    this.goal = this.#file ? null : goalOf(this.app.state.get());
  }

  #recordedTitle({ algorithm = "" }) {
    const search = algorithm ? `, ${titleOf(algorithm, this.searches)}` : "";
    return `Recorded: ${this.#file.name}${search}`;
  }

  async #go(number, isWanted) {
    const film = this.#film;
    try {
      await this.#wind(film, number, isWanted);
    } catch (error) {
      if (film === this.#film) this.fail(error);
    }
  }

  async #wind(film, number, isWanted) {
    const isCurrent = () => film === this.#film && isWanted();
    for (;;) {
      const late = performance.now() + SLICE_MS;
      await film.seek(number, () => performance.now() < late && isCurrent());
      if (film !== this.#film) return;
      this.#show(film);
      const isThere = film.position >= number || film.last === film.position;
      if (isThere || !isCurrent()) return;
      await new Promise((resolve) => { requestAnimationFrame(resolve); });
    }
  }

  #show(film) {
    const { model, step } = film;
    this.transport.show({ position: Math.max(0, film.position), known: film.count, last: film.last });
    if (!step) {
      this.telling.replaceChildren(element("p", { class: "sentence bad" }, "This trace holds no step."));
      return;
    }
    const isFast = this.transport.isPlaying && this.transport.perSecond > CALM;
    this.tree.show(step, model, { glide: !isFast });
    clearTimeout(this.later);
    // Nobody reads sixty boards a second: beside a fast tree the rest follows now and then.
    if (isFast && performance.now() - this.toldAt < UNHURRIED_MS) {
      this.later = setTimeout(() => this.#showWords(film), UNHURRIED_MS);
    } else this.#showWords(film);
  }

  #showWords(film) {
    if (film !== this.#film) return;
    this.toldAt = performance.now();
    const { model, step } = film;
    const goal = this.goal ?? recordedGoal(model.header);
    this.#tell(step, model, film.position === film.last);
    if (this.#file) this.title.textContent = this.#recordedTitle(model.header);
    if (model.current) this.stage.show(step, model, goal);
    else if (model.result) this.stage.showBoard(model.result.start.flat(), model.result.start[0].length, goal);
    this.tree.tell(model);
    if (!this.#file) this.app.state.set({ step: film.position || null });
  }

  #tell(step, model, isLast) {
    // Whoever hears the page is told a step only when it stays.
    this.telling.setAttribute("aria-live", this.transport.isPlaying ? "off" : "polite");
    const [first, ...rest] = sentencesOf(step, model);
    if (isLast && !model.result) rest.push("The recording ends here, before the search did.");
    const kind = step.kind === "goal" || model.result?.outcome === "solved" ? "good" : "";
    this.telling.replaceChildren(element("p", { class: `sentence ${kind}` },
      element("strong", {}, first), rest.length ? ` ${rest.join(" ")}` : ""));
  }

  // --- other searches, and files --------------------------------------------------------------

  #changed(state, before) {
    if (state.view !== "watch" || this.#file || !this.form) return;
    const isOther = isOtherPuzzle(state, before);
    if (!isOther && state.search === before.search) return;
    if (state.search && state.search !== this.form.text) this.form.set(state.search);
    if (isOther) this.#showOther();
    // A step of one search is none of another.
    this.#restart(state.step === before.step ? 0 : Number(state.step) || 0);
  }

  async #showOther() {
    try {
      this.other.show(await puzzleOnTable(this.app));
    } catch (error) {
      this.fail(error);
    }
  }

  #open(file) {
    this.#file = file;
    this.#restart(0);
    this.app.announce(`The recorded trace ${file.name} is shown.`);
  }

  #leaveFile() {
    this.#file = null;
    this.#restart(0);
  }

  #drag(event, isOver) {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    this.root.classList.toggle("dropping", isOver);
  }

  #drop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    this.root.classList.remove("dropping");
    this.#open(file);
  }
}

function goalOf(state) {
  try {
    return puzzleOf(state).goal;
  } catch {
    return null;
  }
}

/** Return the goal that a trace tells; null when it tells none. */
function recordedGoal(header) {
  const cells = header.puzzle?.goal?.cells;
  return Array.isArray(cells) ? cells.map((label) => (label === "*" ? null : label)) : null;
}

/** Fill the view; return how to leave it. */
export const mount = mounted(WatchView);
