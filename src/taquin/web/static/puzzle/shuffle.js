// Random boards at once, without Python: it is needed for walls, equal tiles and exact distances only.
//
//     shuffled(goal, 3, 7)           every solvable board is as likely
//     walked(goal, 3, 14, 7)         14 random moves from the goal, none of which takes back the one before
//
// The same seed makes the same board.

import { BLANK, DIRECTIONS, isGoal, OPPOSITE, slide } from "./puzzle.js";

/** @typedef {import("./puzzle.js").Label} Label */

/**
 * Return whether a board of these labels can be made here: it has no walls, and the goal places each of its tiles.
 * @param {Label[]} labels
 * @param {Label[]} goal
 * @param {number} columns
 */
export function canShuffle(labels, goal, columns) {
  const isPlain = goal.every((label) => typeof label === "number");
  const isSame = labels.length === goal.length && labels.every((label) => goal.includes(label));
  const isDistinct = new Set(labels).size === labels.length;
  return isPlain && isSame && isDistinct && columns > 1 && labels.length > columns;
}

/**
 * Return a random board from which the goal can be reached.
 * @param {Label[]} goal
 * @param {number} columns
 * @param {number} seed
 */
export function shuffled(goal, columns, seed) {
  const random = generator(seed);
  let cells = goal;
  do cells = dealt(cells, goal, columns, random);
  while (isGoal(cells, goal));
  return cells;
}

/**
 * Return `cells` in a random order from which the goal can be reached; every such order is as likely.
 * @param {Label[]} cells
 * @param {Label[]} goal
 * @param {number} columns
 * @param {() => number} random
 */
export function dealt(cells, goal, columns, random) {
  const next = [...cells];
  for (let last = next.length - 1; last > 0; last -= 1) {
    swap(next, last, Math.floor(random() * (last + 1)));
  }
  if (!isSolvable(next, goal, columns)) {
    const [first, second] = next.flatMap((label, cell) => (label === BLANK ? [] : [cell]));
    swap(next, first, second);
  }
  return next;
}

/**
 * Return the board after random moves from the goal.
 * @param {Label[]} goal
 * @param {number} columns
 * @param {number} moves
 * @param {number} seed
 */
export function walked(goal, columns, moves, seed) {
  const random = generator(seed);
  const rows = goal.length / columns;
  let cells = goal;
  /** @type {import("./puzzle.js").Direction | null} */
  let last = null;
  for (let left = moves; left > 0 || isGoal(cells, goal); left -= 1) {
    const board = { rows, columns, cells };
    const steps = DIRECTIONS.flatMap((direction) => {
      const next = last && direction === OPPOSITE[last] ? null : slide(board, { direction });
      return next ? [{ direction, next }] : [];
    });
    const step = steps[Math.floor(random() * steps.length)];
    [cells, last] = [step.next, step.direction];
  }
  return cells;
}

/**
 * Return whether moves lead from one arrangement of labels to another. Each move swaps the blank with a tile, so the
 * parity of the permutation is that of the steps of the blank.
 * @param {Label[]} cells
 * @param {Label[]} goal
 * @param {number} columns
 */
export function isSolvable(cells, goal, columns) {
  const order = cells.map((label) => goal.indexOf(label));
  let swaps = 0;
  for (let cell = 0; cell < order.length; cell += 1) {
    while (order[cell] !== cell) {
      swap(order, cell, order[cell]);
      swaps += 1;
    }
  }
  const [from, to] = [cells.indexOf(BLANK), goal.indexOf(BLANK)];
  const steps =
    Math.abs(Math.floor(from / columns) - Math.floor(to / columns)) +
    Math.abs((from % columns) - (to % columns));
  return swaps % 2 === steps % 2;
}

/** @param {any[]} list @param {number} first @param {number} second */
function swap(list, first, second) {
  [list[first], list[second]] = [list[second], list[first]];
}

/**
 * Return a function that returns random numbers from 0 to 1: mulberry32, whose integers every engine computes alike.
 * @param {number} seed
 */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
