import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOf, stairs } from "../../../src/taquin/web/static/code/charts.js";
import {
  EXAMPLES,
  isTrusted,
  pack,
  trust,
  unpack,
  withCode,
} from "../../../src/taquin/web/static/code/user-code.js";

const CODE = "def mine(board):\n    return 0  # “nothing” ツ\n";

test("code in a link is read back, and is shorter than the code", async () => {
  for (const code of ["", CODE, ...EXAMPLES.map(([, text]) => text)]) {
    const packed = await pack(code);
    assert.match(packed, /^[\w-]*$/);
    assert.equal(await unpack(packed), code);
  }
  const code = EXAMPLES[2][1];
  assert.ok((await pack(code)).length < 0.8 * code.length);
});

test("a link whose code is cut, changed or endless is refused in one sentence", async () => {
  const packed = await pack(CODE.repeat(20));
  const endless = await pack("x".repeat(10_000_000));
  for (const bad of [packed.slice(0, -9), `é${packed}`, "AAAA", endless]) {
    await assert.rejects(unpack(bad), /The code in this link cannot be read/);
  }
});

test("code that came with a link is shown instead of run, until it is allowed", async () => {
  const opened = [];
  const state = { code: await pack(CODE) };
  const app = { state: { get: () => state }, open: (view) => opened.push(view) };
  const body = { search: "astar(mine.py:mine)" };
  assert.deepEqual(await withCode({ search: "bfs" }, app), { search: "bfs" });
  await assert.rejects(withCode(body, app), { name: "AbortError" });
  await assert.rejects(withCode({ searches: ["bfs", "mine.py:Mine"] }, app), {
    name: "AbortError",
  });
  assert.deepEqual(opened, ["code", "code"]);
  trust(CODE);
  assert.ok(isTrusted(CODE) && !isTrusted(`${CODE} `));
  assert.deepEqual(await withCode(body, app), { ...body, code: CODE });
});

test("a chart begins at the left, and its highest value is at the top", () => {
  assert.equal(
    pathOf([
      [1, 0],
      [2, 5],
      [3, 10],
    ]),
    "M0.0 48.0L100.0 25.0L200.0 2.0",
  );
  assert.equal(pathOf([]), "");
  const rounds = [
    [1, 10],
    [4, 12],
  ];
  assert.deepEqual(stairs(rounds, 9), [
    [1, 10],
    [4, 10],
    [4, 12],
    [9, 12],
  ]);
});
