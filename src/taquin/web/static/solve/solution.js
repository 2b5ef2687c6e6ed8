// A solution: its boards, its moves as text, and its captions.

import { counted, moveName, thousands } from "../page/words.js";
import { slide } from "../puzzle/puzzle.js";

/** @import { Label, Move, Puzzle } from "../puzzle/puzzle.js" */

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
  if (!moves.length) return "It is already solved.";
  if (number === 0) return "The start.";
  const last = number === moves.length ? " Solved." : "";
  return `${moveName(moves[number - 1])}.${last}`;
}

/**
 * Describe the best solution so far: `62 moves; a shortest has at least 50 (within 24 %)`.
 * @param {{cost: number, lower_bound: number, gap: number | null}} best
 */
export function describeBest({ cost, lower_bound: bound, gap }) {
  const moves = counted(cost, "move");
  if (gap === 0) return `${moves}, and none is shorter`;
  if (!bound) return moves;
  const within =
    gap !== null && gap < 10 ? `, so it is within ${Math.ceil(gap * 100)} % of it` : "";
  return `${moves}; a shortest has at least ${thousands(bound)}${within}`;
}
