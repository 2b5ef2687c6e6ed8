// Editing a puzzle: each function returns a new puzzle whose start and goal still fit each other.
//
// A puzzle here is `{rows, columns, cells, goal, name}`; `name` is the name of the goal, null for the
// user's own. Both boards have the same walls, and the start always has one blank. With a named goal
// the tiles are 1, 2, 3 …, and are renumbered when one is added or removed. With an own goal, a tile
// that gets another label gets it in the goal too.

import { text } from "../page/messages.js";
import { ANY, BLANK, FILLER, goalCells, WALL } from "../puzzle/puzzle.js";

/** @import { Board, Label } from "../puzzle/puzzle.js" */
/** @typedef {Board & {goal: Label[], name: string | null}} Edited */
/** @typedef {"cells" | "goal"} Side */

/** An edit that is not allowed; the message is a sentence. */
export class EditError extends Error {}

/** Return a label; throw if it is a name that no notation could read again. @param {Label} label */
export function allowed(label) {
  if (
    typeof label === "string" &&
    label !== WALL &&
    label !== FILLER &&
    !/^\p{L}[\p{L}\p{N}_]*$/u.test(label)
  ) {
    throw new EditError(text("play.bad-name", { name: label }));
  }
  return label;
}

/**
 * Return the puzzle with the labels of two cells swapped; `side` is "cells" or "goal".
 * @param {Edited} puzzle
 * @param {Side} side
 * @param {number} cell1
 * @param {number} cell2
 * @returns {Edited}
 */
export function swapped(puzzle, side, cell1, cell2) {
  if (puzzle[side][cell1] === WALL || puzzle[side][cell2] === WALL) return puzzle;
  const next = editable(puzzle, side);
  [next[side][cell1], next[side][cell2]] = [next[side][cell2], next[side][cell1]];
  return next;
}

/**
 * Return the puzzle with a label painted into a cell: a tile, a filler, the blank, a wall, any.
 * @param {Edited} puzzle
 * @param {Side} side
 * @param {number} cell
 * @param {Label} label
 * @returns {Edited}
 */
export function painted(puzzle, side, cell, label) {
  const isWall = puzzle.cells[cell] === WALL;
  if (label === WALL) return isWall ? withoutWall(puzzle, cell) : withWall(puzzle, cell);
  if (isWall) return painted(withoutWall(puzzle, cell), side, cell, label);
  if (label === BLANK) return withBlank(puzzle, side, cell);
  if (side === "goal") return withGoalLabel(puzzle, cell, label);
  if (label === ANY) throw new EditError(text("play.any-in-goal"));
  return withStartLabel(puzzle, cell, label);
}

/**
 * Return the puzzle with a named goal; its tiles become 1, 2, 3 … in their order.
 * @param {Edited} puzzle
 * @param {string} name
 * @returns {Edited}
 */
export function withNamedGoal(puzzle, name) {
  const cells = [...puzzle.cells];
  const isTile = (/** @type {number} */ cell) =>
    puzzle.cells[cell] !== BLANK && puzzle.cells[cell] !== WALL;
  const places = [...cells.keys()].filter(isTile);
  places.sort((a, b) => compareLabels(puzzle.cells[a], puzzle.cells[b]) || a - b);
  places.forEach((cell, index) => {
    cells[cell] = index + 1;
  });
  return { ...puzzle, cells, name, goal: goalCells(name, puzzle) };
}

/**
 * Return the puzzle in another size: solved with a named goal, else cropped or extended.
 * @param {Edited} puzzle
 * @param {number} rows
 * @param {number} columns
 * @returns {Edited}
 */
export function resized(puzzle, rows, columns) {
  const size = { rows, columns };
  if (puzzle.name) {
    const grid = { ...size, cells: Array(rows * columns).fill(ANY) };
    const goal = goalCells(puzzle.name, grid);
    return { ...size, name: puzzle.name, goal, cells: [...goal] };
  }
  /** @type {(side: Side, newCell: () => Label) => Label[]} */
  const resize = (side, newCell) =>
    Array.from({ length: rows * columns }, (_, cell) => {
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      const isKept = row < puzzle.rows && column < puzzle.columns;
      return isKept ? puzzle[side][row * puzzle.columns + column] : newCell();
    });
  const used = new Set(puzzle.cells);
  const cells = resize("cells", () => {
    const label = newLabel(used);
    used.add(label);
    return label;
  });
  if (!cells.includes(BLANK)) cells[cells.findLastIndex((label) => label !== WALL)] = BLANK;
  const next = { ...size, name: null, cells, goal: resize("goal", () => ANY) };
  return withoutSurplus(next);
}

/** @param {Edited} puzzle @param {number} cell */
function withWall(puzzle, cell) {
  const removed = puzzle.cells[cell];
  if (removed === BLANK) throw new EditError(text("play.blank-first"));
  const cells = [...puzzle.cells];
  cells[cell] = WALL;
  if (puzzle.name) {
    cells.forEach((label, place) => {
      if (typeof label === "number" && label > Number(removed)) cells[place] = label - 1;
    });
    return { ...puzzle, cells, goal: goalCells(puzzle.name, { ...puzzle, cells }) };
  }
  const goal = [...puzzle.goal];
  const displaced = goal[cell];
  goal[cell] = WALL;
  // The goal cell of the removed tile takes the tile that the goal had here.
  if (count(goal, removed) > count(cells, removed)) goal[goal.indexOf(removed)] = displaced;
  return withoutSurplus({ ...puzzle, cells, goal });
}

/** @param {Edited} puzzle @param {number} cell */
function withoutWall(puzzle, cell) {
  const cells = [...puzzle.cells];
  const goal = [...puzzle.goal];
  const openCells = cells.length - count(cells, WALL);
  cells[cell] = puzzle.name ? openCells : newLabel(new Set(cells));
  goal[cell] = goal.includes(ANY) ? ANY : cells[cell];
  if (puzzle.name) return { ...puzzle, cells, goal: goalCells(puzzle.name, { ...puzzle, cells }) };
  return { ...puzzle, cells, goal };
}

/** @param {Edited} puzzle @param {Side} side @param {number} cell */
function withBlank(puzzle, side, cell) {
  const old = puzzle[side].indexOf(BLANK);
  if (old >= 0) return swapped(puzzle, side, old, cell);
  const next = editable(puzzle, side);
  next[side][cell] = BLANK;
  return next;
}

/**
 * Return the puzzle with a label in a cell of the start; the goal follows the tile's new label.
 * @param {Edited} puzzle
 * @param {number} cell
 * @param {Label} label
 */
function withStartLabel(puzzle, cell, label) {
  const old = puzzle.cells[cell];
  if (old === label) return puzzle;
  if (old === BLANK) throw new EditError(text("play.blank-first"));
  const next = { ...editable(puzzle, "cells"), name: null, goal: [...puzzle.goal] };
  next.cells[cell] = label;
  if (count(next.goal, old) > count(next.cells, old)) {
    next.goal[next.goal.lastIndexOf(old)] = label === FILLER ? ANY : label;
  }
  return next;
}

/**
 * Return the puzzle with a label in a cell of the goal; a label that is used up moves there.
 * @param {Edited} puzzle
 * @param {number} cell
 * @param {Label} label
 */
function withGoalLabel(puzzle, cell, label) {
  const next = editable(puzzle, "goal");
  const elsewhere = next.goal.indexOf(label);
  const isUsedUp = label !== ANY && count(next.goal, label) >= count(next.cells, label);
  if (isUsedUp && elsewhere >= 0) return swapped(puzzle, "goal", elsewhere, cell);
  next.goal[cell] = label;
  return next;
}

/**
 * Return a copy whose one side can be changed; a changed goal has no name.
 * @param {Edited} puzzle
 * @param {Side} side
 * @returns {Edited}
 */
function editable(puzzle, side) {
  const name = side === "goal" ? null : puzzle.name;
  return { ...puzzle, name, [side]: [...puzzle[side]] };
}

/**
 * Return the puzzle with ANY for goal tiles that the start no longer has.
 * @param {Edited} puzzle
 * @returns {Edited}
 */
function withoutSurplus(puzzle) {
  const goal = [...puzzle.goal];
  goal.forEach((label, cell) => {
    const isSurplus = count(goal, label) > count(puzzle.cells, label);
    if (isSurplus && label !== ANY && label !== WALL) goal[cell] = ANY;
  });
  return { ...puzzle, goal };
}

/**
 * Return a label for a new tile: a filler if there are fillers, else the first unused number.
 * @param {Set<Label>} used
 */
function newLabel(used) {
  if (used.has(FILLER)) return FILLER;
  let number = 1;
  while (used.has(number)) number += 1;
  return number;
}

/** @param {Label[]} cells @param {Label} label */
function count(cells, label) {
  return cells.filter((other) => other === label).length;
}

/**
 * Compare labels: numbers by value, then names in alphabetical order.
 * @param {any} a
 * @param {any} b
 */
function compareLabels(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : Number(a > b);
  return typeof a === "number" ? -1 : 1;
}

// --- examples, one for each feature of the editor ----------------------------------------------

export const EXAMPLES = [
  { name: "classic", board: "8 6 7 / 2 5 4 / 3 0 1", goal: "blank-last" },
  { name: "snail", board: "1 2 3 4 / 12 14 5 0 / 11 13 15 6 / 10 9 8 7", goal: "snail" },
  { name: "walls", board: "2 1 3 4 / 6 5 # 0 / 8 # 7 10 / 11 12 13 9", goal: "blank-last" },
  { name: "top-row", board: "8 6 7 / 2 5 4 / 3 0 1", goal: "1 2 3 / * * * / * * *" },
  { name: "colours", board: "R G B / B R G / G B 0", goal: "R R G / G G B / B B 0" },
  {
    name: "agent",
    board: ". . . . / . . . . / . . . . / A B C 0",
    goal: "* * * * / * A * * / * B * * / * C 0 *",
  },
  {
    name: "agent-walls",
    board: ". . . . / . # . . / . . # . / A B C 0",
    goal: "0 C B A / * # * * / * * # * / * * * *",
  },
];
