// Changing a puzzle: each deed returns another puzzle whose start and goal still suit each other.
//
// A puzzle here is `{rows, columns, cells, goal, name}`; `name` is that of the goal, null for one's
// own. Walls are the same on both sides. The start always has one blank. Under a goal by
// name the tiles are 1, 2, 3 …, so that they are numbered anew when one comes or goes; under one's
// own goal a tile that changes its label changes it in the goal too.

import { ANY, BLANK, FILLER, WALL, namedGoal } from "./puzzle.js";

/** What cannot be done, in a sentence. */
export class EditError extends Error {}

/** Return the puzzle with the labels of two cells exchanged; `side` is "cells" or "goal". */
export function swapped(puzzle, side, one, other) {
  if (puzzle[side][one] === WALL || puzzle[side][other] === WALL) return puzzle;
  const next = open(puzzle, side);
  [next[side][one], next[side][other]] = [next[side][other], next[side][one]];
  return next;
}

/** Return the puzzle with a cell painted by a label: a tile, a filler, the blank, a wall, any. */
export function painted(puzzle, side, cell, label) {
  const isWall = puzzle.cells[cell] === WALL;
  if (label === WALL) return isWall ? withoutWall(puzzle, cell) : withWall(puzzle, cell);
  if (isWall) return painted(withoutWall(puzzle, cell), side, cell, label);
  if (label === BLANK) return withBlank(puzzle, side, cell);
  if (side === "goal") return wanting(puzzle, cell, label);
  if (label === ANY) throw new EditError("Only a goal can leave a cell to any tile.");
  return holding(puzzle, cell, label);
}

/** Return the puzzle with a goal by name; its tiles become 1, 2, 3 … in their order. */
export function aimed(puzzle, name) {
  const cells = [...puzzle.cells];
  const isTile = (cell) => puzzle.cells[cell] !== BLANK && puzzle.cells[cell] !== WALL;
  const places = [...cells.keys()].filter(isTile);
  places.sort((one, other) => order(puzzle.cells[one], puzzle.cells[other]) || one - other);
  places.forEach((cell, index) => {
    cells[cell] = index + 1;
  });
  return { ...puzzle, cells, name, goal: namedGoal(name, puzzle) };
}

/** Return the puzzle in another size: solved under a goal by name, else cut or filled up. */
export function resized(puzzle, rows, columns) {
  const size = { rows, columns };
  if (puzzle.name) {
    const bare = { ...size, cells: Array(rows * columns).fill(ANY) };
    const goal = namedGoal(puzzle.name, bare);
    return { ...size, name: puzzle.name, goal, cells: [...goal] };
  }
  const moved = (side, filler) =>
    Array.from({ length: rows * columns }, (_, cell) => {
      const [row, column] = [Math.floor(cell / columns), cell % columns];
      const isKept = row < puzzle.rows && column < puzzle.columns;
      return isKept ? puzzle[side][row * puzzle.columns + column] : filler();
    });
  const used = new Set(puzzle.cells);
  const cells = moved("cells", () => {
    const label = spare(used);
    used.add(label);
    return label;
  });
  if (!cells.includes(BLANK)) cells[cells.findLastIndex((label) => label !== WALL)] = BLANK;
  const next = { ...size, name: null, cells, goal: moved("goal", () => ANY) };
  return withoutSurplus(next);
}

function withWall(puzzle, cell) {
  const gone = puzzle.cells[cell];
  if (gone === BLANK) throw new EditError("Move the gap first: every board has one.");
  const cells = [...puzzle.cells];
  cells[cell] = WALL;
  if (puzzle.name) {
    cells.forEach((label, place) => {
      if (typeof label === "number" && label > gone) cells[place] = label - 1;
    });
    return { ...puzzle, cells, goal: namedGoal(puzzle.name, { ...puzzle, cells }) };
  }
  const goal = [...puzzle.goal];
  const lost = goal[cell];
  goal[cell] = WALL;
  // The cell that wanted the tile that is gone takes what the goal had here.
  if (count(goal, gone) > count(cells, gone)) goal[goal.indexOf(gone)] = lost;
  return withoutSurplus({ ...puzzle, cells, goal });
}

function withoutWall(puzzle, cell) {
  const cells = [...puzzle.cells];
  const goal = [...puzzle.goal];
  const openCells = cells.length - count(cells, WALL);
  cells[cell] = puzzle.name ? openCells : spare(new Set(cells));
  goal[cell] = goal.includes(ANY) ? ANY : cells[cell];
  if (puzzle.name) return { ...puzzle, cells, goal: namedGoal(puzzle.name, { ...puzzle, cells }) };
  return { ...puzzle, cells, goal };
}

function withBlank(puzzle, side, cell) {
  const old = puzzle[side].indexOf(BLANK);
  if (old >= 0) return swapped(puzzle, side, old, cell);
  const next = open(puzzle, side);
  next[side][cell] = BLANK;
  return next;
}

/** Return the puzzle whose start holds a label in a cell; the goal follows the tile's new name. */
function holding(puzzle, cell, label) {
  const old = puzzle.cells[cell];
  if (old === label) return puzzle;
  if (old === BLANK) throw new EditError("Move the gap first: every board has one.");
  const next = { ...open(puzzle, "cells"), name: null, goal: [...puzzle.goal] };
  next.cells[cell] = label;
  if (count(next.goal, old) > count(next.cells, old)) {
    next.goal[next.goal.lastIndexOf(old)] = label === FILLER ? ANY : label;
  }
  return next;
}

/** Return the puzzle whose goal wants a label in a cell; one wanted elsewhere comes from there. */
function wanting(puzzle, cell, label) {
  const next = open(puzzle, "goal");
  const elsewhere = next.goal.indexOf(label);
  const isUsedUp = label !== ANY && count(next.goal, label) >= count(next.cells, label);
  if (isUsedUp && elsewhere >= 0) return swapped(puzzle, "goal", elsewhere, cell);
  next.goal[cell] = label;
  return next;
}

/** Return a copy whose one side may be changed; to change a goal takes its name away. */
function open(puzzle, side) {
  const name = side === "goal" ? null : puzzle.name;
  return { ...puzzle, name, [side]: [...puzzle[side]] };
}

/** Return the puzzle with any tile where its goal wants one that the start no longer has. */
function withoutSurplus(puzzle) {
  const goal = [...puzzle.goal];
  goal.forEach((label, cell) => {
    const isSurplus = count(goal, label) > count(puzzle.cells, label);
    if (isSurplus && label !== ANY && label !== WALL) goal[cell] = ANY;
  });
  return { ...puzzle, goal };
}

/** Return a label for a new tile: a filler among fillers, else the first number that is free. */
function spare(used) {
  if (used.has(FILLER)) return FILLER;
  let number = 1;
  while (used.has(number)) number += 1;
  return number;
}

function count(cells, label) {
  return cells.filter((each) => each === label).length;
}

/** Compare labels: numbers by value, then names by the alphabet. */
function order(one, other) {
  if (typeof one === typeof other) return one < other ? -1 : Number(one > other);
  return typeof one === "number" ? -1 : 1;
}
