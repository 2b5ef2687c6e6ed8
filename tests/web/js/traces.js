// Real traces for the tests, made by the command line and named by the environment.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { orderOf } from "../../../src/taquin/web/static/search/searches.js";
import { StepBuilder } from "../../../src/taquin/web/static/trace/trace-steps.js";

const FOLDER = process.env.TAQUIN_TRACES;

/** @type {any[] | null} */
let all = null;

/** Return every trace: its name, header and steps. */
export function traces() {
  all ??= readdirSync(FOLDER)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => {
      const lines = readFileSync(join(FOLDER, name), "utf8").trim().split("\n");
      const [header, ...records] = lines.map((line) => JSON.parse(line));
      return { name, header, records, steps: stepsOf(records, orderOf(header.algorithm).isPath) };
    });
  return all;
}

export function stepsOf(records, isPath) {
  const builder = new StepBuilder();
  builder.isPath = isPath;
  return [...records.map((record) => builder.add(record)), builder.end()].filter(Boolean);
}

/** Return a source of steps as a film takes it, and count how often it began and what it gave. */
export function sourceOf({ header, steps }, counts = { begun: 0, given: 0, closed: 0 }) {
  return () => {
    counts.begun += 1;
    let at = 0;
    return {
      header: async () => header,
      next: async () => {
        if (at === steps.length) return null;
        counts.given += 1;
        at += 1;
        return steps[at - 1];
      },
      close: () => {
        counts.closed += 1;
      },
    };
  };
}
