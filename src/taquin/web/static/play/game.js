// A game: a board, the slides that led to it, and those that were undone.
//
// A game is a value; every function returns a new one. Undoing all slides leads to the first board,
// so an address needs only the present board and the slides.

import { isGoal, OPPOSITE, readMoves, slide, writeMoves } from "../puzzle/puzzle.js";

/** @import { Label, Puzzle, Slide } from "../puzzle/puzzle.js" */
/** @typedef {Puzzle & {done: Slide[], undone: Slide[]}} Game */

/** Return a new game of a puzzle. @param {Puzzle} puzzle @returns {Game} */
export function newGame(puzzle) {
  return { ...puzzle, done: [], undone: [] };
}

/**
 * Return the game after a string of moves; moves that cannot lead to the board are dropped.
 * @param {Puzzle} puzzle
 * @param {string | undefined} moves
 */
export function resumed(puzzle, moves) {
  const done = readMoves(moves || "");
  const isPossible = startOf({ ...puzzle, done }) !== null;
  return { ...newGame(puzzle), done: isPossible ? done : [] };
}

/**
 * Return the game after a slide; null if it is not legal.
 * @param {Game} game
 * @param {Slide} move
 * @returns {Game | null}
 */
export function played(game, move) {
  const cells = slide(game, move);
  return cells && { ...game, cells, done: [...game.done, move], undone: [] };
}

/**
 * Return the game with its last slide undone; null if there is none.
 * @param {Game} game
 * @returns {Game | null}
 */
export function undone(game) {
  const last = game.done.at(-1);
  if (!last) return null;
  const cells = slide(game, reversed(last));
  return cells && { ...game, cells, done: game.done.slice(0, -1), undone: [...game.undone, last] };
}

/**
 * Return the game with the last undone slide done again; null if there is none.
 * @param {Game} game
 * @returns {Game | null}
 */
export function redone(game) {
  const move = game.undone.at(-1);
  if (!move) return null;
  const cells = slide(game, move);
  return cells && { ...game, cells, done: [...game.done, move], undone: game.undone.slice(0, -1) };
}

/** Return the game with every slide undone. @param {Game} game */
export function restarted(game) {
  const undone = [...game.undone, ...[...game.done].reverse()];
  return { ...game, cells: startOf(game) ?? game.cells, done: [], undone };
}

/**
 * Return the cells of the first board; null if the slides are not legal.
 * @param {Puzzle & {done: Slide[]}} game
 */
export function startOf(game) {
  /** @type {Label[] | null} */
  let cells = game.cells;
  for (const move of [...game.done].reverse()) {
    cells = cells && slide({ ...game, cells }, reversed(move));
  }
  return cells;
}

/** Return the number of moves made, as the metric counts them. @param {Game} game */
export function moveCount({ done, metric }) {
  return metric === "multi" ? done.length : done.reduce((sum, move) => sum + move.count, 0);
}

/** Return the slides of a game as a string. @param {Game} game */
export function movesText(game) {
  return writeMoves(game.done);
}

/** Return whether the game is won. @param {Game} game */
export function isSolved(game) {
  return isGoal(game.cells, game.goal);
}

/** @param {Slide} move */
function reversed({ direction, count }) {
  return { direction: OPPOSITE[direction], count };
}
