// A search in a chapter: its board, its tree and its counters, with controls to play and to change it.
//
// A figure plays while it is in view. Out of view it pauses and closes its search, which would otherwise hold a worker;
// the film reads it again when the figure goes on.

import { button, element, table } from "../page/dom.js";
import { text } from "../page/messages.js";
import { thousands, value } from "../page/words.js";
import { isReady } from "../python/side.js";
import { BoardView } from "../puzzle/board.js";
import { movedCells, puzzleOf } from "../puzzle/puzzle.js";
import { queueSentence } from "../search/search-task.js";
import {
  algorithmTitle,
  heuristicTitle,
  NO_SEARCHES,
  titleOf,
  writeSearch,
} from "../search/searches.js";
import { SLICE_MS, SPEEDS, Transport } from "../search/transport.js";
import { Film, searchSource } from "../trace/film.js";
import { countExpanded, countWaiting, fill } from "../trace/search-stage.js";
import { sentencesOf } from "../trace/trace-words.js";
import { TreePanel } from "../trace/tree-panel.js";
import { BOARDS, LIAR } from "./chapters.js";

/** The range of a weight and of the width of a beam, and the step between two values. */
const RANGES = { weight: [1, 5, 0.5], width: [1, 40, 1] };
/** Above this many steps a second nothing glides. */
const GLIDE_STEPS = 5;
/** The least time between two drawings on a long way to a step. */
const DRAW_MS = 300;
/** The goal and the metric of all searches here. */
export const USUAL = { goal: "blank-last", metric: "single" };

/** Return the boards that a search has in memory: those expanded and the frontier, or its path. */
export function storedBoards({ order, frontier, expanded, waiting }) {
  return order.isPath ? frontier.entries.length + frontier.lost : expanded + waiting;
}

/** Return a film of a search; `onQueue` is called with its place while it waits. */
export function filmOf(app, board, search, onQueue = (_place) => {}) {
  const body = { ...USUAL, board, search };
  return new Film(() =>
    searchSource((signal) => app.api.stream("/api/trace", body, signal), onQueue),
  );
}

/** Call `onChange(isVisible)` when a part of the page comes into view or leaves it; return a function that ends this. */
export function watchVisibility(part, onChange) {
  const observer = new IntersectionObserver(
    (entries) => onChange(Boolean(entries.at(-1)?.isIntersecting)),
    { rootMargin: "-15% 0px" },
  );
  observer.observe(part);
  return () => observer.disconnect();
}

/** Return a labelled choice; `options` are `[value, text]`. */
export function choice(label, options, chosen, onchange) {
  const select = element(
    "select",
    { onchange: () => onchange(select.value) },
    ...options.map(([key, word]) => element("option", { value: key }, word)),
  );
  select.value = chosen;
  return element("label", { class: "field" }, label, select);
}

/** Return the choice of a board among those of a figure. */
export function boardChoice(boards, onchange) {
  const word = (board) => text("learn.board-option", { board, count: BOARDS[board] });
  return choice(
    text("learn.board"),
    boards.map((board) => [board, word(board)]),
    boards[0],
    onchange,
  );
}

export class SearchFigure {
  #film = null;
  /** Whether it plays when it comes into view. */
  #plays = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  #isVisible = false;
  /** The step that was reached last. */
  #at = 0;
  /** The most boards stored so far. */
  #most = 0;
  /** The results of the searches that have ended, by what they were. */
  #runs = new Map();

  /**
   * `parts` is the figure of a chapter; `onShow(model, board)` is called at every step that is shown.
   * @param {{app: any, parts: import("./chapters.js").FigureParts, onShow?: (model: any, board: string) => void}} options
   */
  constructor({ app, parts, onShow = (_model, _board) => {} }) {
    this.app = app;
    this.parts = parts;
    this.onShow = onShow;
    this.board = parts.boards[0];
    this.search = structuredClone(parts.search);
    this.searches = NO_SEARCHES;
    this.boardPlace = element("div", { class: "figure-board" });
    this.boardView = new BoardView(this.boardPlace, { label: text("learn.current-board") });
    this.numbers = element("dl", { class: "counters" });
    this.sentence = element("p", { class: "sentence", "aria-live": "polite" });
    this.tree = new TreePanel();
    this.tree.root.setAttribute("aria-label", text("learn.tree", { figure: this.#caption }));
    this.tree.onPick = ({ step }) => step !== undefined && this.transport.seek(step);
    this.controls = element("div", { class: "row figure-controls" });
    this.root = element("figure", { class: "card learn-figure stack tight", tabindex: -1 });
    this.transport = new Transport({
      seek: (number, isWanted) => this.#seek(number, isWanted),
      unit: "step",
      speeds: SPEEDS,
      speed: 2,
      label: this.#caption,
      keys: this.root,
    });
    this.#build();
    this.#restart();
    this.unwatch = watchVisibility(this.root, (isVisible) => this.#see(isVisible));
  }

  remove() {
    this.unwatch();
    this.#film?.close();
    this.#film = null;
    this.transport.remove();
    this.tree.remove();
  }

  get #text() {
    return writeSearch(this.search);
  }

  get #caption() {
    return text(`learn.caption-${this.parts.name}`);
  }

  get #title() {
    if (this.search.heuristic === LIAR) return text("learn.liar-search");
    return titleOf(this.#text, this.searches);
  }

  // --- the elements ---------------------------------------------------------------------------

  #build() {
    const head = ["learn.search", "learn.moves", "learn.expansions", "learn.most-stored"];
    this.table = table(
      { hidden: true },
      head.map((name) => text(name)),
      [],
    );
    this.table.prepend(element("caption", {}, text("learn.results")));
    // The wheel scrolls the page, as everywhere in the text; with Ctrl it zooms the tree.
    this.tree.root.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) event.stopPropagation();
      },
      { capture: true, passive: true },
    );
    this.root.append(
      element("figcaption", {}, this.#caption),
      this.controls,
      this.sentence,
      element(
        "div",
        { class: "figure-body" },
        element("div", { class: "figure-side stack tight" }, this.boardPlace, this.numbers),
        this.tree.root,
      ),
      this.transport.root,
      this.table,
    );
    this.#drawControls();
    this.app.searches().then(
      (searches) => {
        this.searches = searches;
        this.#drawControls();
      },
      () => {},
    );
  }

  #drawControls() {
    const { boards, algorithms, heuristics } = this.parts;
    const changed = (change) => {
      change();
      this.#restart();
      this.transport.last();
    };
    const named = (key, names, titleIn, label) =>
      choice(
        label,
        names.map((name) => [
          name,
          name === LIAR ? text("learn.liar") : titleIn(name, this.searches),
        ]),
        this.search[key],
        (name) => changed(() => (this.search[key] = name)),
      );
    const watch = button(text("learn.watch"), { class: "quiet" }, () => this.#openInWatch());
    const board = boardChoice(boards, (next) => changed(() => (this.board = next)));
    board.querySelector("select").value = this.board;
    this.controls.replaceChildren(
      board,
      ...(algorithms ? [named("name", algorithms, algorithmTitle, text("learn.search"))] : []),
      ...(heuristics
        ? [named("heuristic", heuristics, heuristicTitle, text("learn.heuristic"))]
        : []),
      ...Object.keys(this.search.options).map((option) => this.#range(option, changed)),
      watch,
    );
  }

  #range(option, changed) {
    const [min, max, step] = RANGES[option];
    const name = element("span");
    const show = () => {
      const number = Number(this.search.options[option]);
      name.textContent = text(`learn.option-${option}`, { number });
    };
    const range = element("input", {
      type: "range",
      ...{ min, max, step, value: this.search.options[option] },
      oninput: () =>
        changed(() => {
          this.search.options[option] = range.value;
          show();
        }),
    });
    show();
    return element("label", { class: "field" }, name, range);
  }

  #openInWatch() {
    const step = Math.max(0, this.#film?.position ?? 0);
    this.app.open("watch", {
      ...USUAL,
      board: this.board,
      search: this.#text,
      step: step || null,
      chapter: null,
    });
  }

  // --- the film -------------------------------------------------------------------------------

  /** Begin with another board or search; what is read is decided by whoever seeks. */
  #restart() {
    this.#film?.close();
    [this.#most, this.#at] = [0, 0];
    this.transport.reset();
    this.goal = puzzleOf({ ...USUAL, board: this.board }).goal;
    this.#film = filmOf(this.app, this.board, this.#text, (place) =>
      this.#say(queueSentence(place)),
    );
    this.#say(text(isReady() ? "watch.begins" : "learn.begins"));
  }

  async #see(isVisible) {
    if (isVisible === this.#isVisible) return;
    this.#isVisible = isVisible;
    if (!isVisible) {
      this.#plays = this.transport.isPlaying;
      this.transport.pause();
      // The source of a film that has been read to its end is over.
      if (this.#film.last === null || this.#film.count <= this.#film.last) this.#film.close();
      return;
    }
    await this.transport.seek(this.#at);
    if (this.#plays && this.#isVisible && !this.transport.isPlaying) this.transport.play();
  }

  async #seek(number, isWanted) {
    const film = this.#film;
    const isCurrent = () => film === this.#film && this.#isVisible && isWanted();
    let drawnAt = performance.now();
    try {
      for (;;) {
        const until = performance.now() + SLICE_MS;
        await film.seek(number, () => {
          this.#most = Math.max(this.#most, storedBoards(film.model));
          return performance.now() < until && isCurrent();
        });
        if (film !== this.#film) return;
        const isThere = film.position >= number || film.isAtEnd || !isCurrent();
        if (isThere || performance.now() - drawnAt > DRAW_MS) {
          this.#show(film);
          drawnAt = performance.now();
        }
        if (isThere && this.#isVisible) this.#at = Math.max(0, film.position);
        if (isThere) return;
        await new Promise((resolve) => {
          requestAnimationFrame(resolve);
        });
      }
    } catch (error) {
      if (film === this.#film && error.name !== "AbortError") this.#fail(error);
    }
  }

  #fail(error) {
    this.transport.pause();
    this.#say(error.message, "bad");
    this.sentence.append(
      " ",
      button(text("learn.again"), { class: "small" }, () => {
        this.#restart();
        this.transport.seek(0);
      }),
    );
  }

  #say(sentence, kind = "") {
    this.sentence.className = `sentence ${kind}`;
    this.sentence.textContent = sentence;
  }

  #show(film) {
    const { model, step, position } = film;
    this.transport.show({ position: Math.max(0, position), known: film.count, last: film.last });
    if (!step) return;
    const { isPlaying, perSecond } = this.transport;
    this.tree.show(step, model, { glide: !isPlaying || perSecond <= GLIDE_STEPS });
    this.tree.describe(model);
    // Screen readers read a step only while nothing plays.
    this.sentence.setAttribute("aria-live", isPlaying ? "off" : "polite");
    const isSolved = model.result?.outcome === "solved";
    this.#say(sentencesOf(step, model)[0], isSolved ? "good" : "");
    this.#showBoard(model);
    if (film.position === film.last && model.result) this.#addRun(model);
    this.onShow(model, this.board);
  }

  #showBoard(model) {
    const node = model.current;
    if (!node) return;
    this.boardView.options.goal = this.goal;
    this.boardView.show(node.cells, {
      columns: node.columns,
      animate: false,
      moved: movedCells(node),
    });
    fill(this.numbers, [
      ["g", value(node.g), "g"],
      ...(model.estimates || model.order.hasHeuristic
        ? [
            ["h", value(node.h), "h"],
            ["f", value(node.f), "f"],
          ]
        : []),
      countExpanded(model),
      countWaiting(model),
      [text("learn.stored"), thousands(storedBoards(model))],
    ]);
  }

  /** Keep the result of a search that has ended, so that the next one can be compared with it. */
  #addRun(model) {
    const { cost } = model.result;
    const most = Math.max(this.#most, storedBoards(model));
    const cells = [cost === null ? "–" : thousands(cost), ...[model.expanded, most].map(thousands)];
    this.#runs.set(`${this.#title} · ${this.board}`, [this.#title, this.board, ...cells]);
    this.table.hidden = false;
    this.table.tBodies[0].replaceChildren(
      ...[...this.#runs.values()].map(([title, board, ...numbers]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, title, " ", element("span", { class: "note" }, board)),
          ...numbers.map((number) => element("td", {}, number)),
        ),
      ),
    );
  }
}
