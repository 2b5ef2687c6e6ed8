import assert from "node:assert/strict";
import { test } from "node:test";
import {
  Frontier,
  MOST_NODES,
  TraceModel,
} from "../../../src/taquin/web/static/trace/trace-model.js";
import { nodeOf, resultOf } from "../../../src/taquin/web/static/trace/trace-steps.js";
import { traces } from "./traces.js";

/** Return what a model shows, as a value that compares. */
function shown(model) {
  const { tree, frontier, header, order, ...numbers } = model;
  return structuredClone({
    numbers,
    nodes: tree.nodes,
    waiting: frontier.entries.map(({ node, place }) => ({ number: node.number, f: node.f, place })),
  });
}

for (const trace of traces()) {
  test(`${trace.name}: a step taken back leaves what was there before`, () => {
    const model = new TraceModel(trace.header);
    const seen = [];
    const journals = trace.steps.slice(0, 30).map((step) => {
      seen.push(shown(model));
      return model.apply(step);
    });
    while (journals.length) {
      journals.pop().undo();
      assert.deepEqual(shown(model), seen.pop());
    }
  });

  test(`${trace.name}: what is expanded next stands first in the frontier`, () => {
    const model = new TraceModel(trace.header);
    // A recursive search takes the best below its path, a two-sided one the smaller side.
    if (model.order.forgets || model.order.isFree) return;
    for (const step of trace.steps) {
      if (step.kind === "expand" && !model.order.isPath) {
        assert.equal(model.frontier.entries[0].node.number, nodeOf(step).number);
      }
      model.apply(step);
    }
  });

  test(`${trace.name}: the counters end as the search itself counted`, () => {
    const model = new TraceModel(trace.header);
    for (const step of trace.steps) model.apply(step);
    const stats = resultOf(trace.steps.at(-1))?.stats;
    if (!stats) return;
    assert.equal(model.expanded, stats.expanded);
    assert.equal(model.generated, stats.generated);
  });

  test(`${trace.name}: the frontier has as many entries as the search says`, () => {
    const model = new TraceModel(trace.header);
    // Searches in little memory count the path they are on as well.
    if (model.order.isPath || model.order.forgets) return;
    for (const step of trace.steps) {
      model.apply(step);
      assert.equal(model.frontier.entries.length + model.frontier.lost, model.waiting);
    }
  });

  test(`${trace.name}: the path of the solution is marked from the root to the goal`, () => {
    const model = new TraceModel(trace.header);
    for (const step of trace.steps) model.apply(step);
    if (model.result?.outcome !== "solved" || model.twoSided) return;
    const marked = model.tree.nodes.filter((each) => each.onPath);
    assert.equal(marked.length, model.result.cost + 1);
    assert.equal(marked.at(-1).status, "goal");
  });
}

test("a frontier that keeps few entries never puts a wrong one first", () => {
  for (const trace of traces()) {
    const model = new TraceModel(trace.header);
    if (model.order.isPath || model.order.forgets || model.order.isFree) continue;
    model.frontier = new Frontier(model.order, 20);
    for (const step of trace.steps) {
      const [first] = model.frontier.entries;
      if (step.kind === "expand" && first)
        assert.equal(first.node.number, nodeOf(step).number, trace.name);
      model.apply(step);
      assert.equal(model.frontier.entries.length + model.frontier.lost, model.waiting, trace.name);
    }
  }
});

test("a depth-first search is drawn however long it runs", () => {
  for (const trace of traces().filter(({ steps }) => steps.length > 600)) {
    const model = new TraceModel(trace.header);
    for (const step of trace.steps) {
      model.apply(step);
      assert.ok(model.tree.nodes.length <= MOST_NODES);
      if (!model.order.isPath || step.kind !== "expand") continue;
      assert.equal(model.place.beyond, 0, trace.name);
      assert.equal(model.tree.nodes[model.place.at].node.number, nodeOf(step).number);
      assert.equal(model.path().length, nodeOf(step).g + 1);
    }
  }
});
