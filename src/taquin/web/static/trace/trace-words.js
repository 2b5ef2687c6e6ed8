// Sentences about a step of a search: what happens, and why.

import { text } from "../page/messages.js";
import { counted, listed, moveName, thousands } from "../page/words.js";
import { childrenOf, nodeOf, resultOf } from "./trace-steps.js";

/** @import { Drawn, TraceModel } from "./trace-model.js" */
/** @import { Child, Result, SearchNode, Step, TraceEvent } from "./trace-steps.js" */

/**
 * Return the sentences of a step: what happens, then what follows from it.
 * @param {Step} step
 * @param {TraceModel} model
 */
export function sentencesOf(step, model) {
  const sentences = FIRST[step.kind](step, model);
  if (step.kind === "expand") sentences.push(...outcomes(step, model));
  const result = resultOf(step);
  if (result && (step.kind === "goal" || result.outcome === "solved"))
    sentences.push(proof(result, model));
  return sentences;
}

/** @type {Record<string, (step: Step, model: TraceModel) => string[]>} */
const FIRST = {
  start: (step, model) => [startSentence(nodeOf(step), model, step)],
  round: (step, model) => (ROUNDS[model.order.name] ?? ROUNDS.other)(step.events[0], model),
  expand: (step, model) =>
    (WHY_EXPANDED[model.order.name] ?? WHY_EXPANDED.other)(nodeOf(step), model),
  discard: (step) => [discardSentence(nodeOf(step))],
  goal: (step, model) => [goalSentence(nodeOf(step), model)],
  end: (step) => endSentences(resultOf(step)),
};

const UNINFORMED = ["bfs", "dfs", "ids", "ucs", "bidirectional"];

/** @param {SearchNode} node @param {TraceModel} model @param {Step} step */
function startSentence(node, { estimates, order }, step) {
  if (step.events.some(({ node: other }) => other?.side === "goal"))
    return text("trace.start-both");
  if (UNINFORMED.includes(order.name)) return text("trace.start-uninformed");
  if (!estimates && !order.hasHeuristic) return text("trace.start");
  return text(order.isAdmissible ? "trace.start-at-least" : "trace.start-about", { count: node.h });
}

/** @typedef {(node: SearchNode, model: TraceModel) => string[]} Why */

/** @type {Why} */
const looksNearest = (node, model) => [
  text("trace.expand-nearest", { count: node.h }),
  ...tieSentences(node, model, "h"),
  text("trace.no-matter-how"),
];
/** @type {Why} */
const withinBound = ({ f }, model) => [text("trace.expand-within", { f, bound: boundOf(model) })];

/** @type {Record<string, Why>} */
const WHY_EXPANDED = {
  bfs: ({ g }, { order }) => [
    text(order.sortsSiblings ? "trace.expand-bfs-sorted" : "trace.expand-bfs", { count: g }),
  ],
  ucs: (node, model) => [
    text("trace.expand-ucs", { count: node.g }),
    ...tieSentences(node, model, "g"),
  ],
  greedy: looksNearest,
  "capped-beam": looksNearest,
  astar: (node, model) => {
    const ties = tieSentences(node, model, "f");
    return [
      text("trace.expand-astar", sum(node)),
      ...(ties.length ? ties : [text("trace.promises")]),
    ];
  },
  wastar: (node, model) => [
    text("trace.expand-wastar", sum(node)),
    ...tieSentences(node, model, "f"),
  ],
  rbfs: ({ f }) => [text("trace.expand-rbfs", { f })],
  beam: ({ g, h }) => [text("trace.expand-beam", { g, count: h })],
  dfs: ({ g }) => [text("trace.expand-dfs", { g })],
  ids: ({ g }, model) => [text("trace.expand-ids", { g, bound: boundOf(model) })],
  idastar: (node, model) => [text("trace.expand-idastar", { ...sum(node), bound: boundOf(model) })],
  bidirectional: (node) => [text(`trace.expand-bidirectional-${node.side}`), ...place(node)],
  mm: (node) => [
    text("trace.expand-mm", { sum: node.g + node.h, double: 2 * node.g }),
    ...place(node),
  ],
  nbs: (node) => [text("trace.expand-nbs", sum(node)), ...place(node)],
  arastar: (node) => [text("trace.expand-arastar", sum(node))],
  widastar: withinBound,
  focal: (node) => [text("trace.expand-focal", sum(node))],
  potential: ({ g, h }) => [text("trace.expand-potential", { h, count: g })],
  peastar: ({ f }) => [text("trace.expand-peastar", { f })],
  bts: withinBound,
  lrtastar: ({ f, g }) => [text("trace.expand-lrtastar", { count: f - g })],
  "lss-lrtastar": ({ f }) => [text("trace.expand-lss-lrtastar", { f })],
  "hill-climbing": ({ h }) => [text("trace.expand-hill-climbing", { count: h })],
  annealing: ({ h }) => [text("trace.expand-annealing", { count: h })],
  other: ({ f, g }, { estimates }) => [
    estimates ? text("trace.expand-other", { f, g }) : text("trace.expand-chosen", { g }),
  ],
};

/** @param {SearchNode} node */
function sum({ f, g, h }) {
  return { f, g, h };
}

/** @param {TraceModel} model */
function boundOf({ bound }) {
  return bound ?? Infinity;
}

/** Return how far a board is from the end that its side started at. @param {SearchNode} node */
function place({ g, side }) {
  return g ? [text(`trace.place-${side}`, { count: g })] : [];
}

/**
 * Return how many boards, the expanded one among them, had the priority of `node` when it was dequeued.
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
function tiedBoards(node, { frontier }) {
  const others = frontier.entries.filter(
    (entry) => entry.node.f === node.f && entry.node.parent !== node.number,
  );
  return others.length + 1;
}

/**
 * Return why a board comes before others of the same priority, if there are any.
 * @param {SearchNode} node
 * @param {TraceModel} model
 * @param {string} measure the letter of the priority
 */
function tieSentences(node, model, measure) {
  const number = tiedBoards(node, model);
  if (number === 1) return [];
  const many = model.frontier.lost ? text("trace.more-than", { number }) : number;
  return [text(`trace.tie-${model.order.ties}`, { many, measure, value: node.f })];
}

/** @type {Record<string, (event: TraceEvent, model: TraceModel) => string[]>} */
const ROUNDS = {
  ids: ({ bound, round }) => [
    round === 1
      ? text("trace.round-ids-first", { count: bound })
      : text("trace.round-ids", { round, count: bound }),
  ],
  idastar: ({ bound, round }) => [
    round === 1
      ? text("trace.round-idastar-first", { bound })
      : text("trace.round-idastar", { round, bound }),
  ],
  dfs: ({ bound }) => [text("trace.round-dfs", { count: bound })],
  beam: ({ bound }) => [text("trace.round-beam", { bound })],
  bidirectional: ({ bound }, model) => [
    text("trace.round-bidirectional", { count: bound }),
    sideSentence(model.frontier),
  ],
  other: ({ bound, round }) => [text("trace.round", { round, bound })],
};

/**
 * Return which side of a bidirectional search goes on: the one with fewer boards, else the start's.
 * @param {TraceModel["frontier"]} frontier
 */
function sideSentence({ entries, lost }) {
  if (lost) return text("trace.side-smaller");
  const start = entries.filter(({ node }) => node.side === "start").length;
  const goal = entries.length - start;
  if (start === goal) return text("trace.side-equal", { count: start });
  const sizes = { fewer: Math.min(start, goal), more: Math.max(start, goal) };
  return text(start < goal ? "trace.side-start" : "trace.side-goal", sizes);
}

/** @param {SearchNode} node */
function discardSentence({ move }) {
  const isWall = move && (move.tiles ?? [move.tile]).includes("#");
  return text(isWall ? "trace.discard-wall" : "trace.discard-duplicate");
}

/** @param {SearchNode} node @param {TraceModel} model */
function goalSentence(node, model) {
  return model.twoSided ? text("trace.goal-met") : text("trace.goal", { count: node.g });
}

/** Searches that follow every shorter path first, and those that rule paths out by an estimate. */
const LEVEL_BY_LEVEL = ["bfs", "ucs", "ids", "bidirectional"];
const BY_ESTIMATE = ["astar", "wastar", "idastar", "rbfs"];

/** @param {Result} result @param {TraceModel} model */
function proof({ cost, optimal, reason, assumes, lower_bound: bound }, { order, estimates }) {
  if (cost === 0) return text("trace.proof-start");
  if (!optimal && reason) return text("trace.proof-reason", { reason });
  if (!optimal && assumes) return text("trace.proof-assumes", { claim: assumes });
  if (!optimal) return text("trace.proof-none", { count: bound });
  // This was checked without the user code.
  if (order.isOwn)
    return reason ? text("trace.proof-checked-reason", { reason }) : text("trace.proof-checked");
  if (BY_ESTIMATE.includes(order.name) && estimates) return text("trace.proof-estimate");
  if (LEVEL_BY_LEVEL.includes(order.name)) return text("trace.proof-levels");
  return text("trace.proof-bound", { count: bound });
}

/** @param {Result | null} result */
function endSentences(result) {
  if (!result) return [text("trace.end-broken")];
  const { outcome, cost, reason } = result;
  if (outcome === "unsolvable") return [text("trace.end-unsolvable", { reason })];
  if (outcome === "solved") return [text("trace.end-solved", { count: cost ?? 0 })];
  return [
    reason ? text("trace.end-gives-up", { reason }) : text("trace.end-stopped"),
    ...(cost === null ? [] : [text("trace.end-best", { count: cost })]),
  ];
}

/**
 * Return the outcome of an expansion: how many children were kept, and what happened to the rest.
 * @param {Step} step
 * @param {TraceModel} model
 */
function outcomes(step, model) {
  const node = nodeOf(step);
  const children = childrenOf(step);
  const sentences = [
    summary(
      children.filter((child) => child.node.parent === node.number),
      model,
    ),
  ];
  const backtracked = step.events.filter(({ name }) => name === "backtracked");
  if (backtracked.length) sentences.push(backtrackSentence(backtracked, children, model));
  const improved = step.events.findLast(({ name }) => name === "improved");
  if (improved) sentences.push(text("trace.improved", { count: improved.cost ?? 0 }));
  const pruned = children.filter(({ fate }) => fate === "pruned").length + step.more;
  if (pruned && !model.order.byLevel) sentences.push(text("trace.walks-on"));
  else if (pruned) sentences.push(text("trace.level-complete", { count: pruned }));
  return sentences;
}

const KEPT = ["enqueued", "reopened", "updated"];
const GROUPS = ["duplicate", "parent", "cut", "limit"];

/** @param {Child[]} children @param {TraceModel} model */
function summary(children, model) {
  const generated = children.filter(({ fate }) => fate !== "pruned");
  if (!generated.length) return text("trace.no-children");
  const count = generated.filter(({ fate }) => KEPT.includes(fate)).length;
  const groups = GROUPS.flatMap((fate) => {
    const size = generated.filter((child) => child.fate === fate).length;
    return size ? [text(`trace.group-${fate}`, { count: size })] : [];
  });
  const form = `${count ? "" : "-none"}${groups.length ? "-rest" : ""}`;
  const boards = counted(generated.length, "board");
  const name = model.order.isPath ? `trace.followed${form}` : `trace.kept${form}`;
  return text(name, { boards, count, rest: listed(groups) });
}

/** @param {TraceEvent[]} backtracked @param {Child[]} children @param {TraceModel} model */
function backtrackSentence(backtracked, children, { order }) {
  const node = /** @type {SearchNode} */ (backtracked[backtracked.length - 1].node);
  if (order.putsBack) return text("trace.back-into-frontier", { f: node.f });
  if (order.forgets) return text("trace.forgotten", { f: node.f });
  const next = children.findLast(
    (child) => child.node.parent === node.parent && KEPT.includes(child.fate),
  )?.node.move;
  const count = backtracked.length;
  return next
    ? text("trace.back-up-move", { count, move: moveName(next) })
    : text("trace.back-up", { count });
}

/**
 * Return the fate of a child as the legend names it: kept or followed, duplicate, cut, pruned.
 * @param {string} fate
 * @param {TraceModel} model
 */
export function fateOf(fate, model) {
  if (KEPT.includes(fate)) return model.order.isPath ? "followed" : "kept";
  return { parent: "duplicate", limit: "cut" }[fate] ?? fate;
}

/**
 * Return the fate of a child in the words of the legend.
 * @param {string} fate
 * @param {TraceModel} model
 */
export function fateName(fate, model) {
  return text(`trace.fate-${fateOf(fate, model)}`);
}

/** Return why a child has its fate. @param {Child} child @param {TraceModel} model */
export function fateReason({ node, fate }, { order, bound, estimates }) {
  switch (fate) {
    case "enqueued":
      if (!order.isPath) return text("trace.why-enqueued");
      return text(bound === null ? "trace.why-followed" : "trace.why-within");
    case "reopened":
      return text("trace.why-reopened");
    case "updated":
      return text("trace.why-updated");
    case "duplicate":
      return text("trace.why-duplicate");
    case "parent":
      return text("trace.why-parent");
    case "limit":
      return text(bound === null ? "trace.why-limit" : "trace.why-limit-bound");
    case "cut":
      if (order.putsBack) return text("trace.why-left-out");
      if (bound === null) return text("trace.why-too-long");
      return text("trace.why-beyond", { value: estimates ? node.f : node.g, bound });
    default:
      return text(order.byLevel ? "trace.why-farther" : "trace.why-left");
  }
}

/**
 * Return the numbers that order a board: f, g and h, or its depth.
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
export function numbersOf(node, { estimates, addsUp }) {
  if (!estimates) return text("trace.numbers-depth", { g: node.g });
  const isSum = addsUp && node.f === node.g + node.h;
  return text(isSum ? "trace.numbers-sum" : "trace.numbers", sum(node));
}

/**
 * Return lines about a board of the tree, for the tooltip.
 * @param {Drawn} drawn
 * @param {TraceModel} model
 */
export function describeNode({ node, status, ordinals }, model) {
  const lines = [];
  if (node.move) lines.push(text("trace.tip-move", { number: node.g, move: moveName(node.move) }));
  lines.push(numbersOf(node, model));
  const numbers = listed(ordinals.map(thousands));
  lines.push(
    ordinals.length ? text("trace.tip-expanded", { numbers }) : text(`trace.tip-${status}`),
  );
  return lines;
}
