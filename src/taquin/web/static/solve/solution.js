// A solution: its boards, its moves as text, and its captions.

import { text } from "../page/messages.js";
import { moveName } from "../page/words.js";
import { slide } from "../puzzle/puzzle.js";

/** @import { Label, Move, Puzzle } from "../puzzle/puzzle.js" */

/** A gap that is larger says no more than that nothing is known. */
export const LARGEST_GAP = 10;

/**
 * Return the cells before and after each move.
 * @param {Puzzle} puzzle
 * @param {Move[]} moves
 * @returns {Label[][]}
 */
export function boardsOf(puzzle, moves) {
  const boards = [puzzle.cells];
  for (const move of moves) {
    const cells = slide(
      { ...puzzle, cells: boards[boards.length - 1] },
      { direction: move.direction, count: move.tiles?.length ?? 1 },
    );
    if (!cells) break;
    boards.push(cells);
  }
  return boards;
}

/**
 * Return the moves as text: letters of directions, with the number of tiles.
 * @param {Move[]} moves
 */
export function movesText(moves) {
  return moves
    .map(({ direction, tiles }) => direction[0].toUpperCase() + (tiles ? tiles.length : ""))
    .join("");
}

/**
 * Return the caption of the board after `number` moves.
 * @param {Move[]} moves
 * @param {number} number
 */
export function captionOf(moves, number) {
  if (!moves.length) return text("solve.already");
  if (number === 0) return text("solve.start");
  const move = moveName(moves[number - 1]);
  return text(number === moves.length ? "solve.last-step" : "solve.step", { move });
}

/**
 * Describe the best solution so far.
 * @param {{cost: number, lower_bound: number, gap: number | null}} best
 */
export function describeBest({ cost: count, lower_bound: bound, gap }) {
  if (gap === 0) return text("solve.best-shortest", { count });
  if (!bound) return text("solve.best", { count });
  if (gap === null || gap >= LARGEST_GAP) return text("solve.best-bound", { count, bound });
  return text("solve.best-within", { count, bound, percent: Math.ceil(gap * 100) });
}
