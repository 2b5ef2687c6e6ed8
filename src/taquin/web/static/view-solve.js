// Solve: choose a search, see it run, stop it, then see the solution move by move.

import { BoardView } from "./board.js";
import { button, element } from "./dom.js";
import { Turn, listen } from "./listening.js";
import { solveForm } from "./solve-form.js";
import { solveProgress } from "./solve-progress.js";
import { resultCard } from "./solve-result.js";
import { boardsOf, captionOf } from "./solution.js";
import { isOtherPuzzle, mounted, otherBoard, puzzleOnTable } from "./table.js";
import { Transport } from "./transport.js";
import { movedCells } from "./tree-paint.js";

const SPEEDS = [[1, "1 move/s"], [2, "2 moves/s"], [4, "4 moves/s"], [8, "8 moves/s"], [20, "20 moves/s"], [60, "60 moves/s"]];
const GLIDE_MS = 220;

class SolveView {
  #film = null;
  #turnName = null;

  constructor(root, app) {
    this.app = app;
    this.root = root;
    this.table = element("div", { class: "table" });
    this.caption = element("p", { class: "caption", "aria-live": "polite" });
    this.board = new BoardView(this.table, { label: "Board" });
    this.transport = new Transport({
      go: (number) => this.#show(number), unit: "move", speeds: SPEEDS, usual: 1, label: "Play the solution",
    });
    this.transport.root.hidden = true;
    this.other = otherBoard(app);
    this.progress = solveProgress();
    this.solve = button("Solve", { sign: "play", class: "main wide" }, () => this.run());
    this.end = button("Stop", { sign: "stop", class: "wide", hidden: true }, () => this.#askToStop());
    this.watch = button("Watch it think", { class: "quiet" }, () => this.app.open("watch", { step: null }));
    this.formPlace = element("section", { class: "card stack", "aria-label": "How to solve it" });
    this.found = element("div", {});
    root.classList.add("solve");
    root.append(
      element("div", { class: "solve-board" }, this.table, this.caption, this.transport.root),
      element("div", { class: "stack solve-side" }, this.formPlace, this.progress.root, this.found, this.other.root));
    this.turn = new Turn((isRunning) => this.#isRunning(isRunning), (error) => this.fail(error));
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view !== "solve" || !isOtherPuzzle(state, before)) return;
      // What was found for one board is not found for another.
      app.state.set({ go: null, at: null });
      this.#take().catch((error) => this.fail(error));
    });
  }

  async begin() {
    await this.#take();
    const [searches, about] = await Promise.all([this.app.searches(), this.app.about()]);
    this.form = solveForm(this.app, searches, about);
    this.formPlace.append(this.form.root, this.solve, this.end, this.watch);
    const { go, at } = this.app.state.get();
    if (go) await this.run(Number(at) || 0);
  }

  leave() {
    this.turn.end();
    this.unsubscribe();
    this.transport.remove();
  }

  fail(error) {
    if (error.name === "AbortError") return;
    this.found.replaceChildren(element("p", { class: "sentence bad", role: "alert" }, error.message));
  }

  /** Put the board of the address on the table; what was found for another is over. */
  async #take() {
    this.stop();
    this.#film = null;
    this.transport.pause();
    this.transport.root.hidden = true;
    this.caption.textContent = "";
    this.found.replaceChildren();
    this.puzzle = await puzzleOnTable(this.app);
    this.other.show(this.puzzle);
    this.root.style.setProperty("--ratio", this.puzzle.columns / this.puzzle.rows);
    this.board.options.goal = this.puzzle.goal;
    this.board.show(this.puzzle.cells, { columns: this.puzzle.columns, animate: false });
  }

  /** Search; show what is found, at a move. */
  async run(at = 0) {
    await this.#take();
    const { board, goal, metric } = this.app.state.get();
    const question = { board, goal, metric };
    this.app.state.set({ go: 1, at: null });
    await this.turn.take((signal) => listen("/api/solve", { ...question, ...this.form.body() }, signal, {
      ...this.progress.heard,
      turn: (name) => { this.#turnName = name; },
      result: (result) => this.#showResult(result, question, at),
    }));
  }

  /** Let the search end with the best it has; whoever cannot wait for that presses again. */
  async #askToStop() {
    const name = this.#turnName;
    this.#turnName = null;
    this.app.state.set({ go: null });
    const answer = name && await this.app.api.post("/api/stop", { turn: name }).catch(() => null);
    if (!answer?.stopped) this.stop();
  }

  stop() {
    this.#turnName = null;
    if (!this.turn.end()) return;
    this.found.replaceChildren(element("p", { class: "sentence", role: "status" }, `Stopped. ${this.progress.best()}`));
    this.app.state.set({ go: null });
  }

  #isRunning(isRunning) {
    const hadFocus = document.activeElement === this.end;
    this.solve.hidden = isRunning;
    this.end.hidden = !isRunning;
    if (isRunning) {
      this.progress.begin();
      this.end.focus();
    } else {
      if (hadFocus) this.solve.focus();
      this.progress.end();
    }
  }

  #showResult(result, question, at) {
    this.found.replaceChildren(resultCard(this.app, result, question));
    this.app.announce(result.sentence);
    if (result.moves === null) {
      this.found.scrollIntoView({ block: "nearest" });
      return;
    }
    this.#film = { moves: result.moves, boards: boardsOf(this.puzzle, result.moves) };
    this.transport.root.hidden = !result.moves.length;
    this.table.scrollIntoView({ block: "nearest" });
    this.#show(Math.min(at, result.moves.length));
    if (!at && result.moves.length) this.transport.play();
  }

  #show(wanted) {
    const { moves, boards } = this.#film;
    const number = Math.min(wanted, moves.length);
    const isNear = Math.abs(number - (this.shown ?? 0)) === 1;
    const ms = Math.min(GLIDE_MS, 700 / this.transport.perSecond);
    const cells = boards[number];
    const moved = number ? movedCells({ move: moves[number - 1], cells, columns: this.puzzle.columns }) : [];
    this.board.show(cells, { columns: this.puzzle.columns, animate: isNear && ms > 20, ms, moved });
    this.shown = number;
    this.caption.setAttribute("aria-live", this.transport.isPlaying ? "off" : "polite");
    this.caption.textContent = captionOf(moves, number);
    this.transport.show({ position: number, known: moves.length + 1, last: moves.length });
    this.app.state.set({ at: number || null });
  }
}

/** Fill the view; return how to leave it. */
export const mount = mounted(SolveView);
