import assert from "node:assert/strict";
import { test } from "node:test";

import {
  EditError,
  allowed,
  withNamedGoal,
  painted,
  resized,
  swapped,
  EXAMPLES,
} from "../../../src/taquin/web/static/play/edit-puzzle.js";
import {
  ANY,
  BLANK,
  FILLER,
  GOAL_NAMES,
  WALL,
  labelOf,
  puzzleOf,
  writeBoard,
} from "../../../src/taquin/web/static/puzzle/puzzle.js";

const made = (board, goal = "blank-last") => ({
  ...puzzleOf({ board, goal }),
  name: GOAL_NAMES.includes(goal) ? goal : null,
});
const texts = ({ cells, goal, columns }) => [writeBoard(cells, columns), writeBoard(goal, columns)];

test("a wall takes its tile away, and the others are numbered anew", () => {
  const walled = painted(made("4 1 3 / 0 2 6 / 7 5 8"), "cells", 4, WALL);
  assert.deepEqual(texts(walled), ["3 1 2 / 0 # 5 / 6 4 7", "1 2 3 / 4 # 5 / 6 7 0"]);
  assert.equal(walled.name, "blank-last");
  assert.deepEqual(texts(painted(walled, "goal", 4, WALL)), [
    "3 1 2 / 0 8 5 / 6 4 7",
    "1 2 3 / 4 5 6 / 7 8 0",
  ]);
});

test("a wall in a goal of one's own leaves the goal a tile that the start has", () => {
  const walled = painted(made("A B / C 0", "0 A / B C"), "cells", 0, WALL);
  assert.deepEqual(texts(walled), ["# B / C 0", "# 0 / B C"]);
});

test("the gap moves, and nothing paints it over", () => {
  const puzzle = made("1 2 / 3 0");
  assert.deepEqual(texts(painted(puzzle, "cells", 0, BLANK)), ["0 2 / 3 1", "1 2 / 3 0"]);
  assert.throws(() => painted(puzzle, "cells", 3, WALL), EditError);
  assert.throws(() => painted(puzzle, "cells", 3, "A"), EditError);
});

test("a tile that gets a name has it in the goal too", () => {
  const named = painted(painted(made("2 1 / 3 0"), "cells", 0, "A"), "cells", 1, "A");
  assert.deepEqual(texts(named), ["A A / 3 0", "A A / 3 0"]);
  assert.equal(named.name, null);
});

test("a filler in the start leaves its place in the goal to any tile", () => {
  assert.deepEqual(texts(painted(made("2 1 / 3 0"), "cells", 2, FILLER)), [
    "2 1 / . 0",
    "1 2 / * 0",
  ]);
});

test("a goal takes any tile, and a tile that it wants twice comes from where it was", () => {
  const puzzle = made("2 1 / 3 0");
  assert.deepEqual(texts(painted(puzzle, "goal", 0, ANY))[1], "* 2 / 3 0");
  assert.deepEqual(texts(painted(puzzle, "goal", 0, 3))[1], "3 2 / 1 0");
  assert.throws(() => painted(puzzle, "cells", 0, ANY), EditError);
});

test("a name that no notation reads again is refused, in a sentence", () => {
  for (const name of ["a b", "a/b", "a,b", ";", "☺☺", "1a", "-"]) {
    assert.throws(
      () => allowed(name),
      (error) => error instanceof EditError && error.message.includes(name),
    );
  }
  for (const label of [ANY, BLANK, FILLER, WALL, 12, "A", "Ödön_2"])
    assert.equal(allowed(label), label);
});

test("cells change places, walls do not", () => {
  assert.deepEqual(texts(swapped(made("2 1 / 3 0"), "cells", 0, 3))[0], "0 1 / 3 2");
  const walled = made("# 1 / 2 0");
  assert.equal(swapped(walled, "cells", 0, 1), walled);
});

test("a goal by name makes the tiles 1, 2, 3 … in their order", () => {
  const own = made("A 7 / 3 0", "* A / * *");
  assert.deepEqual(texts(withNamedGoal(own, "blank-first")), ["3 2 / 1 0", "0 1 / 2 3"]);
});

test("another size solves a goal by name, and cuts or fills one's own", () => {
  assert.deepEqual(texts(resized(made("2 1 / 3 0"), 2, 3)), ["1 2 3 / 4 5 0", "1 2 3 / 4 5 0"]);
  const own = made("A . / . 0", "* A / * 0");
  assert.deepEqual(texts(resized(own, 3, 2)), ["A . / . 0 / . .", "* A / * 0 / * *"]);
  assert.deepEqual(texts(resized(made("A B 0 / C D E", "E D 0 / A B C"), 2, 2)), [
    "A B / C 0",
    "* * / A B",
  ]);
});

test("whatever is painted, the start keeps one blank and both sides the same walls", () => {
  const labels = [WALL, BLANK, ANY, FILLER, "A", "B", labelOf("7")];
  let seed = 1;
  const chance = (count) => {
    seed = (seed * 48271) % 2147483647;
    return seed % count;
  };
  for (const { board, goal } of EXAMPLES) {
    let puzzle = made(board, goal);
    for (let step = 0; step < 400; step += 1) {
      const side = chance(2) ? "cells" : "goal";
      try {
        puzzle = painted(puzzle, side, chance(puzzle.cells.length), labels[chance(labels.length)]);
      } catch (error) {
        assert.ok(error instanceof EditError);
      }
      assert.equal(puzzle.cells.filter((label) => label === BLANK).length, 1);
      assert.ok(puzzle.goal.filter((label) => label === BLANK).length <= 1);
      assert.deepEqual(
        puzzle.cells.map((label) => label === WALL),
        puzzle.goal.map((label) => label === WALL),
      );
      assert.ok(!puzzle.cells.includes(ANY));
    }
  }
});
