// A game: a board, the slides that led to it, and those that were taken back.
//
// A game is a value; every step returns another one. It begins at the board that all its slides
// taken back lead to, so that an address needs the present board and the slides only.

import { OPPOSITE, isGoal, readMoves, slide, writeMoves } from "./puzzle.js";

/** Return the game that begins at a puzzle. */
export function newGame(puzzle) {
  return { ...puzzle, done: [], undone: [] };
}

/** Return the game that a move string led to; a string that could not have is forgotten. */
export function resumed(puzzle, moves) {
  const done = readMoves(moves || "");
  const isPossible = startOf({ ...puzzle, done }) !== null;
  return { ...newGame(puzzle), done: isPossible ? done : [] };
}

/** Return the game after a slide; null when it is not possible. */
export function played(game, move) {
  const cells = slide(game, move);
  return cells && { ...game, cells, done: [...game.done, move], undone: [] };
}

/** Return the game with its last slide taken back; null when there is none. */
export function undone(game) {
  const last = game.done.at(-1);
  if (!last) return null;
  const cells = slide(game, back(last));
  return { ...game, cells, done: game.done.slice(0, -1), undone: [...game.undone, last] };
}

/** Return the game with the slide last taken back done again; null when there is none. */
export function redone(game) {
  const move = game.undone.at(-1);
  if (!move) return null;
  const cells = slide(game, move);
  return { ...game, cells, done: [...game.done, move], undone: game.undone.slice(0, -1) };
}

/** Return the game back at its beginning, every slide taken back. */
export function restarted(game) {
  const undoneNow = [...game.undone, ...[...game.done].reverse()];
  return { ...game, cells: startOf(game), done: [], undone: undoneNow };
}

/** Return the cells that the game began with; null when its slides could not have been made. */
export function startOf(game) {
  let cells = game.cells;
  for (const move of [...game.done].reverse()) {
    cells = cells && slide({ ...game, cells }, back(move));
  }
  return cells;
}

/** Return how many moves were made, as the metric counts them. */
export function moveCount({ done, metric }) {
  return metric === "multi" ? done.length : done.reduce((sum, move) => sum + move.count, 0);
}

/** Return the slides of a game as a move string. */
export function movesText(game) {
  return writeMoves(game.done);
}

/** Tell whether the game is won. */
export function isSolved(game) {
  return isGoal(game.cells, game.goal);
}

function back({ direction, count }) {
  return { direction: OPPOSITE[direction], count };
}
