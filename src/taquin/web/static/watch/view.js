// Watch: a search step by step, forward and backward, with its growing tree.

import { traced } from "../code/user-code.js";
import { gifControl } from "../gif/control.js";
import { treeReel } from "../gif/tree-reel.js";
import { button, element, loadStyle } from "../page/dom.js";
import { text } from "../page/messages.js";
import { saidIn } from "../page/said.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { puzzleOf } from "../puzzle/puzzle.js";
import { SearchForm } from "../search/search-form.js";
import { queueSentence } from "../search/search-task.js";
import { NO_SEARCHES, titleOf, unknownSearch } from "../search/searches.js";
import { SLICE_MS, SPEEDS, Transport } from "../search/transport.js";
import { fileSource, Film, searchSource } from "../trace/film.js";
import { SearchStage } from "../trace/search-stage.js";
import { sentencesOf } from "../trace/trace-words.js";
import { TreePanel } from "../trace/tree-panel.js";

const DEFAULT_SEARCH = "astar(manhattan)";
/** Above this many steps a second nothing glides. */
const GLIDE_STEPS = 5;
/** The least time between two updates of the text while a fast search plays. */
const TEXT_MS = 150;
/** The least time between two drawings of the tree on a long way to a step. */
const TREE_MS = 400;
/** What a narrow window shows one at a time. */
const PARTS = ["tree", "board", "code"];
/** Steps of a GIF that is made at the start of a film. */
const FIRST_STEPS = 60;

class WatchView {
  searches = NO_SEARCHES;
  #film = null;
  #file = null;
  textShownAt = 0;
  wasExplained = false;

  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.stage = new SearchStage();
    this.tree = new TreePanel();
    this.transport = new Transport({
      seek: (number, isWanted) => this.#seek(number, isWanted),
      unit: "step",
      speeds: SPEEDS,
      speed: 2,
      label: text("watch.play"),
    });
    this.lessons = new Lessons({
      app,
      go: (step) => this.transport.seek(step),
      begin: () => this.#openQuestion(),
      title: () => this.title.textContent,
      onLoad: ({ predict, explain }) => this.#place(predict, explain),
      onChange: () => this.#showMode(),
      onError: (error) => this.fail(error),
    });
    this.transport.onPause = () => this.#ask();
    this.tree.onPick = (drawn) => this.#pick(drawn);
    this.tree.tools.append(gifControl(app, () => this.#reel(), { class: "quiet" }));
    this.#build();
    this.unsubscribe = app.state.subscribe((state, before) => this.#changed(state, before));
  }

  // --- the elements ---------------------------------------------------------------------------

  #build() {
    this.chooser = element("details", { class: "card chooser" });
    this.title = element("span", { class: "chosen" });
    this.chooser.append(element("summary", {}, this.title));
    this.narration = element("div", { class: "narration", "aria-live": "polite" });
    this.fileInput = element("input", {
      type: "file",
      accept: ".jsonl,.json,.ndjson,.txt",
      hidden: true,
      "aria-label": text("watch.file"),
      onchange: () => {
        if (this.fileInput.files[0]) this.#open(this.fileInput.files[0]);
        this.fileInput.value = "";
      },
    });
    this.liveButton = button(text("watch.live"), { class: "quiet", hidden: true }, () =>
      this.#leaveFile(),
    );
    const open = button(
      text("watch.open"),
      { class: "quiet open-trace", title: text("watch.open-title") },
      () => this.fileInput.click(),
    );
    const compare = button(
      text("watch.compare"),
      { class: "quiet", title: text("watch.compare-title") },
      () => this.app.open("compare"),
    );
    this.parts = PARTS.map((part) =>
      button(text(`watch.part-${part}`), { class: "quiet" }, () => this.#choosePart(part)),
    );
    this.other = boardChooser(this.app);
    const head = element(
      "div",
      { class: "watch-head" },
      this.chooser,
      this.other.root,
      element(
        "div",
        { class: "row" },
        this.lessons.predictButton,
        this.lessons.explainButton,
        compare,
        this.liveButton,
        open,
        this.fileInput,
      ),
    );
    this.root.classList.add("watch");
    this.root.append(
      head,
      this.narration,
      element(
        "div",
        { class: "watch-parts", role: "group", "aria-label": text("watch.parts") },
        ...this.parts,
      ),
      element("div", { class: "watch-body" }, this.stage.root, this.tree.root),
      this.transport.root,
    );
    this.#showPart("tree");
    this.root.addEventListener("dragover", (event) => this.#drag(event, true));
    this.root.addEventListener("dragleave", (event) => this.#drag(event, false));
    this.root.addEventListener("drop", (event) => this.#drop(event));
  }

  async #drawChooser() {
    const searches = await this.app.searches();
    this.searches = searches;
    this.form = new SearchForm({
      searches,
      text: this.app.state.get().search || DEFAULT_SEARCH,
      onUnknown: (search) => this.app.notify(unknownSearch(search), "bad"),
      onChange: (search) => this.app.state.set({ search, step: null }),
    });
    this.chooser.append(this.form.root);
  }

  // --- the film -------------------------------------------------------------------------------

  async begin() {
    await this.lessons.load();
    await this.#drawChooser();
    this.other.show(await currentPuzzle(this.app));
    await this.#restart(
      this.lessons.predict?.startStep ?? (Number(this.app.state.get().step) || 0),
    );
  }

  leave() {
    clearTimeout(this.textTimer);
    this.#film?.close();
    this.#film = null;
    this.unsubscribe();
    this.lessons.remove();
    this.transport.remove();
    this.tree.remove();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.transport.pause();
    const step = Math.max(0, this.#film?.position ?? 0);
    const again = step ? text("watch.resume", { step }) : text("watch.retry");
    this.narration.replaceChildren(
      element("p", { class: "sentence bad" }, ...saidIn(error)),
      button(again, {}, () => this.#restart(step)),
    );
  }

  /** Begin a new film of the search, or of the open file, at a step. */
  async #restart(step) {
    this.#film?.close();
    this.#film = new Film(() => this.#source());
    this.transport.reset();
    this.lessons.predict?.restart();
    this.#showTitle();
    this.narration.replaceChildren(element("p", { class: "note" }, text("watch.begins")));
    await this.transport.seek(step);
  }

  #source() {
    if (this.#file) return fileSource(this.#file);
    const { board, goal, metric, search } = this.app.state.get();
    const body = { board, goal, metric, search: search || DEFAULT_SEARCH };
    return searchSource(
      (signal) => traced(body, this.app, signal),
      (place) => {
        this.narration.replaceChildren(element("p", { class: "note" }, queueSentence(place)));
      },
    );
  }

  /** Return the GIF of the tree up to the present step; at the start, of its first steps. */
  #reel() {
    const { position, last } = this.#film;
    return treeReel({
      film: new Film(() => this.#source()),
      last: position > 0 ? position : Math.min(last ?? FIRST_STEPS, FIRST_STEPS),
      hidesDiscarded: this.tree.picture.hidesDiscarded,
    });
  }

  #showTitle() {
    const { search } = this.app.state.get();
    this.title.textContent = this.#file
      ? this.#recordedTitle({})
      : titleOf(search || DEFAULT_SEARCH, this.searches);
    this.liveButton.hidden = !this.#file;
    this.other.root.hidden = Boolean(this.#file);
    if (this.form) this.form.root.hidden = Boolean(this.#file);
    this.goal = this.#file ? null : goalOf(this.app.state.get());
  }

  #recordedTitle({ algorithm = "" }) {
    const file = this.#file.name;
    if (!algorithm) return text("watch.recorded", { file });
    return text("watch.recorded-search", { file, search: titleOf(algorithm, this.searches) });
  }

  async #seek(number, isWanted) {
    const film = this.#film;
    try {
      await this.#seekIn(film, number, isWanted);
    } catch (error) {
      if (film === this.#film) this.fail(error);
    }
  }

  async #seekIn(film, number, isWanted) {
    const isCurrent = () => film === this.#film && isWanted();
    let drawnAt = performance.now();
    for (;;) {
      const until = performance.now() + SLICE_MS;
      await film.seek(number, () => performance.now() < until && isCurrent());
      if (film !== this.#film) return;
      const isReached = film.position >= number || film.isAtEnd;
      if (isReached || !isCurrent()) {
        this.#show(film);
        return this.#ask();
      }
      if (performance.now() - drawnAt > TREE_MS) {
        this.#show(film);
        drawnAt = performance.now();
      } else this.#showPosition(film);
      await new Promise((resolve) => {
        requestAnimationFrame(resolve);
      });
    }
  }

  #show(film) {
    const { model, step } = film;
    this.#showPosition(film);
    if (!step) {
      this.narration.replaceChildren(
        element("p", { class: "sentence bad" }, text("watch.no-steps")),
      );
      return;
    }
    const isFast = this.transport.isPlaying && this.transport.perSecond > GLIDE_STEPS;
    this.tree.show(step, model, { glide: !isFast });
    clearTimeout(this.textTimer);
    // Nobody reads sixty boards a second: the text beside a fast tree is updated less often.
    if (isFast && performance.now() - this.textShownAt < TEXT_MS) {
      this.textTimer = setTimeout(() => this.#showText(film), TEXT_MS);
    } else this.#showText(film);
  }

  #showPosition(film) {
    this.transport.show({
      position: Math.max(0, film.position),
      known: film.count,
      last: film.last,
    });
  }

  #showText(film) {
    if (film !== this.#film) return;
    this.textShownAt = performance.now();
    const { model, step } = film;
    const goal = this.goal ?? recordedGoal(model.header);
    this.#showSentences(step, model, film.position === film.last);
    if (this.#file) this.title.textContent = this.#recordedTitle(model.header);
    this.stage.marks = this.lessons.explain?.show(step, model, goal) ?? null;
    if (model.current) this.stage.show(step, model, goal);
    else if (model.result)
      this.stage.showBoard(model.result.start.flat(), model.result.start[0].length, goal);
    this.tree.describe(model);
    if (!this.#file) this.app.state.set({ step: film.position || null });
  }

  #showSentences(step, model, isLast) {
    // Screen readers read a step only while nothing plays.
    this.narration.setAttribute("aria-live", this.transport.isPlaying ? "off" : "polite");
    const [first, ...rest] = sentencesOf(step, model);
    if (isLast && !model.result) rest.push(text("watch.cut-short"));
    const verdict = this.lessons.predict?.verdictAt(model.step);
    const isGood = verdict?.isRight ?? (step.kind === "goal" || model.result?.outcome === "solved");
    const kind = isGood ? "good" : verdict ? "bad" : "";
    const [strong, ...others] = verdict ? [...verdict.sentences, first, ...rest] : [first, ...rest];
    this.narration.replaceChildren(
      element(
        "p",
        { class: `sentence ${kind}` },
        element("strong", {}, strong),
        others.length ? ` ${others.join(" ")}` : "",
      ),
    );
    if (verdict) this.narration.scrollIntoView({ block: "nearest" });
  }

  // --- Predict and Explain --------------------------------------------------------------------

  #place(predict, explain) {
    if (predict) this.stage.root.prepend(predict.root);
    if (explain) this.stage.now.after(explain.sums, explain.code);
  }

  /** Show the code, which Explain adds, or another part. */
  #choosePart(part) {
    if (part === "code") this.app.state.set({ explain: "1" });
    this.#showPart(part);
  }

  /** Show a part where there is not room for all. */
  #showPart(part) {
    this.root.dataset.part = part;
    this.parts.forEach((button, index) => {
      button.setAttribute("aria-pressed", String(PARTS[index] === part));
    });
  }

  /** Show which lessons are on, and hide what would give an answer away. */
  #showMode() {
    const isExplained = Boolean(this.app.state.get().explain);
    if (isExplained !== this.wasExplained) this.#showPart(isExplained ? "code" : "tree");
    this.wasExplained = isExplained;
    const isQuiz = Boolean(this.lessons.predict?.isQuiz);
    this.root.classList.toggle("predicting", this.lessons.isPredicting);
    this.root.classList.toggle("in-quiz", isQuiz);
    this.transport.root.hidden = isQuiz;
    if (!this.#film?.step) return;
    this.#showText(this.#film);
    this.#ask();
  }

  /** Ask about the next step, if Predict is on. */
  #ask() {
    if (!this.#film?.step) return;
    const goal = this.goal ?? recordedGoal(this.#film.model.header);
    this.lessons.predict?.show(this.#film, {
      goal,
      isPlaying: this.transport.isPlaying,
      isFile: Boolean(this.#file),
    });
  }

  /** Go to the question of a quiz, unless the search of the address has changed and goes there itself. */
  #openQuestion() {
    if (this.#film) this.transport.seek(this.lessons.predict?.startStep ?? 0);
  }

  /** Answer with a board of the tree that was clicked, or go to its step. */
  #pick(drawn) {
    const { predict } = this.lessons;
    if (predict?.pick(drawn.node) || predict?.isQuiz) return;
    if (drawn.step !== undefined) this.transport.seek(drawn.step);
  }

  // --- other searches, and files --------------------------------------------------------------

  #changed(state, before) {
    if (state.view !== "watch" || this.#file || !this.form) return;
    const isPuzzleNew = isPuzzleChanged(state, before);
    if (!isPuzzleNew && state.search === before.search) return;
    if (state.search && state.search !== this.form.text) this.form.set(state.search);
    if (isPuzzleNew) this.#updateChooser();
    // The step of the address belongs to the search before, unless it changed too.
    this.#restart(
      this.lessons.predict?.startStep ?? (state.step === before.step ? 0 : Number(state.step) || 0),
    );
  }

  async #updateChooser() {
    try {
      this.other.show(await currentPuzzle(this.app));
    } catch (error) {
      this.fail(error);
    }
  }

  #open(file) {
    this.#file = file;
    this.#restart(0);
    this.app.announce(text("watch.file-shown", { file: file.name }));
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

/** Return the goal of a trace; null if it has none. */
function recordedGoal(header) {
  const cells = header.puzzle?.goal?.cells;
  return Array.isArray(cells) ? cells.map((label) => (label === "*" ? null : label)) : null;
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(WatchView);

// --- Predict and Explain -----------------------------------------------------------------------
//
// The modules behind the two buttons are loaded when they are first switched on.

class Lessons {
  /** @type {import("./predict.js").Predict | null} */
  predict = null;
  /** @type {import("./explain-panel.js").Explain | null} */
  explain = null;
  #isRemoved = false;

  /**
   * `onLoad(lessons)` puts what was loaded into its place, `onChange()` is called when a lesson is
   * switched on or off; `go`, `begin` and `title` are for Predict.
   * @param {{app: any, go: (step: number) => void, begin: () => void, title: () => string,
   *   onLoad: (lessons: Lessons) => void, onChange: () => void, onError: (error: Error) => void}} options
   */
  constructor(options) {
    const { app, onError } = options;
    this.options = options;
    this.predictButton = button(
      text("watch.predict"),
      { class: "quiet", "aria-pressed": "false", title: text("watch.predict-title") },
      () => {
        const { quiz, predict } = app.state.get();
        app.state.set(quiz ? { quiz: null, predict: null } : { predict: predict ? null : "1" });
      },
    );
    this.explainButton = button(
      text("watch.explain"),
      { class: "quiet", "aria-pressed": "false", title: text("watch.explain-title") },
      () => app.state.set({ explain: app.state.get().explain ? null : "1" }),
    );
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (["predict", "quiz", "explain"].some((key) => state[key] !== before[key]))
        this.load().catch(onError);
    });
  }

  /** Load the lessons that the address asks for, and show which are on. */
  async load() {
    const { app, onLoad, onChange } = this.options;
    const { predict, quiz, explain } = app.state.get();
    const [predicting, explaining] = await Promise.all([
      (predict || quiz) && !this.predict ? import("./predict.js") : null,
      explain && !this.explain ? import("./explain-panel.js") : null,
      predict || quiz || explain ? loadStyle("styles/predict.css") : null,
    ]);
    if (this.#isRemoved) return;
    if (predicting) this.predict ??= new predicting.Predict(this.options);
    if (explaining) this.explain ??= new explaining.Explain();
    if (predicting || explaining) onLoad(this);
    this.predict?.update();
    this.explain?.update(Boolean(app.state.get().explain));
    this.explainButton.setAttribute("aria-pressed", String(Boolean(app.state.get().explain)));
    this.predictButton.setAttribute("aria-pressed", String(this.isPredicting));
    this.predictButton.querySelector("span").textContent = this.predict?.isQuiz
      ? text("watch.leave-quiz")
      : text("watch.predict");
    onChange();
  }

  get isPredicting() {
    return Boolean(this.predict?.isOn);
  }

  remove() {
    this.#isRemoved = true;
    this.unsubscribe();
  }
}
