// The game of Play: the board, the moves made, and how many are left.

import { loadStyle } from "../page/dom.js";
import { DEFAULTS, NO_GAME } from "../page/state.js";
import { createClock, timeText } from "./clock.js";
import { enableDragging } from "./drag.js";
import * as games from "./game.js";
import { goalCard, verdictBox } from "./goal.js";
import { moveCosts, movesLeftQuery, movesLeftText, requestBody } from "./moves-left.js";
import { assemble, playParts, showVictory } from "./parts.js";
import { pictureControl } from "./picture.js";
import { BoardView } from "../puzzle/board.js";
import { newBoardCard } from "../puzzle/new-board.js";
import {
  FILLER,
  line,
  namedGoal,
  PuzzleError,
  puzzleOf,
  slideFrom,
  writeBoard,
} from "../puzzle/puzzle.js";
import { textDialog } from "../puzzle/text-dialog.js";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
/** Elements that have their own use for keys. */
const OWN_KEYS = "input, select, textarea, dialog, [role=tab]";
const SLIDE_MS = 140;
const SHUFFLE_MS = 420;

/** Return the values of a state that make up its game. */
function valuesOf({ board, goal, metric, moves, seed, fewest }, seconds) {
  return { board, goal, metric, moves, seed, fewest, time: Math.floor(seconds) || null };
}

/** Fill the view with a game; return `{unmount()}`. */
export function mountGame(root, app) {
  let game = null;
  let goalName = "";
  let answer = null;
  let hintedMove = null;
  let isHintWanted = false;
  /** The values of the game that a new board replaced, for undo; null if it had no moves. */
  let replaced = null;

  const parts = playParts({
    hint,
    undo,
    redo: () => step(games.redone),
    reset: restart,
    text: () => text.open(game),
    edit: () => app.state.set({ edit: "1" }, { push: true }),
    link: share,
    explain: () => app.state.set({ explain: app.state.get().explain ? null : "1" }),
  });
  const view = new BoardView(parts.table, { onPress: press, label: null });
  const clock = createClock(0, (seconds) => {
    parts.time.textContent = timeText(seconds);
  });
  const movesLeft = movesLeftQuery(app.api, showMovesLeft);
  const costs = moveCosts(app.api);
  parts.costs.append(costs.root);
  const goal = goalCard(chooseGoal, chooseMetric);
  const newBoard = newBoardCard(app);
  const text = textDialog(app);
  const verdict = verdictBox((name) => app.state.set({ goal: name }));
  const picture = pictureControl(app, parts.table, () => game, showPicture);
  enableDragging(view, () => game, play);
  assemble(parts, { verdict, newBoard, goal, picture, text });
  root.append(parts.root);

  // --- the game -------------------------------------------------------------------------------

  /** Begin or resume the game of the address. */
  function load() {
    const state = app.state.get();
    const isFirst = game === null;
    try {
      const next = games.resumed(puzzleOf(state), state.moves);
      showGame(next, { animate: !isFirst, ms: SHUFFLE_MS });
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      if (isFirst) app.state.set({ ...DEFAULTS, ...NO_GAME });
      // It may be a board in a notation that only the server reads.
      text.use(state.board, state.goal);
      return;
    }
    goalName = state.goal;
    clock.set(Number(state.time) || 0);
    parts.root.style.setProperty("--ratio", game.columns / game.rows);
    goal.show(game, goalName);
    newBoard.show(game, state);
    picture.fit();
    celebrate(games.isSolved(game) && game.done.length > 0);
    checkSolvable();
    movesLeft.ask(game);
  }

  function showGame(next, glide = { ms: SLIDE_MS }) {
    game = next;
    hintedMove = null;
    isHintWanted = false;
    view.options.goal = game.goal;
    view.show(game.cells, { columns: game.columns, ...glide });
    parts.moves.textContent = games.moveCount(game);
    parts.undo.disabled = !game.done.length && !replaced;
    parts.reset.disabled = !game.done.length;
    parts.redo.disabled = !game.undone.length;
    parts.hint.disabled = games.isSolved(game);
    const rows = writeBoard(game.cells, game.columns).replace(/\b0\b/, "blank");
    parts.table.setAttribute("aria-label", `Board ${game.rows} by ${game.columns}: ${rows}`);
  }

  /** Make a move; return whether it is legal. */
  function play(move) {
    const next = games.played(game, move);
    if (!next) return false;
    const tile = game.cells[line(game, move.direction)[move.count - 1]];
    const wasSolved = games.isSolved(game);
    showGame(next);
    app.announce(`${tile === FILLER ? "Tile" : tile} ${move.direction}.`);
    if (!games.isSolved(game)) clock.start();
    else if (!wasSolved) win();
    save();
    return true;
  }

  function press(cell) {
    const move = slideFrom(game, cell);
    if (move) play(move);
  }

  /** Undo or redo moves. */
  function step(change) {
    const next = change(game);
    if (!next) return;
    showGame(next);
    celebrate(false);
    save();
  }

  /** Take the last move back; before the first move, go back to the game that this board replaced. */
  function undo() {
    if (game.done.length || !replaced) return step(games.undone);
    const before = replaced;
    replaced = null;
    app.state.set({ ...NO_GAME, ...before });
    return app.announce("Back to the game before.");
  }

  function restart() {
    clock.set(0);
    step(games.restarted);
  }

  function win() {
    clock.pause();
    celebrate(true);
    app.announce(parts.status.textContent);
  }

  /** Write the game into the address, then ask for the moves left: the answer is written there too. */
  function save() {
    app.state.set({
      board: writeBoard(game.cells, game.columns),
      moves: games.movesText(game),
      time: Math.floor(clock.seconds()) || null,
    });
    movesLeft.ask(game);
  }

  // --- answers of the server ------------------------------------------------------------------

  function showMovesLeft(next) {
    answer = next;
    showCosts();
    parts.left.classList.toggle("stale", !answer);
    if (!answer) return;
    parts.left.textContent = movesLeftText(answer);
    parts.left.classList.toggle("long", parts.left.textContent.length > 5);
    parts.left.title = answer.sentence;
    if (answer.left !== null && !game.done.length) app.state.set({ fewest: answer.left });
    if (isHintWanted) showHint(answer);
  }

  /** Show what each move costs, if Explain is on. */
  async function showCosts() {
    const isOn = () => Boolean(app.state.get().explain);
    parts.explain.setAttribute("aria-pressed", String(isOn()));
    if (isOn()) await loadStyle("styles/predict.css");
    parts.costs.hidden = !isOn();
    if (isOn()) costs.show(game, answer?.left ?? null);
    else costs.stop();
  }

  /** Show the next move of a solution; the second time, make it. */
  function hint() {
    if (hintedMove) return play(hintedMove);
    if (isHintWanted) return;
    isHintWanted = true;
    if (answer?.move) showHint(answer);
    else movesLeft.ask(game, { forHint: true });
  }

  function showHint({ move, sentence }) {
    isHintWanted = false;
    if (!move) return app.notify(sentence);
    const { tile, tiles = [tile], direction } = move;
    hintedMove = { direction, count: tiles.length };
    view.point({ cell: line(game, direction)[tiles.length - 1], direction });
    app.announce(`Hint: move ${tile} ${direction}. Ask again to do it.`);
  }

  /** Show a verdict if the board cannot be solved. */
  async function checkSolvable() {
    verdict.clear();
    const { goal: checkedGoal } = game;
    try {
      const check = await app.api.post("/api/check", requestBody(game));
      if (checkedGoal === game.goal && !check.solvable) verdict.show(check);
    } catch (error) {
      if (checkedGoal === game.goal) verdict.fail(error.message);
    }
  }

  /** Change the goal; a board that cannot reach it is shuffled. */
  async function chooseGoal(name) {
    const question = requestBody({ ...game, goal: namedGoal(name, game) });
    const refused = () => ({ solvable: false });
    const { solvable } = await app.api.post("/api/check", question).catch(refused);
    if (solvable) app.state.set({ goal: name, fewest: null });
    else newBoard.shuffle(name);
  }

  function chooseMetric(metric) {
    app.state.set({ metric, fewest: null, time: Math.floor(clock.seconds()) || null });
  }

  // --- victory, pictures, links ---------------------------------------------------------------

  function celebrate(isWon) {
    for (const { node, cell } of view.tiles) {
      // The delay of each tile makes a wave from the first corner to the last.
      node.style.setProperty("--delay", (cell % game.columns) + Math.floor(cell / game.columns));
    }
    showVictory(parts, isWon ? victory() : "");
  }

  function showPicture(image) {
    view.set({ image });
    goal.paint(image);
  }

  function victory() {
    const count = games.moveCount(game);
    const fewest = Number(app.state.get().fewest);
    const moves = `${count} ${count === 1 ? "move" : "moves"}`;
    const praise = fewest && fewest === count ? ", the fewest possible" : "";
    const better = fewest && fewest < count ? ` ${fewest} moves would do.` : "";
    return `Solved in ${moves}${praise}. Time ${timeText(clock.seconds())}.${better}`;
  }

  async function share() {
    const link = app.state.link();
    try {
      await navigator.clipboard.writeText(link);
      app.notify("The link to this game is copied.");
    } catch {
      app.notify("The link to this game is in the address bar.");
    }
  }

  // --- keys -----------------------------------------------------------------------------------

  function onKey(event) {
    if (event.target.closest(OWN_KEYS) || event.altKey) return;
    const action = actionFor(event);
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Return the function for a key; null if the key has none. */
  function actionFor({ key, ctrlKey, metaKey, shiftKey }) {
    const letter = key.toLowerCase();
    if (ctrlKey || metaKey) {
      if (letter === "y" || (letter === "z" && shiftKey)) return () => step(games.redone);
      return letter === "z" ? undo : null;
    }
    if (key in ARROWS) {
      const direction = ARROWS[key];
      return () => play({ direction, count: shiftKey ? line(game, direction).length : 1 });
    }
    if (!parts.letters.checked) return null;
    return { h: hint, u: undo, n: () => newBoard.shuffle() }[letter] ?? null;
  }

  function onPaste(event) {
    if (event.target.closest?.(OWN_KEYS)) return;
    const image = [...event.clipboardData.files].find((file) => file.type.startsWith("image/"));
    if (image) return picture.load(image);
    const pasted = event.clipboardData.getData("text/plain");
    if (pasted.trim()) text.use(pasted);
  }

  // --- begin and end --------------------------------------------------------------------------

  const unsubscribe = app.state.subscribe((state, before) => {
    if (state.view !== "play" || state.edit) return;
    if (game && state.explain !== before.explain) showCosts();
    // The address may write the game in another way, or have moves that are not legal.
    if (game && ["board", "goal", "metric", "moves"].every((key) => state[key] === before[key]))
      return;
    const isShown =
      game &&
      state.board === writeBoard(game.cells, game.columns) &&
      (state.moves ?? "") === games.movesText(game) &&
      state.metric === game.metric &&
      state.goal === goalName;
    if (isShown) return;
    if (game?.done.length) replaced = valuesOf(before, clock.seconds());
    load();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("paste", onPaste);
  load();

  return {
    unmount() {
      unsubscribe();
      movesLeft.stop();
      costs.stop();
      newBoard.stop();
      clock.remove();
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("paste", onPaste);
    },
  };
}
