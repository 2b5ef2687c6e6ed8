// Solve: choose a search, see it run, stop it, then see the solution move by move.

import { withCode } from "../code/user-code.js";
import { button, element } from "../page/dom.js";
import { saidAsText, text } from "../page/messages.js";
import { saidIn } from "../page/said.js";
import { BoardView } from "../puzzle/board.js";
import {
  boardChooser,
  currentPuzzle,
  isPuzzleChanged,
  mountView,
} from "../puzzle/current-puzzle.js";
import { movedCells } from "../puzzle/puzzle.js";
import { readEvents, SearchTask } from "../search/search-task.js";
import { Transport } from "../search/transport.js";
import { solveForm } from "./form.js";
import { resultCard, solveProgress } from "./report.js";
import { boardsOf, captionOf } from "./solution.js";

/** Moves per second, each with its text. */
const SPEEDS = [1, 2, 4, 8, 20, 60].map((speed) => [
  speed,
  (count) => text("solve.speed", { count }),
]);
const GLIDE_MS = 220;

class SolveView {
  #solution = null;
  #streamName = null;

  constructor(root, app) {
    this.app = app;
    this.root = root;
    this.table = element("div", { class: "table" });
    this.caption = element("p", { class: "caption", "aria-live": "polite" });
    this.board = new BoardView(this.table, { label: text("solve.board") });
    this.transport = new Transport({
      seek: (number) => this.#show(number),
      unit: "move",
      speeds: SPEEDS,
      speed: 1,
      label: text("solve.play"),
    });
    this.transport.root.hidden = true;
    this.other = boardChooser(app);
    this.progress = solveProgress();
    this.solveButton = button(text("solve.solve"), { icon: "play", class: "main wide" }, () =>
      this.run(),
    );
    const stop = { icon: "stop", class: "wide", hidden: true };
    this.stopButton = button(text("solve.stop"), stop, () => this.#askToStop());
    this.watchButton = button(text("solve.watch"), { class: "quiet" }, () =>
      this.app.open("watch", { step: null }),
    );
    const how = text("solve.how");
    this.formPlace = element("section", { class: "card stack", "aria-label": how });
    this.result = element("div", {});
    root.classList.add("solve");
    root.append(
      element("div", { class: "solve-board" }, this.table, this.caption, this.transport.root),
      element(
        "div",
        { class: "stack solve-side" },
        this.formPlace,
        this.progress.root,
        this.result,
        this.other.root,
      ),
    );
    this.task = new SearchTask(
      (isRunning) => this.#onRunning(isRunning),
      (error) => this.fail(error),
    );
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view !== "solve" || !isPuzzleChanged(state, before)) return;
      // A result belongs to one board only.
      app.state.set({ go: null, at: null });
      this.#loadPuzzle().catch((error) => this.fail(error));
    });
  }

  async begin() {
    await this.#loadPuzzle();
    const [searches, about] = await Promise.all([this.app.searches(), this.app.about()]);
    this.form = solveForm(this.app, searches, about);
    this.formPlace.append(this.form.root, this.solveButton, this.stopButton, this.watchButton);
    const { go, at } = this.app.state.get();
    if (go) await this.run(Number(at) || 0);
  }

  leave() {
    this.task.cancel();
    this.unsubscribe();
    this.transport.remove();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.result.replaceChildren(
      element("p", { class: "sentence bad", role: "alert" }, ...saidIn(error)),
    );
  }

  /** Show the board of the address; cancel the search and remove the result of another. */
  async #loadPuzzle() {
    this.stop();
    this.#solution = null;
    this.transport.pause();
    this.transport.root.hidden = true;
    this.caption.textContent = "";
    this.result.replaceChildren();
    this.puzzle = await currentPuzzle(this.app);
    this.other.show(this.puzzle);
    this.root.style.setProperty("--ratio", this.puzzle.columns / this.puzzle.rows);
    this.board.options.goal = this.puzzle.goal;
    this.board.show(this.puzzle.cells, { columns: this.puzzle.columns, animate: false });
  }

  /** Search, and show the solution from move `at` on. */
  async run(at = 0) {
    await this.#loadPuzzle();
    const { board, goal, metric } = this.app.state.get();
    const puzzle = { board, goal, metric };
    this.app.state.set({ go: 1, at: null });
    const body = { ...puzzle, ...this.form.body() };
    await this.task.run(async (signal) =>
      readEvents("/api/solve", await withCode(body, this.app), signal, {
        ...this.progress.handlers,
        name: (name) => {
          this.#streamName = name;
        },
        result: (result) => this.#showResult(result, puzzle, at),
      }),
    );
  }

  /** Ask the search to end with its best solution; the second time, cancel it. */
  async #askToStop() {
    const name = this.#streamName;
    this.#streamName = null;
    this.app.state.set({ go: null });
    const answer = name && (await this.app.api.post("/api/stop", { turn: name }).catch(() => null));
    if (!answer?.stopped) this.stop();
  }

  stop() {
    this.#streamName = null;
    if (!this.task.cancel()) return;
    const stopped = text("solve.stopped", { best: this.progress.best() });
    this.result.replaceChildren(element("p", { class: "sentence", role: "status" }, stopped));
    this.app.state.set({ go: null });
  }

  #onRunning(isRunning) {
    const hadFocus = document.activeElement === this.stopButton;
    this.solveButton.hidden = isRunning;
    this.stopButton.hidden = !isRunning;
    if (isRunning) {
      this.progress.begin();
      this.stopButton.focus({ preventScroll: true });
    } else {
      // The solution is in view now; the button may be far below it.
      if (hadFocus) this.solveButton.focus({ preventScroll: true });
      this.progress.end();
    }
  }

  #showResult(result, puzzle, at) {
    const boards = boardsOf(this.puzzle, result.moves ?? []);
    const { columns } = this.puzzle;
    this.result.replaceChildren(resultCard(this.app, result, { puzzle, columns, boards }));
    this.app.announce(saidAsText(result));
    if (result.moves === null) {
      this.result.scrollIntoView({ block: "nearest" });
      return;
    }
    this.#solution = { moves: result.moves, boards };
    this.transport.root.hidden = !result.moves.length;
    this.table.parentElement.scrollIntoView({ block: "nearest" });
    this.#show(Math.min(at, result.moves.length));
    if (!at && result.moves.length) this.transport.play();
  }

  #show(position) {
    const { moves, boards } = this.#solution;
    const number = Math.min(position, moves.length);
    const isNext = Math.abs(number - (this.shown ?? 0)) === 1;
    const ms = Math.min(GLIDE_MS, 700 / this.transport.perSecond);
    const cells = boards[number];
    const moved = number
      ? movedCells({ move: moves[number - 1], cells, columns: this.puzzle.columns })
      : [];
    this.board.show(cells, { columns: this.puzzle.columns, animate: isNext && ms > 20, ms, moved });
    this.shown = number;
    this.caption.setAttribute("aria-live", this.transport.isPlaying ? "off" : "polite");
    this.caption.textContent = captionOf(moves, number);
    this.transport.show({ position: number, known: moves.length + 1, last: moves.length });
    this.app.state.set({ at: number || null });
  }
}

/** Fill the view; return `{unmount()}`. */
export const mount = mountView(SolveView);
