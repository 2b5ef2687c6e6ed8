import assert from "node:assert/strict";
import { test } from "node:test";

import { readEvent } from "../../../src/taquin/web/static/page/api.js";
import {
  DEFAULTS,
  SEARCH_BOARD,
  changed,
  readHash,
  writeHash,
} from "../../../src/taquin/web/static/page/state.js";

test("an empty address is the usual board in Play", () => {
  assert.deepEqual(readHash(""), { ...DEFAULTS, view: "play", unchosen: "1" });
  assert.equal(readHash("#nonsense").view, "play");
});

test("a view shows its own default until a board is chosen", () => {
  const watch = readHash("#watch?search=bfs");
  assert.equal(watch.board, SEARCH_BOARD);
  assert.equal(writeHash(watch), "#watch?search=bfs");
  const play = changed(watch, { view: "play" });
  assert.equal(play.board, DEFAULTS.board);
  assert.equal(changed({ ...play, fewest: "5" }, { view: "race" }).fewest, undefined);
  assert.equal(changed(changed(play, { moves: "U" }), { view: "race" }).board, DEFAULTS.board);
  const chosen = changed(watch, { board: SEARCH_BOARD });
  assert.equal(changed(chosen, { view: "play" }).board, SEARCH_BOARD);
  assert.equal(writeHash(chosen), "#watch?board=8,1,3/4,0,2/7,6,5&search=bfs");
  assert.deepEqual(changed(chosen, { board: null }), watch);
  assert.equal(readHash("#race?board=4,1,3/0,2,6/7,5,8").board, DEFAULTS.board);
});

test("what an address says is read back from what is written", () => {
  const states = [
    {
      view: "play",
      board: "4 1 3 / 0 2 6 / 7 5 8",
      goal: "snail",
      metric: "multi",
      moves: "UL2",
      seed: "7",
    },
    {
      view: "solve",
      board: ". # A / 0 B .",
      goal: "* # * / A * *",
      metric: "single",
      search: "astar(manhattan, weight=2)",
    },
    {
      view: "race",
      board: "Ä ß / 0 ツ",
      goal: "blank-last",
      metric: "single",
      text: "100% & 5+5=10 / #?",
    },
    { view: "watch", board: "1 2 0 /", goal: "blank-last", metric: "single" },
  ];
  for (const state of states) assert.deepEqual(readHash(writeHash(state)), state);
});

test("a first wall beside a name is not read as a comment", () => {
  assert.equal(readHash("#solve?board=%23,Anna/1,0").board, " # Anna / 1 0");
  assert.equal(readHash("#solve?board=%23,2/1,0").board, "# 2 / 1 0");
});

test("an address is short and can be read", () => {
  const state = { view: "play", ...DEFAULTS, moves: "UL" };
  assert.equal(writeHash(state), "#play?board=4,1,3/0,2,6/7,5,8&moves=UL");
});

test("a broken address does no harm", () => {
  assert.equal(readHash("#play?board=%E0%A4%A&x").board, "%E0%A4%A");
});

test("a new board begins a new game, a move does not", () => {
  const state = {
    view: "play",
    ...DEFAULTS,
    moves: "UL",
    time: "9",
    seed: "7",
    fewest: "5",
    search: "bfs",
  };
  const next = changed(state, { board: "1 2 / 3 0" });
  assert.deepEqual(next, { view: "play", ...DEFAULTS, board: "1 2 / 3 0", search: "bfs" });
  assert.equal(changed(state, { board: "1 2 / 3 0", moves: "ULD" }).seed, "7");
  assert.equal(changed(state, { board: state.board }).moves, "UL");
});

test("null takes a value away, and what must be there becomes as usual", () => {
  const state = { view: "play", ...DEFAULTS, goal: "snail", seed: "7" };
  assert.deepEqual(changed(state, { goal: null, seed: null }), { view: "play", ...DEFAULTS });
});

test("events of a stream are read as they were sent, and comments are none", () => {
  assert.deepEqual(readEvent('event: progress\ndata: {"expanded": 3}'), {
    event: "progress",
    data: { expanded: 3 },
  });
  assert.deepEqual(readEvent("data: [1,\ndata: 2]"), { event: "message", data: [1, 2] });
  assert.equal(readEvent(": still there"), null);
});
