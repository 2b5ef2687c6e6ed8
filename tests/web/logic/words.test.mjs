// What the page says is what a person would say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { orderOf } from "../../../src/taquin/web/static/search/searches.js";
import { describeBest } from "../../../src/taquin/web/static/solve/solution.js";
import { sentencesOf } from "../../../src/taquin/web/static/trace/trace-words.js";

function startOf(algorithm) {
  const node = { number: 0, h: 5, g: 0, f: 5, side: "start" };
  return sentencesOf(
    { kind: "start", events: [{ event: "started", node }] },
    { order: orderOf(algorithm) },
  ).join(" ");
}

test("an estimate that never exceeds the truth is a bound, any other a guess", () => {
  assert.match(startOf("astar(manhattan, weight=2)"), /at least 5 moves are needed/);
  assert.match(startOf("idastar(patterns(large))"), /at least 5 moves are needed/);
  assert.match(
    startOf("astar(max(manhattan, patterns([1 2 3], [4 5 6])))"),
    /at least 5 moves are needed/,
  );
  assert.match(startOf("astar(max(manhattan, mine.py:guess))"), /about 5 moves are needed/);
  assert.match(startOf("astar(manhattan-agent)"), /about 5 moves are needed/);
  assert.match(startOf("greedy(mine.py:guess)"), /about 5 moves are needed/);
});

test("long solutions and their bounds have their thousands apart alike", () => {
  assert.equal(
    describeBest({ cost: 23292, lower_bound: 5230, gap: 3.46 }),
    "Best so far: 23,292 moves; a shortest has at least 5,230, so it is within 346 % of it.",
  );
});
