// Play: the board, the moves made, and how many are left; or the editor if the address has `edit=1`.

import { loadStyle } from "../page/dom.js";
import { text } from "../page/messages.js";
import { DEFAULTS, NO_GAME, writeHash } from "../page/state.js";
import { capitalised, moveName } from "../page/words.js";
import { begin } from "../python/side.js";
import { createClock, timeText } from "./clock.js";
import { dailyBoard, isDay, today } from "./daily.js";
import { enableDragging } from "./drag.js";
import * as games from "./game.js";
import { goalCard, verdictBox } from "./goal.js";
import {
  moveCosts,
  movesLeftQuery,
  movesLeftSentence,
  movesLeftText,
  requestBody,
} from "./moves-left.js";
import { assemble, playParts } from "./parts.js";
import { colourChoice, pictureControl } from "./picture.js";
import { ASTAR, ASTAR_CELLS, versusCard } from "./versus.js";
import {
  countDay,
  dailyCard,
  dailyResult,
  shareText,
  victoryCard,
  victoryText,
} from "./victory.js";
import { BoardView } from "../puzzle/board.js";
import { newBoardCard } from "../puzzle/new-board.js";
import { line, namedGoal, PuzzleError, puzzleOf, slideFrom, writeBoard } from "../puzzle/puzzle.js";
import { textDialog } from "../puzzle/text-dialog.js";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
/** Elements that have their own use for keys. */
const OWN_KEYS = "input, select, textarea, dialog, [role=tab]";
/** The values of an address that a game shows. */
const SHOWN = ["board", "goal", "metric", "moves", "daily"];
/** On a larger board A* expands too many boards to watch, unless it has as few moves to find. */
const WATCHED_MOVES = 26;
const SLIDE_MS = 140;
const SHUFFLE_MS = 420;

/** Return the values of a state that make up its game. */
function valuesOf(state, seconds) {
  const game = Object.fromEntries(Object.keys(NO_GAME).map((key) => [key, state[key]]));
  const { board, goal, metric } = state;
  return { board, goal, metric, ...game, time: Math.floor(seconds) || null };
}

/** Return the board of a day, as values of a state. */
function boardOfDay(day) {
  const { cells, columns } = dailyBoard(day);
  return { ...DEFAULTS, board: writeBoard(cells, columns) };
}

/** Return the changes for a state that asks for the board of a day and has another; null if there are none. */
function changesForDay(state) {
  if (state.daily === undefined) return null;
  const daily = isDay(state.daily) ? state.daily : today();
  const values = boardOfDay(daily);
  const game = games.resumed(puzzleOf(state), state.moves);
  const start = { ...state, daily, board: writeBoard(games.startOf(game), game.columns) };
  const isShown = Object.entries({ ...values, daily }).every(
    ([key, value]) => start[key] === value,
  );
  return isShown && daily === state.daily ? null : { ...NO_GAME, ...values, daily };
}

/** Fill the view; return `{unmount()}`. */
export function mount(root, app) {
  let shown = null;
  let opened = 0;

  async function open() {
    shown?.unmount();
    shown = null;
    opened += 1;
    const opening = opened;
    const mountPart = app.state.get().edit ? (await import("./edit.js")).mountEdit : mountGame;
    // While the module loaded, the view may have been closed or opened again.
    if (opening !== opened) return;
    root.replaceChildren();
    shown = mountPart(root, app);
  }

  const unsubscribe = app.state.subscribe((state, before) => {
    if (state.view === "play" && state.edit !== before.edit) open();
  });
  open();
  return {
    unmount() {
      opened += 1;
      unsubscribe();
      shown?.unmount();
    },
  };
}

/** Fill the view with a game; return `{unmount()}`. */
function mountGame(root, app) {
  let game = null;
  let goalName = "";
  /** The date of the daily board that is played. */
  let day;
  let answer = null;
  let hintedMove = null;
  let isHintWanted = false;
  /** The values of the game that a new board replaced, for undo; null if it had no moves. */
  let replaced = null;

  const parts = playParts({
    hint,
    undo,
    fresh: () => newBoard.shuffle(),
    daily: () => openDay(today()),
    versus: challenge,
    redo: () => step(games.redone),
    reset: restart,
    text: () => dialog.open(game),
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
  const dialog = textDialog(app);
  const verdict = verdictBox((name) => app.state.set({ goal: name }));
  const picture = pictureControl(app, parts.table, () => game, showPicture);
  const colours = colourChoice((scheme) => view.set({ colours: scheme }));
  enableDragging(view, () => game, play);
  const daily = dailyCard(openDay);
  const versus = versusCard(app);
  const victory = victoryCard({
    next: () => newBoard.shuffle(),
    share: shareResult,
    watch: () => app.open("watch", { ...NO_GAME, board: startText(), search: ASTAR, step: null }),
    versus: toggleVersus,
  });
  assemble(parts, { verdict, victory, daily, versus, newBoard, goal, picture, colours, dialog });
  if (app.state.get().explain) parts.more.open = true;
  root.append(parts.root);

  // --- the game -------------------------------------------------------------------------------

  /** Begin or resume the game of the address. */
  function load() {
    const state = app.state.get();
    const isFirst = game === null;
    try {
      const changes = changesForDay(state);
      if (changes) return app.state.set(changes);
      const next = games.resumed(puzzleOf(state), state.moves);
      showGame(next, { animate: !isFirst, ms: SHUFFLE_MS });
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      if (isFirst) app.state.set({ ...DEFAULTS, ...NO_GAME });
      // It may be a board in a notation that only the server reads.
      dialog.use(state.board, state.goal, text("puzzle.unreadable"));
      return;
    }
    goalName = state.goal;
    day = state.daily;
    clock.set(Number(state.time) || 0);
    parts.root.style.setProperty("--ratio", game.columns / game.rows);
    goal.show(game, goalName);
    newBoard.show(game, state);
    picture.fit();
    daily.show(day);
    celebrate();
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
    const { rows, columns } = game;
    const cells = writeBoard(game.cells, columns).replace(/\b0\b/, text("play.blank"));
    parts.table.setAttribute("aria-label", text("play.board-label", { rows, columns, cells }));
  }

  /** Make a move; return whether it is legal. */
  function play(move) {
    const next = games.played(game, move);
    if (!next) return false;
    const tile = game.cells[line(game, move.direction)[move.count - 1]];
    const wasSolved = games.isSolved(game);
    showGame(next);
    app.announce(`${capitalised(moveName({ tile, direction: move.direction }))}.`);
    if (!games.isSolved(game)) clock.start();
    save();
    if (wasSolved !== games.isSolved(game)) celebrate();
    if (!wasSolved && games.isSolved(game)) win();
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
    save();
    celebrate();
  }

  /** Take the last move back; before the first move, go back to the game that this board replaced. */
  function undo() {
    if (game.done.length || !replaced) return step(games.undone);
    const before = replaced;
    replaced = null;
    app.state.set({ ...NO_GAME, ...before });
    return app.announce(text("play.back"));
  }

  function restart() {
    clock.set(0);
    step(games.restarted);
  }

  function win() {
    clock.pause();
    if (day) countDay(day);
    daily.show(day);
    app.announce(victoryText(result()));
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
    parts.left.title = movesLeftSentence(answer);
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
    sayPythonLoads();
  }

  /** Say why a hint takes so long, if this browser still loads Python. */
  async function sayPythonLoads() {
    const { hasServer, browser } = await begin().catch(() => ({ hasServer: true, browser: null }));
    const isLoading = !hasServer && browser && !browser.isReady && !browser.hasFailed;
    if (isHintWanted && isLoading) app.notify(text("play.loading"));
  }

  function showHint({ move, trouble }) {
    isHintWanted = false;
    if (!move) return app.notify(trouble ?? text("play.no-hint"));
    const { tile, tiles = [tile], direction } = move;
    hintedMove = { direction, count: tiles.length };
    view.point({ cell: line(game, direction)[tiles.length - 1], direction });
    app.state.set({ hints: Number(app.state.get().hints || 0) + 1 });
    app.announce(text("play.hint-is", { move: moveName({ tile, direction }) }));
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
    if (solvable) app.state.set({ goal: name, fewest: null, daily: null });
    else newBoard.shuffle(name);
  }

  function chooseMetric(metric) {
    const time = Math.floor(clock.seconds()) || null;
    app.state.set({ metric, fewest: null, daily: null, time });
  }

  // --- victory, pictures, links ---------------------------------------------------------------

  /** Show whether the game is won, and what belongs to that. */
  function celebrate() {
    const isWon = games.isSolved(game) && game.done.length > 0;
    for (const { node, cell } of view.tiles) {
      // The delay of each tile makes a wave from the first corner to the last.
      node.style.setProperty("--delay", (cell % game.columns) + Math.floor(cell / game.columns));
    }
    parts.root.classList.toggle("won", isWon);
    const isVersus = Boolean(app.state.get().versus);
    victory.show(isWon ? result() : null, isVersus);
    parts.versus.setAttribute("aria-pressed", String(isVersus));
    versus.show(isVersus ? { ...game, cells: games.startOf(game) } : null, game.done, isWon);
    if (isWon && !app.state.get().fewest) findFewest();
  }

  /** Ask for the fewest moves of a board that was solved before they were known. */
  async function findFewest() {
    const solved = game;
    const question = { ...requestBody({ ...game, cells: games.startOf(game) }), hint: true };
    const { left } = await app.api.post("/api/left", question).catch(() => ({ left: null }));
    if (left === null || game !== solved) return;
    app.state.set({ fewest: left });
    victory.show(result(), Boolean(app.state.get().versus));
  }

  /** Begin to play against a search, from the first board; or end it. */
  function challenge() {
    if (!app.state.get().versus) restart();
    toggleVersus();
  }

  function toggleVersus() {
    app.state.set({ versus: app.state.get().versus ? null : "1" });
  }

  // --- the daily board ------------------------------------------------------------------------

  function openDay(date) {
    app.state.set({ ...NO_GAME, ...boardOfDay(date), daily: date }, { push: true });
  }

  function showPicture(image) {
    view.set({ image });
    goal.paint(image);
  }

  function result() {
    const fewest = Number(app.state.get().fewest) || null;
    const isShort = game.cells.length <= ASTAR_CELLS || Boolean(fewest && fewest <= WATCHED_MOVES);
    return { count: games.moveCount(game), fewest, seconds: clock.seconds(), isShort };
  }

  function startText() {
    return writeBoard(games.startOf(game), game.columns);
  }

  /** Copy a link to the game with its moves. */
  function share() {
    return app.copy(app.state.link(), text("play.link-copied"), text("play.link-above"));
  }

  /** Share the result of a solved board, with a link to its start. */
  async function shareResult() {
    const { goal: name, metric, hints } = app.state.get();
    const words = day
      ? dailyResult({
          ...result(),
          day,
          hints: Number(hints),
          rows: game.rows,
          columns: game.columns,
        })
      : `${victoryText(result())} ${text("play.invitation")}`;
    const start = writeHash({ ...DEFAULTS, view: "play", board: startText(), goal: name, metric });
    const link = window.location.href.split("#")[0] + (day ? `#play?daily=${day}` : start);
    try {
      if (await shareText(words, link)) app.notify(text("play.result-copied"));
    } catch {
      app.notify(text("play.link-above"));
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
    if (pasted.trim()) dialog.use(pasted);
  }

  // --- begin and end --------------------------------------------------------------------------

  const unsubscribe = app.state.subscribe((state, before) => {
    if (state.view !== "play" || state.edit) return;
    if (game && state.explain !== before.explain) showCosts();
    if (game && state.versus !== before.versus) celebrate();
    // The address may write the game in another way, or have moves that are not legal.
    if (game && SHOWN.every((key) => state[key] === before[key])) return;
    const isShown =
      game &&
      state.board === writeBoard(game.cells, game.columns) &&
      (state.moves ?? "") === games.movesText(game) &&
      state.metric === game.metric &&
      state.goal === goalName &&
      state.daily === day;
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
      versus.stop();
      newBoard.stop();
      clock.remove();
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("paste", onPaste);
    },
  };
}
