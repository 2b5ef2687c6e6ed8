// What Python's own model says of random puzzles, held against the page's; tests/web/test_scripts.py
// writes the facts into the file that TAQUIN_FACTS names.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { hueOf, SCHEMES } from "../../../src/taquin/web/static/puzzle/board.js";
import {
  GOAL_NAMES,
  STEPS,
  goalCells,
  isGoal,
  line,
  puzzleOf,
  readBoard,
  slide,
  writeBoard,
} from "../../../src/taquin/web/static/puzzle/puzzle.js";
import { orderOf } from "../../../src/taquin/web/static/search/searches.js";

const facts = JSON.parse(readFileSync(process.env.TAQUIN_FACTS, "utf8"));

test("the heuristics that never overestimate are those of the library", () => {
  for (const [name, isAdmissible] of Object.entries(facts.admissible)) {
    assert.equal(orderOf(`astar(${name})`).isAdmissible, isAdmissible, name);
  }
});

test("the goals that go by a name are those of the model", () => {
  assert.deepEqual(GOAL_NAMES, facts.names);
});

test("goals by name have the cells that the model gives them, walls or none", () => {
  for (const { name, board, goal } of facts.goals) {
    const read = readBoard(board);
    assert.equal(writeBoard(goalCells(name, read), read.columns), goal, `${name} of ${board}`);
  }
});

test("colour schemes have the groups and hues of pictures", () => {
  assert.deepEqual(Object.keys(SCHEMES), [...new Set(facts.hues.map(({ scheme }) => scheme))]);
  for (const { scheme, rows, columns, hues } of facts.hues) {
    const found = hues.map((_, home) => hueOf(scheme, home, rows, columns));
    assert.deepEqual(found, hues, `${scheme} of ${rows} × ${columns}`);
  }
});

test("texts of boards read and write back as they are", () => {
  for (const { board } of facts.boards) {
    const { cells, columns } = readBoard(board);
    assert.equal(writeBoard(cells, columns), board);
  }
});

test("the legal moves, and the boards after them, are those of the model in either metric", () => {
  for (const { board, metric, after } of facts.boards) {
    const read = readBoard(board);
    const longest = metric === "multi" ? Infinity : 1;
    const reached = Object.keys(STEPS).flatMap((direction) =>
      line(read, direction)
        .slice(0, longest)
        .map((_, index) => writeBoard(slide(read, { direction, count: index + 1 }), read.columns)),
    );
    assert.deepEqual(reached.toSorted(), after.toSorted(), `${board}, ${metric}`);
  }
});

test("a board is solved exactly when the model says so", () => {
  for (const { board, goal, met } of facts.met) {
    const puzzle = puzzleOf({ board, goal });
    assert.equal(isGoal(puzzle.cells, puzzle.goal), met, `${board} for ${goal}`);
  }
});
