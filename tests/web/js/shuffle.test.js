// Boards that are made without Python can be solved; the truth comes from walking over every board.

import assert from "node:assert/strict";
import { test } from "node:test";

import { DIRECTIONS, slide } from "../../../src/taquin/web/static/puzzle/puzzle.js";
import {
  canShuffle,
  isSolvable,
  shuffled,
  walked,
} from "../../../src/taquin/web/static/puzzle/shuffle.js";

const GOAL = [1, 2, 3, 4, 5, 0];

function reachable(goal, columns) {
  const rows = goal.length / columns;
  const found = new Set([goal.join()]);
  for (const text of found) {
    const cells = text.split(",").map(Number);
    for (const direction of DIRECTIONS) {
      const next = slide({ rows, columns, cells }, { direction });
      if (next) found.add(next.join());
    }
  }
  return found;
}

function permutations(labels) {
  if (!labels.length) return [[]];
  return labels.flatMap((label, index) =>
    permutations(labels.toSpliced(index, 1)).map((rest) => [label, ...rest]),
  );
}

test("a 2x3 board can be solved if and only if moves lead to it", () => {
  const found = reachable(GOAL, 3);
  assert.equal(found.size, 360);
  for (const cells of permutations(GOAL))
    assert.equal(isSolvable(cells, GOAL, 3), found.has(cells.join()), cells.join());
});

test("boards that are made are solvable, unsolved and those of their seed", () => {
  const found = reachable(GOAL, 3);
  for (let seed = 0; seed < 200; seed += 1) {
    for (const cells of [shuffled(GOAL, 3, seed), walked(GOAL, 3, 12, seed)]) {
      assert.ok(found.has(cells.join()));
      assert.notDeepEqual(cells, GOAL);
    }
    assert.deepEqual(shuffled(GOAL, 3, seed), shuffled(GOAL, 3, seed));
    assert.deepEqual(walked(GOAL, 3, 9, seed), walked(GOAL, 3, 9, seed));
  }
  assert.ok(
    new Set(Array.from({ length: 99 }, (_, seed) => shuffled(GOAL, 3, seed).join())).size > 60,
  );
});

test("walls, equal tiles, goals for any tile and single rows are left to Python", () => {
  assert.ok(canShuffle([2, 1, 3, 4, 5, 0], GOAL, 3));
  assert.ok(!canShuffle(["#", 1, 2, 0], ["#", 1, 2, 0], 2));
  assert.ok(!canShuffle([1, 1, 2, 0], [1, 1, 2, 0], 2));
  assert.ok(!canShuffle([1, 2, 3, 0], [1, null, null, 0], 2));
  assert.ok(!canShuffle([1, 2, 0], [1, 2, 0], 3));
});
