import assert from "node:assert/strict";
import { test } from "node:test";
import { Film, KEPT_STEPS } from "../../../src/taquin/web/static/trace/film.js";
import { sourceOf, traces } from "./traces.js";

const ALL = traces();
const LONG =
  ALL.find(({ steps }) => steps.length > KEPT_STEPS + 10) ??
  ALL.reduce((one, other) => (one.steps.length > other.steps.length ? one : other));

/** A trace of many steps, none of them large. */
function endless(count) {
  const record = { number: 0, parent: null, board: [[1, 0]], move: null, depth: 0, h: 0, f: 0 };
  const maker = ALL[0];
  const steps = Array.from({ length: count }, (_, number) => ({
    kind: "round",
    events: [{ name: "bound-raised", node: null, bound: number, round: number + 1 }],
    more: 0,
  }));
  return { header: maker.header, steps, record };
}

test("a film reads no step that nobody has asked for", async () => {
  const counts = { begun: 0, given: 0, closed: 0 };
  const film = new Film(sourceOf(LONG, counts));
  await film.seek(10);
  assert.equal(film.position, 10);
  assert.equal(counts.given, 11);
});

test("going back takes steps back without reading", async () => {
  const counts = { begun: 0, given: 0, closed: 0 };
  const film = new Film(sourceOf(LONG, counts));
  await film.seek(40);
  await film.seek(3);
  assert.deepEqual([film.position, counts.given, counts.begun], [3, 41, 1]);
});

test("the same step looks the same from either direction", async () => {
  for (const trace of ALL) {
    const there = new Film(sourceOf(trace));
    const back = new Film(sourceOf(trace));
    await there.seek(7);
    await back.seek(1e9);
    await back.seek(7);
    assert.deepEqual(there.model.tree.nodes, back.model.tree.nodes);
    assert.deepEqual(there.model.expanded, back.model.expanded);
  }
});

test("a film keeps so many steps and no more, and begins again for those before", async () => {
  const counts = { begun: 0, given: 0, closed: 0 };
  const film = new Film(sourceOf(endless(3 * KEPT_STEPS), counts));
  await film.seek(2 * KEPT_STEPS);
  assert.equal(film.count - film.first, KEPT_STEPS);
  await film.seek(film.first);
  assert.equal(counts.begun, 1);
  await film.seek(5);
  assert.deepEqual([film.position, counts.begun, counts.closed], [5, 2, 1]);
});

test("a film that is wound past its end stands at its last step", async () => {
  const film = new Film(sourceOf(ALL[0]));
  await film.seek(1e9);
  assert.deepEqual([film.position, film.last], [ALL[0].steps.length - 1, film.position]);
});

test("a film that begins again still knows its end", async () => {
  const film = new Film(sourceOf(endless(2 * KEPT_STEPS)));
  await film.seek(1e9);
  await film.seek(5);
  assert.deepEqual([film.position, film.last], [5, 2 * KEPT_STEPS - 1]);
  await film.seek(1e9);
  assert.equal(film.position, film.last);
});

test("winding ends when nobody wants it any more", async () => {
  const film = new Film(sourceOf(endless(500)));
  await film.seek(400, (position) => position < 20);
  assert.equal(film.position, 20);
});

test("a film whose source fails begins another at the next seek", async () => {
  for (const failing of ["header", "next"]) {
    const begin = sourceOf(ALL[0]);
    let begun = 0;
    const film = new Film(() => {
      begun += 1;
      return {
        ...begin(),
        ...(begun === 1 && { [failing]: () => Promise.reject(new Error("no")) }),
      };
    });
    await assert.rejects(film.seek(3));
    assert.equal(film.isAtEnd, false);
    await film.seek(1e9);
    assert.deepEqual([begun, film.position], [2, ALL[0].steps.length - 1]);
    assert.equal(film.isAtEnd, true);
  }
});
