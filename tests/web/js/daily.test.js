import assert from "node:assert/strict";
import { test } from "node:test";

import {
  dailyBoard,
  isDay,
  readStreak,
  runningStreak,
  streakAfter,
  today,
  writeStreak,
} from "../../../src/taquin/web/static/play/daily.js";
import {
  detoursOf,
  distancesAlong,
  unitMoves,
} from "../../../src/taquin/web/static/play/versus.js";

const NEVER = readStreak(null);

test("a day has its board for ever", () => {
  assert.deepEqual(dailyBoard("2026-11-18").cells, [0, 5, 7, 6, 1, 3, 2, 4, 8]);
  assert.deepEqual(dailyBoard("2030-01-01").cells, [8, 2, 1, 0, 7, 3, 6, 4, 5]);
  assert.equal(dailyBoard("2026-11-20").columns, 4);
  assert.equal(dailyBoard("2026-11-21").rows, 4);
});

test("a day is that of the reader's own clock, and only a day of the calendar is one", () => {
  assert.equal(today(new Date(2026, 0, 2, 0, 30)), "2026-01-02");
  assert.equal(today(new Date(2026, 0, 2, 23, 30)), "2026-01-02");
  assert.ok(isDay("2028-02-29"));
  for (const text of ["2026-02-29", "2026-13-01", "", "today", "2026-1-2"]) assert.ok(!isDay(text));
});

test("a streak counts days in a row, each once, and neither archived days nor those to come", () => {
  let streak = streakAfter(NEVER, "2026-12-30", "2026-12-30");
  streak = streakAfter(streak, "2026-12-31", "2026-12-31");
  streak = streakAfter(streak, "2026-12-31", "2026-12-31");
  streak = streakAfter(streak, "2026-11-01", "2027-01-01");
  streak = streakAfter(streak, "2027-01-02", "2027-01-01");
  assert.equal(runningStreak(streak, "2027-01-01"), 2);
  streak = streakAfter(streak, "2027-01-01", "2027-01-01");
  assert.equal(runningStreak(streak, "2027-01-01"), 3);
  assert.deepEqual(readStreak(writeStreak(streak)), streak);
});

test("a missed day ends a streak", () => {
  const streak = { last: "2026-11-18", count: 5 };
  assert.equal(runningStreak(streak, "2026-11-19"), 5);
  assert.equal(runningStreak(streak, "2026-11-20"), 0);
  assert.equal(streakAfter(streak, "2026-11-20", "2026-11-20").count, 1);
  assert.equal(runningStreak(readStreak("nonsense"), "2026-11-20"), 0);
});

test("the distances along a game need few questions, and detours are moves that bring no nearer", async () => {
  const distances = [4, 3, 2, 3, 4, 3, 2, 1, 0];
  const asked = [];
  const ask = async (index) => {
    asked.push(index);
    return distances[index];
  };
  const found = await distancesAlong(8, 4, ask);
  assert.deepEqual(found, distances);
  assert.deepEqual(asked, [4, 2]);
  assert.deepEqual(
    detoursOf(found)
      .map((isDetour, index) => (isDetour ? index : -1))
      .filter((index) => index >= 0),
    [2, 3],
  );
  assert.deepEqual(await distancesAlong(4, 4, assert.fail), [4, 3, 2, 1, 0]);
  assert.equal(await distancesAlong(6, 4, async () => null), null);
});

test("a slide of three tiles is three moves, unless several count as one", () => {
  const done = [{ direction: "left", count: 3 }];
  assert.equal(unitMoves({ done, metric: "single" }).length, 3);
  assert.equal(unitMoves({ done, metric: "multi" }).length, 1);
});
