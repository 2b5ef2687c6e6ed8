// A game: a board, the slides that led to it, and those that were undone.
//
// A game is a value; every function returns a new one. Undoing all slides leads to the first board,
// so an address needs only the present board and the slides.

import { isGoal, OPPOSITE, readMoves, slide, writeMoves } from "../puzzle/puzzle.js";

/** Return a new game of a puzzle. */
export function newGame(puzzle) {
  return { ...puzzle, done: [], undone: [] };
}

/** Return the game after a string of moves; moves that cannot lead to the board are dropped. */
export function resumed(puzzle, moves) {
  const done = readMoves(moves || "");
  const isPossible = startOf({ ...puzzle, done }) !== null;
  return { ...newGame(puzzle), done: isPossible ? done : [] };
}

/** Return the game after a slide; null if it is not legal. */
export function played(game, move) {
  const cells = slide(game, move);
  return cells && { ...game, cells, done: [...game.done, move], undone: [] };
}

/** Return the game with its last slide undone; null if there is none. */
export function undone(game) {
  const last = game.done.at(-1);
  if (!last) return null;
  const cells = slide(game, reversed(last));
  return { ...game, cells, done: game.done.slice(0, -1), undone: [...game.undone, last] };
}

/** Return the game with the last undone slide done again; null if there is none. */
export function redone(game) {
  const move = game.undone.at(-1);
  if (!move) return null;
  const cells = slide(game, move);
  return { ...game, cells, done: [...game.done, move], undone: game.undone.slice(0, -1) };
}

/** Return the game with every slide undone. */
export function restarted(game) {
  const undone = [...game.undone, ...[...game.done].reverse()];
  return { ...game, cells: startOf(game), done: [], undone };
}

/** Return the cells of the first board; null if the slides are not legal. */
export function startOf(game) {
  let cells = game.cells;
  for (const move of [...game.done].reverse()) {
    cells = cells && slide({ ...game, cells }, reversed(move));
  }
  return cells;
}

/** Return the number of moves made, as the metric counts them. */
export function moveCount({ done, metric }) {
  return metric === "multi" ? done.length : done.reduce((sum, move) => sum + move.count, 0);
}

/** Return the slides of a game as a string. */
export function movesText(game) {
  return writeMoves(game.done);
}

/** Return whether the game is won. */
export function isSolved(game) {
  return isGoal(game.cells, game.goal);
}

function reversed({ direction, count }) {
  return { direction: OPPOSITE[direction], count };
}
