import assert from "node:assert/strict";
import { test } from "node:test";
import {
  costText,
  extraMoves,
  possibleMoves,
} from "../../../src/taquin/web/static/play/moves-left.js";
import { tileDistances } from "../../../src/taquin/web/static/puzzle/puzzle.js";
import { TraceModel } from "../../../src/taquin/web/static/trace/trace-model.js";
import { explained, linesAt, pseudocode } from "../../../src/taquin/web/static/watch/explain.js";
import { traces } from "./traces.js";

const ALL = traces();

test("a tile is as far from home as its rows and columns say", () => {
  // The drawing of the Manhattan distance in heuristics/per_tile.py.
  const board = { cells: [8, 1, 3, 4, 0, 2, 7, 6, 5], columns: 3 };
  assert.deepEqual(tileDistances(board, [1, 2, 3, 4, 5, 6, 7, 8, 0]), [
    3,
    1,
    0,
    0,
    null,
    2,
    0,
    2,
    2,
  ]);
  assert.deepEqual(tileDistances({ cells: ["A", "A", 0, "."], columns: 4 }, ["A", "A", ".", 0]), [
    null,
    null,
    null,
    null,
  ]);
});

test("the shares of the tiles add up to the estimate of the search, and the sums to its priority", () => {
  for (const { name, header, steps } of ALL) {
    const model = new TraceModel(header);
    const goal = header.puzzle.goal.cells;
    for (const step of steps) {
      model.apply(step);
      if (!model.current) continue;
      const { marks, lines } = explained(model, goal);
      const { h, f } = model.current;
      if (marks)
        assert.equal(
          marks.reduce((sum, share) => sum + (share ?? 0), 0),
          h,
          name,
        );
      for (const line of lines) {
        assert.match(line, /\.$/, name);
        assert.doesNotMatch(line, /undefined|null|NaN/, name);
      }
      const sum = /f = g \+ (?:w · )?h = (\d+) \+ (?:(\d+) · )?(\d+) = (\d+)/.exec(lines.at(-1));
      if (sum)
        assert.deepEqual(
          [Number(sum[1]) + Number(sum[2] ?? 1) * Number(sum[3]), Number(sum[4])],
          [f, f],
          name,
        );
    }
  }
});

test("an estimate that is no sum over tiles is not written as one", () => {
  const model = {
    header: { algorithm: "astar(linear-conflict)" },
    order: { name: "astar" },
    bound: null,
    current: { cells: [2, 1, 0], columns: 3, g: 1, h: 4, f: 5, side: "start" },
  };
  assert.deepEqual(explained(model, [1, 2, 0]).lines, [
    "h = 4. The distances of the tiles alone: 1 + 1 = 2 (tile 2: 1, tile 1: 1).",
    "f = g + h = 1 + 4 = 5.",
  ]);
});

test("every step of every search has its lines in the pseudocode", () => {
  for (const { name, header, steps } of ALL) {
    const ids = pseudocode(header.algorithm).map(({ id }) => id);
    for (const step of steps) {
      const lines = linesAt(step).filter(
        (id) => !["dequeue", "visit", "improved", "raise"].includes(id),
      );
      if (step.kind === "round" || step.kind === "end")
        assert.ok(step.kind === "end" || lines.some((id) => ids.includes(id)), name);
      else for (const id of lines) assert.ok(ids.includes(id), `${name}: ${id}`);
    }
  }
});

test("the pseudocode follows the conventions of the search", () => {
  const textOf = (algorithm) =>
    pseudocode(algorithm)
      .map(({ text }) => text)
      .join("\n");
  assert.match(
    textOf("astar(manhattan)"),
    /least f = g \+ h\nif a shorter path[\s\S]*duplicate: discard/,
  );
  assert.doesNotMatch(textOf("astar(manhattan, duplicates=dequeue)"), /duplicate: discard/);
  assert.match(
    textOf("bfs(goal_test=generation)"),
    /duplicate: discard.*\nif it is the goal: done\notherwise/,
  );
  assert.match(textOf("ids"), /bound ← 0[\s\S]*undoes the last move/);
});

/** Return the moves left of every board of a puzzle by breadth-first search from its goal. */
function distances(puzzle) {
  const left = new Map([[puzzle.goal.join(), 0]]);
  const queue = [puzzle.goal];
  for (const cells of queue) {
    for (const after of possibleMoves({ ...puzzle, cells })) {
      if (left.has(after.cells.join())) continue;
      left.set(after.cells.join(), left.get(cells.join()) + 1);
      queue.push(after.cells);
    }
  }
  return { left, boards: queue };
}

test("the cost of a move is what the distances of all boards say, also where the server knows only bounds", () => {
  for (const metric of ["single", "multi"]) {
    const puzzle = { rows: 2, columns: 3, goal: [1, 2, 3, 4, 5, 0], metric };
    const { left, boards } = distances(puzzle);
    assert.equal(boards.length, 360);
    for (const cells of boards) {
      const now = left.get(cells.join());
      for (const move of possibleMoves({ ...puzzle, cells })) {
        const after = left.get(move.cells.join());
        const extra = after + 1 - now;
        assert.equal(
          extraMoves(now, { left: after, lower_bound: after, best: after }, metric),
          extra,
        );
        for (const [least, best] of [
          [after, null],
          [after - 1, after + 2],
          [after, after + 1],
          [after - 1, after],
        ]) {
          const found = extraMoves(now, { left: null, lower_bound: least, best }, metric);
          assert.ok(found === null || found === extra);
        }
      }
    }
  }
  assert.equal(costText("3 left", 0), "3 left: right on the way");
  assert.equal(costText("5 up", 2), "5 up: 2 more moves");
});
