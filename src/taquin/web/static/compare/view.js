// Compare: two searches on one board in step, with the boards that only one of them expanded.

import { traced } from "../code/user-code.js";
import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { saidIn } from "../page/said.js";
import { counted, thousands } from "../page/words.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { SearchForm } from "../search/search-form.js";
import { queueSentence } from "../search/search-task.js";
import { titleOf, unknownSearch } from "../search/searches.js";
import { SLICE_MS, SPEEDS, Transport } from "../search/transport.js";
import { Film, searchSource } from "../trace/film.js";
import { countExpanded, countWaiting, fill } from "../trace/search-stage.js";
import { keyOf } from "../trace/trace-model.js";
import { sentencesOf } from "../trace/trace-words.js";
import { TreePanel } from "../trace/tree-panel.js";

/** The values of the address that name the two searches, and the searches if they name none. */
const KEYS = { search: "astar(manhattan)", with: "astar(misplaced)" };
const PAIRS = [
  ["compare.pair-estimates", "astar(misplaced)"],
  ["compare.pair-idastar", "idastar(manhattan)"],
  ["compare.pair-greedy", "greedy(manhattan)"],
];

/** Steps that both searches take before either goes on. */
const STRIDE = 20;

/** One of the two searches: its form, its tree, its sentence and its counters. */
class Side {
  /** @type {Film | null} */
  film = null;

  constructor({ app, searches, key }) {
    this.app = app;
    this.searches = searches;
    this.key = key;
    this.title = element("span", { class: "chosen" });
    this.form = new SearchForm({
      searches,
      text: this.text,
      onUnknown: (search) => app.notify(unknownSearch(search), "bad"),
      onChange: (search) => app.state.set({ [key]: search, step: null }),
    });
    this.sentence = element("p", { class: "sentence" });
    this.counters = element("dl", { class: "counters" });
    this.tree = new TreePanel();
    this.root = element(
      "section",
      { class: "compare-side" },
      element(
        "details",
        { class: "card chooser" },
        element("summary", {}, this.title),
        this.form.root,
      ),
      this.sentence,
      this.counters,
      this.tree.root,
    );
  }

  get text() {
    return this.app.state.get()[this.key] || KEYS[this.key];
  }

  get name() {
    return titleOf(this.text, this.searches);
  }

  restart() {
    this.film?.close();
    if (this.text !== this.form.text) this.form.set(this.text);
    this.title.textContent = this.name;
    const [search, isFirst] = [this.name, this.key === "search"];
    this.root.setAttribute(
      "aria-label",
      isFirst ? text("compare.first", { search }) : text("compare.second", { search }),
    );
    this.tree.root.setAttribute(
      "aria-label",
      isFirst ? text("compare.first-tree") : text("compare.second-tree"),
    );
    const { board, goal, metric } = this.app.state.get();
    const body = { board, goal, metric, search: this.text };
    const onQueue = (place) => {
      this.sentence.textContent = queueSentence(place);
    };
    this.film = new Film(() => searchSource((signal) => traced(body, this.app, signal), onQueue), {
      keepsBoards: true,
    });
  }

  /** Show the present step; `other` is the other search. */
  show(other, { glide }) {
    const { model, step } = this.film;
    const theirs = other.film.model.boards;
    this.tree.picture.lookOf = (drawn) =>
      drawn.status === "expanded" && !theirs.has(keyOf(drawn.node)) ? "only" : drawn.status;
    this.tree.show(step, model, { glide });
    this.tree.describe(model);
    this.sentence.textContent = sentencesOf(step, model)[0];
    this.sentence.classList.toggle("good", model.result?.outcome === "solved");
    fill(this.counters, [
      countExpanded(model),
      [text("compare.count-boards"), thousands(model.boards.size)],
      [text("compare.count-only"), thousands(onlyIn(model.boards, theirs))],
      countWaiting(model),
      ...(model.best === null ? [] : [[text("compare.count-moves"), thousands(model.best)]]),
    ]);
  }
}

class CompareView {
  /** @type {Side[]} */
  sides = [];
  #run = 0;

  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.transport = new Transport({
      seek: (number, isWanted) => this.#seek(number, isWanted),
      unit: "step",
      speeds: SPEEDS,
      speed: 2,
      label: text("compare.play"),
    });
    this.message = element(
      "p",
      { class: "sentence compare-message", "aria-live": "polite" },
      text("compare.begins"),
    );
    this.other = boardChooser(app);
    this.body = element("div", { class: "compare-body" });
    const pairs = PAIRS.map(([name, search]) =>
      button(text(name), { class: "chip" }, () =>
        app.state.set({ search: KEYS.search, with: search, step: null }),
      ),
    );
    root.classList.add("watch", "compare");
    root.append(
      element(
        "div",
        { class: "watch-head" },
        this.other.root,
        element(
          "div",
          { class: "row" },
          ...pairs,
          button(text("compare.watch"), { class: "quiet" }, () => app.open("watch")),
        ),
      ),
      this.message,
      this.body,
      this.transport.root,
    );
    this.unsubscribe = app.state.subscribe((state, before) => this.#changed(state, before));
  }

  async begin() {
    const searches = await this.app.searches();
    this.sides = Object.keys(KEYS).map((key) => new Side({ app: this.app, searches, key }));
    this.body.append(...this.sides.map(({ root }) => root));
    this.other.show(await currentPuzzle(this.app));
    await this.#restart(Number(this.app.state.get().step) || 0);
  }

  leave() {
    this.#run += 1;
    this.unsubscribe();
    this.transport.remove();
    for (const { film, tree } of this.sides) {
      film?.close();
      tree.remove();
    }
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.transport.pause();
    this.message.className = "sentence compare-message bad";
    this.message.replaceChildren(...saidIn(error));
  }

  #changed(state, before) {
    if (state.view !== "compare" || !this.sides.length) return;
    const isNew = isPuzzleChanged(state, before);
    if (!isNew && Object.keys(KEYS).every((key) => state[key] === before[key])) return;
    if (isNew)
      currentPuzzle(this.app)
        .then((puzzle) => this.other.show(puzzle))
        .catch((error) => this.fail(error));
    this.#restart(state.step === before.step ? 0 : Number(state.step) || 0);
  }

  async #restart(step) {
    this.#run += 1;
    for (const side of this.sides) side.restart();
    this.transport.reset();
    await this.transport.seek(step);
  }

  async #seek(number, isWanted) {
    const run = this.#run;
    const isCurrent = () => run === this.#run && isWanted();
    const films = this.sides.map(({ film }) => film);
    const isThere = (film) => film.position === number || (film.position < number && film.isAtEnd);
    try {
      for (;;) {
        const until = performance.now() + SLICE_MS;
        do {
          // A stride at a time, so that both stand at the same step whenever they are shown.
          const farthest = Math.max(...films.map(({ position }) => position));
          const target = number < farthest ? number : Math.min(number, farthest + STRIDE);
          await Promise.all(films.map((film) => film.seek(target)));
        } while (performance.now() < until && isCurrent() && !films.every(isThere));
        if (run !== this.#run) return;
        this.#show();
        if (films.every(isThere) || !isCurrent()) return;
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      }
    } catch (error) {
      if (run === this.#run) this.fail(error);
    }
  }

  #show() {
    const films = this.sides.map(({ film }) => film);
    const isKnown = films.every(({ last }) => last !== null);
    const position = Math.max(0, ...films.map((film) => film.position));
    this.transport.show({
      position,
      known: Math.max(...films.map(({ count }) => count)),
      last: isKnown ? Math.max(...films.map(({ last }) => last)) : null,
    });
    const [first, second] = this.sides;
    const glide = !(this.transport.isPlaying && this.transport.perSecond > 5);
    first.show(second, { glide });
    second.show(first, { glide });
    this.message.setAttribute("aria-live", this.transport.isPlaying ? "off" : "polite");
    this.message.className = "sentence compare-message";
    this.message.textContent = verdictOf(first, second);
    this.app.state.set({ step: position || null });
  }
}

/** Return how many boards are among `mine` and not among `theirs`. */
function onlyIn(mine, theirs) {
  let count = 0;
  for (const key of mine.keys()) if (!theirs.has(key)) count += 1;
  return count;
}

/** Return the sentence that compares the boards of two searches. */
function verdictOf(first, second) {
  const [mine, theirs] = [first.film.model.boards, second.film.model.boards];
  const both = mine.size - onlyIn(mine, theirs);
  const isOver = [first, second].every(({ film }) => film.model.result);
  const parameters = {
    first: first.name,
    boards: counted(mine.size, "board"),
    second: second.name,
    others: theirs.size,
    count: both,
  };
  return isOver ? text("compare.verdict", parameters) : text("compare.verdict-now", parameters);
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(CompareView);
