import assert from "node:assert/strict";
import { test } from "node:test";

import { timeText } from "../../../src/taquin/web/static/play/clock.js";
import {
  isSolved,
  moveCount,
  movesText,
  newGame,
  played,
  redone,
  restarted,
  resumed,
  startOf,
  undone,
} from "../../../src/taquin/web/static/play/game.js";
import {
  PuzzleError,
  puzzleOf,
  slideFrom,
  writeBoard,
} from "../../../src/taquin/web/static/puzzle/puzzle.js";

const puzzle = puzzleOf({ board: "4 1 3 / 0 2 6 / 7 5 8" });
const play = (game, text) => resumedMoves(text).reduce((now, move) => played(now, move), game);
const resumedMoves = (text) =>
  text
    .split("")
    .map((letter) => ({
      direction: { D: "down", L: "left", U: "up", R: "right" }[letter],
      count: 1,
    }));
const textOf = (game) => writeBoard(game.cells, game.columns);

test("a game is won by its shortest solution", () => {
  const game = play(newGame(puzzle), "DLUUL");
  assert.ok(isSolved(game));
  assert.equal(moveCount(game), 5);
});

test("undo and redo walk the same boards, and a new move forgets what was undone", () => {
  const game = play(newGame(puzzle), "DL");
  const back = undone(game);
  assert.equal(textOf(back), "0 1 3 / 4 2 6 / 7 5 8");
  assert.equal(textOf(redone(back)), textOf(game));
  assert.equal(redone(played(back, { direction: "up", count: 1 })), null);
  assert.equal(undone(newGame(puzzle)), null);
});

test("a restart leads to the first board, and every move can be done again", () => {
  const game = play(newGame(puzzle), "DLUUL");
  let again = restarted(game);
  assert.equal(textOf(again), "4 1 3 / 0 2 6 / 7 5 8");
  while (redone(again)) again = redone(again);
  assert.equal(textOf(again), textOf(game));
});

test("a game goes on from its board and its moves, as an address has them", () => {
  const game = play(newGame(puzzle), "DLU");
  const shared = resumed(puzzleOf({ board: textOf(game) }), movesText(game));
  assert.equal(movesText(shared), "DLU");
  assert.deepEqual(startOf(shared), puzzle.cells);
});

test("moves that cannot have led to a board are forgotten", () => {
  assert.equal(movesText(resumed(puzzle, "RRRR")), "");
});

test("a slide of several tiles counts each tile, or once in the multi-tile metric", () => {
  const start = puzzleOf({ board: "1 2 3 / 4 5 6 / 7 8 0" });
  const move = slideFrom(start, 6);
  assert.deepEqual(move, { direction: "right", count: 2 });
  const game = played(newGame(start), move);
  assert.equal(textOf(game), "1 2 3 / 4 5 6 / 0 7 8");
  assert.equal(movesText(game), "R2");
  assert.equal(moveCount(game), 2);
  assert.equal(moveCount({ ...game, metric: "multi" }), 1);
});

test("tiles out of line with the blank, and walls between, do not slide", () => {
  const walled = puzzleOf({ board: "1 2 3 / 4 # 5 / 6 7 0" });
  assert.equal(slideFrom(walled, 0), null);
  assert.deepEqual(slideFrom(walled, 2), { direction: "down", count: 2 });
  const between = puzzleOf({ board: "1 2 3 / 4 # 0 / 5 6 7" });
  assert.equal(slideFrom(between, 3), null);
});

test("what is no board is refused with a sentence", () => {
  assert.throws(() => puzzleOf({ board: "1 2 / 3" }), PuzzleError);
  assert.throws(() => puzzleOf({ board: "1 2 / 3 4" }), PuzzleError);
  assert.throws(() => puzzleOf({ board: "1 2 / 3 0", goal: "1 2 3 / 4 5 0" }), PuzzleError);
});

test("times are written as on a stopwatch", () => {
  assert.deepEqual([0, 7.9, 61, 3723].map(timeText), ["0:00", "0:07", "1:01", "1:02:03"]);
});
