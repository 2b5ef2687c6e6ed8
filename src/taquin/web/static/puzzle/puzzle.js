// Sliding puzzles: pure functions on plain values.
//
//     4 1 3        {rows: 3, columns: 3, cells: [4, 1, 3, 0, 2, 6, 7, 5, 8]}
//     _ 2 6
//     7 5 8        cells are numbered row by row from 0
//
// A label is a number or a name; 0 is the blank, "#" a wall, "." a filler, and in goals null is any
// label. A direction says where the tile goes, as everywhere in taquin.

/** @typedef {string | number | null} Label */
/** @typedef {{rows: number, columns: number, cells: Label[]}} Board */
/** @typedef {Board & {goal: Label[], metric: string}} Puzzle */
/** @typedef {"up" | "down" | "left" | "right"} Direction */
/** @typedef {{direction: Direction, count: number}} Slide */
/** @typedef {{direction: Direction, tile?: Label, tiles?: Label[]}} Move as the server writes it */

import { text } from "../page/messages.js";

export const BLANK = 0;
export const WALL = "#";
export const FILLER = ".";
export const ANY = null;

/** Rows down and columns to the right. @type {Record<Direction, [number, number]>} */
export const STEPS = { up: [-1, 0], down: [1, 0], left: [0, -1], right: [0, 1] };
/** @type {Direction[]} */
export const DIRECTIONS = ["up", "down", "left", "right"];
/** @type {Record<Direction, Direction>} */
export const OPPOSITE = { up: "down", down: "up", left: "right", right: "left" };

/** @type {Record<string, Label>} */
const SYMBOLS = { _: BLANK, "-": BLANK, "@": BLANK, "☺": BLANK, "*": ANY };
/** @type {Record<string, Direction>} */
const DIRECTION_OF_LETTER = { U: "up", D: "down", L: "left", R: "right" };

/** A text that is not a board, or a goal that does not fit the board; the message is a sentence. */
export class PuzzleError extends Error {}

// --- notation ---------------------------------------------------------------------------------

/** Return the label of a word. @param {string} word */
export function labelOf(word) {
  if (Object.hasOwn(SYMBOLS, word)) return SYMBOLS[word];
  return /^[0-9]+$/.test(word) ? Number(word) : word;
}

/** Return the word of a label: `*` for any, 0 for the blank. @param {Label} label */
export function wordOf(label) {
  return label === ANY ? "*" : String(label);
}

/**
 * Read rows of cells, `4 1 3 / 0 2 6 / 7 5 8`; the server reads every other notation.
 * @param {string} rows
 * @returns {Board}
 */
export function readBoard(rows) {
  const lines = rows
    .split(/[/;\n]/)
    .map((line) => line.split(/[\s,]+/).filter(Boolean))
    .filter((words) => words.length);
  const columns = lines.length ? lines[0].length : 0;
  if (!columns || lines.some((words) => words.length !== columns)) {
    throw new PuzzleError(text("puzzle.uneven", { text: rows.slice(0, 40) }));
  }
  return { rows: lines.length, columns, cells: lines.flat().map(labelOf) };
}

/**
 * Return the canonical text of cells, which `readBoard` and the server read.
 * @param {Label[]} cells
 * @param {number} columns
 */
export function writeBoard(cells, columns) {
  const text = fold(cells, columns)
    .map((row) => row.map(wordOf).join(" "))
    .join(" / ");
  return notComment(cells.length === columns ? `${text} /` : text);
}

/**
 * Return the text of a board, indented if a reader could take its first wall and names for a comment.
 * @param {string} text
 */
export function notComment(text) {
  const isName = (/** @type {string} */ word) => word.length > 1 && !/^\p{Nd}+$/u.test(word);
  return text.startsWith(WALL) && text.split(/[\s/]+/).some(isName) ? ` ${text}` : text;
}

/**
 * Return the board of rows of labels, as the server sends them.
 * @param {Label[][]} rows
 * @returns {Board}
 */
export function fromRows(rows) {
  const labels = rows.flat().map((label) => (label === "*" ? ANY : label));
  return { rows: rows.length, columns: rows[0].length, cells: labels };
}

/** Return a flat list as rows. @template T @param {T[]} cells @param {number} columns */
export function fold(cells, columns) {
  const rows = [];
  for (let start = 0; start < cells.length; start += columns) {
    rows.push(cells.slice(start, start + columns));
  }
  return rows;
}

/**
 * Return the slides of a string such as `URDL2`.
 * @param {string} text
 * @returns {Slide[]}
 */
export function readMoves(text) {
  return [...text.matchAll(/([UDLR])([0-9]*)/gi)].map(([, letter, count]) => ({
    direction: DIRECTION_OF_LETTER[letter.toUpperCase()],
    count: Number(count || 1),
  }));
}

/** Return the string of slides. @param {Slide[]} moves */
export function writeMoves(moves) {
  return moves
    .map(({ direction, count }) => direction[0].toUpperCase() + (count > 1 ? count : ""))
    .join("");
}

// --- goals ------------------------------------------------------------------------------------

/** @typedef {(cell: number) => boolean} IsOpen */

/** @type {Record<string, (rows: number, columns: number, isOpen: IsOpen) => number[]>} */
const PATHS = { "blank-last": rowByRow, "blank-first": blankThenRows, snail: spiral };

/** The named goals, which fit any grid. */
export const GOAL_NAMES = Object.keys(PATHS);

/**
 * Return the cells of a named goal, 1, 2, 3 … along its path; null for an unknown name.
 * @param {string} name
 * @param {Board} board
 */
export function namedGoal(name, { rows, columns, cells }) {
  if (!GOAL_NAMES.includes(name)) return null;
  /** @type {Label[]} */
  const goal = cells.map((label) => (label === WALL ? WALL : ANY));
  const path = PATHS[name](rows, columns, (cell) => cells[cell] !== WALL);
  path.forEach((cell, index) => {
    goal[cell] = index + 1 < path.length ? index + 1 : BLANK;
  });
  return goal;
}

/** @param {number} rows @param {number} columns @param {IsOpen} isOpen */
function rowByRow(rows, columns, isOpen) {
  return Array.from({ length: rows * columns }, (_, cell) => cell).filter(isOpen);
}

/** @param {number} rows @param {number} columns @param {IsOpen} isOpen */
function blankThenRows(rows, columns, isOpen) {
  const [first, ...rest] = rowByRow(rows, columns, isOpen);
  return [...rest, first];
}

/**
 * Return the cells without walls, clockwise from the top left corner inwards.
 * @param {number} rows
 * @param {number} columns
 * @param {IsOpen} isOpen
 */
function spiral(rows, columns, isOpen) {
  let lines = fold(
    rowByRow(rows, columns, () => true),
    columns,
  );
  const path = [];
  while (lines.length) {
    path.push(...(lines.shift() ?? []));
    if (lines.length) lines = rotated(lines);
  }
  return path.filter(isOpen);
}

/** Return rows rotated counterclockwise: the last column comes first. @param {number[][]} lines */
function rotated(lines) {
  return lines[0].map((_, column) => lines.map((row) => row[column])).reverse();
}

/**
 * Return the cells of a goal, which is a name or a text, on the grid of `board`.
 * @param {string} goal
 * @param {Board} board
 */
export function goalCells(goal, board) {
  const named = namedGoal(goal, board);
  if (named) return named;
  const read = readBoard(goal);
  if (read.rows !== board.rows || read.columns !== board.columns) {
    throw new PuzzleError(
      text("puzzle.otherSize", {
        board: `${board.rows}×${board.columns}`,
        goal: `${read.rows}×${read.columns}`,
      }),
    );
  }
  return read.cells;
}

/**
 * Return the puzzle of the texts `{board, goal, metric}` of a state.
 * @param {{board: string, goal: string, metric: string}} state
 * @returns {Puzzle}
 */
export function puzzleOf({ board, goal, metric }) {
  const read = readBoard(board);
  if (read.cells.filter((label) => label === BLANK).length !== 1) {
    throw new PuzzleError(text("puzzle.oneBlank"));
  }
  return { ...read, goal: goalCells(goal || "blank-last", read), metric: metric || "single" };
}

/** Return whether cells match a goal. @param {Label[]} cells @param {Label[]} goal */
export function isGoal(cells, goal) {
  return cells.every((label, cell) => goal[cell] === ANY || goal[cell] === label);
}

/**
 * Return whether the tile of a cell is in its goal cell.
 * @param {Label[]} cells
 * @param {Label[]} goal
 * @param {number} cell
 */
export function isHome(cells, goal, cell) {
  const label = cells[cell];
  return label !== BLANK && label !== WALL && label !== FILLER && goal[cell] === label;
}

/**
 * Return for each cell how many steps its tile is from its goal cell, if nothing were in its way; null
 * for the blank, walls, and tiles without a goal cell of their own.
 * @param {Pick<Board, "cells" | "columns">} board
 * @param {Label[]} goal
 */
export function tileDistances({ cells, columns }, goal) {
  return cells.map((label, cell) => {
    const home = goal.indexOf(label);
    const isOwn =
      home >= 0 &&
      home === goal.lastIndexOf(label) &&
      cells.indexOf(label) === cells.lastIndexOf(label);
    if (!isOwn || label === BLANK || label === WALL || label === FILLER) return null;
    return (
      Math.abs((cell % columns) - (home % columns)) +
      Math.abs(Math.floor(cell / columns) - Math.floor(home / columns))
    );
  });
}

// --- moves ------------------------------------------------------------------------------------

/**
 * Return the next cell in a direction; -1 beyond the edge.
 * @param {number} cell
 * @param {Direction} direction
 * @param {number} rows
 * @param {number} columns
 */
export function neighbour(cell, direction, rows, columns) {
  const [down, right] = STEPS[direction];
  const row = Math.floor(cell / columns) + down;
  const column = (cell % columns) + right;
  return row < 0 || row >= rows || column < 0 || column >= columns ? -1 : row * columns + column;
}

/**
 * Return the cells whose tiles can slide in a direction, the blank's neighbour first.
 * @param {Board} board
 * @param {Direction} direction
 */
export function line({ rows, columns, cells }, direction) {
  const movable = [];
  let cell = cells.indexOf(BLANK);
  while (cell >= 0) {
    cell = neighbour(cell, OPPOSITE[direction], rows, columns);
    if (cell < 0 || cells[cell] === WALL) break;
    movable.push(cell);
  }
  return movable;
}

/**
 * Return the cells after `count` tiles slid in a direction; null if fewer can.
 * @param {Board} board
 * @param {{direction: Direction, count?: number}} move
 */
export function slide(board, { direction, count = 1 }) {
  const path = line(board, direction).slice(0, count);
  if (path.length < count) return null;
  const cells = [...board.cells];
  let blank = cells.indexOf(BLANK);
  for (const cell of path) {
    cells[blank] = cells[cell];
    cells[cell] = BLANK;
    blank = cell;
  }
  return cells;
}

/**
 * Return the slide that moves the tile of `cell` towards the blank; null if none does.
 * @param {Board} board
 * @param {number} cell
 * @returns {Slide | null}
 */
export function slideFrom(board, cell) {
  for (const direction of DIRECTIONS) {
    const count = line(board, direction).indexOf(cell) + 1;
    if (count) return { direction, count };
  }
  return null;
}

/**
 * Return the cells of the tiles that the last move moved.
 * @param {{move: Move | null, cells: Label[], columns: number}} node
 */
export function movedCells({ move, cells, columns }) {
  if (!move) return [];
  const moved = [];
  let at = cells.indexOf(0);
  for (let left = (move.tiles ?? [move.tile]).length; left > 0 && at >= 0; left -= 1) {
    at = neighbour(at, move.direction, cells.length / columns, columns);
    if (at >= 0) moved.push(at);
  }
  return moved;
}
