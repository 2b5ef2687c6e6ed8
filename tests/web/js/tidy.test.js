import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tidy } from "../../../src/taquin/web/static/trace/tree-layout.js";

const TREES = JSON.parse(readFileSync(join(process.env.TAQUIN_TRACES, "trees.json"), "utf8"));

test("nodes stand where the pictures of the command line put them", () => {
  for (const { parents, places } of TREES) {
    const found = tidy(parents.map((parent) => parent ?? -1));
    for (const [node, place] of places.entries()) assert.ok(Math.abs(place - found[node]) < 1e-9);
  }
});
