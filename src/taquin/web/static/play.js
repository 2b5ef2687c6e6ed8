// The game: the board, what was done on it, and how far it is from solved.

import { BoardView } from "./board.js";
import { clockFrom, timeText } from "./clock.js";
import { letDrag } from "./drag.js";
import * as games from "./game.js";
import { goalCard } from "./goal-card.js";
import { leftAsker, leftText, questionOf } from "./left.js";
import { newBoardCard } from "./new-board.js";
import { pictureControl } from "./picture.js";
import { assemble, playParts, showVictory } from "./play-parts.js";
import { FILLER, PuzzleError, line, namedGoal, puzzleOf, slideFrom, writeBoard } from "./puzzle.js";
import { DEFAULTS, NO_GAME } from "./state.js";
import { textDialog } from "./text-dialog.js";
import { verdictBox } from "./verdict.js";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
/** Where keys mean something else already. */
const BUSY = "input, select, textarea, dialog, [role=tab]";
const SLIDE_MS = 140;
const SHUFFLE_MS = 420;

/** Fill the view with a game; return how to leave it. */
export function mountGame(root, app) {
  let game = null;
  let goalName = "";
  let answer = null;
  let hinted = null;
  let isHintWanted = false;

  const parts = playParts({
    hint,
    undo: () => step(games.undone),
    redo: () => step(games.redone),
    reset: restart,
    text: () => text.open(game),
    edit: () => app.state.set({ edit: "1" }, { push: true }),
    link: share,
  });
  const view = new BoardView(parts.table, { onPress: press, label: null });
  const clock = clockFrom(0, (seconds) => {
    parts.time.textContent = timeText(seconds);
  });
  const asker = leftAsker(app.api, hear);
  const goal = goalCard(chooseGoal, chooseMetric);
  const fresh = newBoardCard(app);
  const text = textDialog(app);
  const verdict = verdictBox((name) => app.state.set({ goal: name }));
  const picture = pictureControl(app, parts.table, () => game, showPicture);
  letDrag(view, () => game, play);
  assemble(parts, { verdict, fresh, goal, picture, text });
  root.append(parts.root);

  // --- the game -------------------------------------------------------------------------------

  /** Take up the game that the address tells of. */
  function load() {
    const state = app.state.get();
    const isFirst = game === null;
    try {
      const next = games.resumed(puzzleOf(state), state.moves);
      take(next, { animate: !isFirst, ms: SHUFFLE_MS });
    } catch (error) {
      if (!(error instanceof PuzzleError)) throw error;
      if (isFirst) app.state.set({ ...DEFAULTS, ...NO_GAME });
      // It may be a board all the same, in a notation that only the server reads.
      text.use(state.board);
      return;
    }
    goalName = state.goal;
    clock.set(Number(state.time) || 0);
    parts.root.style.setProperty("--ratio", game.columns / game.rows);
    goal.show(game, goalName);
    fresh.show(game, state);
    picture.fit();
    celebrate(games.isSolved(game) && game.done.length > 0);
    judge();
    asker.ask(game);
  }

  function take(next, glide = { ms: SLIDE_MS }) {
    game = next;
    hinted = null;
    isHintWanted = false;
    view.options.goal = game.goal;
    view.show(game.cells, { columns: game.columns, ...glide });
    parts.moves.textContent = games.moveCount(game);
    parts.undo.disabled = parts.reset.disabled = !game.done.length;
    parts.redo.disabled = !game.undone.length;
    parts.hint.disabled = games.isSolved(game);
    const rows = writeBoard(game.cells, game.columns).replace(/\b0\b/, "gap");
    parts.table.setAttribute("aria-label", `Board ${game.rows} by ${game.columns}: ${rows}`);
  }

  /** Make a move; return whether it could be made. */
  function play(move) {
    const next = games.played(game, move);
    if (!next) return false;
    const tile = game.cells[line(game, move.direction)[move.count - 1]];
    const wasSolved = games.isSolved(game);
    take(next);
    app.announce(`${tile === FILLER ? "Tile" : tile} ${move.direction}.`);
    if (!games.isSolved(game)) clock.go();
    else if (!wasSolved) win();
    keep();
    return true;
  }

  function press(cell) {
    const move = slideFrom(game, cell);
    if (move) play(move);
  }

  /** Go back or forth among the moves made. */
  function step(change) {
    const next = change(game);
    if (!next) return;
    take(next);
    celebrate(false);
    keep();
  }

  function restart() {
    clock.set(0);
    step(games.restarted);
  }

  function win() {
    clock.rest();
    celebrate(true);
    app.announce(parts.status.textContent);
  }

  /** Write the game into the address, and only then ask: the answer is written there, too. */
  function keep() {
    app.state.set({
      board: writeBoard(game.cells, game.columns),
      moves: games.movesText(game),
      time: Math.floor(clock.seconds()) || null,
    });
    asker.ask(game);
  }

  // --- what the server says -------------------------------------------------------------------

  function hear(said) {
    answer = said;
    parts.left.classList.toggle("stale", !said);
    if (!said) return;
    parts.left.textContent = leftText(said);
    parts.left.classList.toggle("long", parts.left.textContent.length > 5);
    parts.left.title = said.sentence;
    if (said.left !== null && !game.done.length) app.state.set({ fewest: said.left });
    if (isHintWanted) pointAt(said);
  }

  /** Point at the next tile of a solution; asked again, move it. */
  function hint() {
    if (hinted) return play(hinted);
    if (isHintWanted) return;
    isHintWanted = true;
    if (answer?.move) pointAt(answer);
    else asker.ask(game, { forHint: true });
  }

  function pointAt({ move, sentence }) {
    isHintWanted = false;
    if (!move) return app.tell(sentence);
    const { tile, tiles = [tile], direction } = move;
    hinted = { direction, count: tiles.length };
    view.point({ cell: line(game, direction)[tiles.length - 1], direction });
    app.announce(`Hint: move ${tile} ${direction}. Ask again to do it.`);
  }

  /** Say when a board cannot be solved at all, as soon as it lies on the table. */
  async function judge() {
    verdict.clear();
    const { goal: judged } = game;
    try {
      const said = await app.api.post("/api/check", questionOf(game));
      if (judged === game.goal && !said.solvable) verdict.show(said);
    } catch (error) {
      if (judged === game.goal) verdict.fail(error.message);
    }
  }

  /** Change the goal; a board that cannot reach it is shuffled. */
  async function chooseGoal(name) {
    const question = questionOf({ ...game, goal: namedGoal(name, game) });
    const refused = () => ({ solvable: false });
    const { solvable } = await app.api.post("/api/check", question).catch(refused);
    if (solvable) app.state.set({ goal: name, fewest: null });
    else fresh.shuffle(name);
  }

  function chooseMetric(metric) {
    app.state.set({ metric, fewest: null, time: Math.floor(clock.seconds()) || null });
  }

  // --- what is seen and shared ----------------------------------------------------------------

  function celebrate(isWon) {
    for (const { node, cell } of view.tiles) {
      // The wave goes from the first corner to the last.
      node.style.setProperty("--turn", (cell % game.columns) + Math.floor(cell / game.columns));
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
      app.tell("The link to this game is copied.");
    } catch {
      app.tell("The link to this game is in the address bar.");
    }
  }

  // --- keys -----------------------------------------------------------------------------------

  function onKey(event) {
    if (event.target.closest(BUSY) || event.altKey) return;
    const deed = deedOf(event);
    if (!deed) return;
    event.preventDefault();
    deed();
  }

  function deedOf({ key, ctrlKey, metaKey, shiftKey }) {
    const letter = key.toLowerCase();
    if (ctrlKey || metaKey) {
      if (letter === "y" || (letter === "z" && shiftKey)) return () => step(games.redone);
      return letter === "z" ? () => step(games.undone) : null;
    }
    if (key in ARROWS) {
      const direction = ARROWS[key];
      return () => play({ direction, count: shiftKey ? line(game, direction).length : 1 });
    }
    return { h: hint, u: () => step(games.undone), n: () => fresh.shuffle() }[letter] ?? null;
  }

  function onPaste(event) {
    if (event.target.closest?.(BUSY)) return;
    const image = [...event.clipboardData.files].find((file) => file.type.startsWith("image/"));
    if (image) return picture.take(image);
    const words = event.clipboardData.getData("text/plain");
    if (words.trim()) text.use(words);
  }

  // --- begin and end --------------------------------------------------------------------------

  const leave = app.state.subscribe((state, before) => {
    if (state.view !== "play" || state.edit) return;
    // An address may say a game in other words than ours, or moves that it does not allow.
    if (game && ["board", "goal", "metric", "moves"].every((key) => state[key] === before[key])) return;
    const isOurs =
      game &&
      state.board === writeBoard(game.cells, game.columns) &&
      (state.moves ?? "") === games.movesText(game) &&
      state.metric === game.metric &&
      state.goal === goalName;
    if (!isOurs) load();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("paste", onPaste);
  load();

  return {
    unmount() {
      leave();
      asker.stop();
      fresh.stop();
      clock.end();
      document.removeEventListener("keydown", onKey);
      document.removeEventListener("paste", onPaste);
    },
  };
}
