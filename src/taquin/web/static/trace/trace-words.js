// Sentences about a step of a search: what happens, and why.

import { capitalised, counted, listed, moveName, thousands, value } from "../page/words.js";
import { childrenOf, nodeOf, resultOf } from "./trace-steps.js";

/** @import { Drawn, TraceModel } from "./trace-model.js" */
/** @import { Child, Result, SearchNode, Step, TraceEvent } from "./trace-steps.js" */

/**
 * Return the sentences of a step: what happens, then what follows from it.
 * @param {Step} step
 * @param {TraceModel} model
 */
export function sentencesOf(step, model) {
  const sentences = [FIRST[step.kind](step, model)];
  if (step.kind === "expand") sentences.push(...outcomes(step, model));
  const result = resultOf(step);
  if (result && (step.kind === "goal" || result.outcome === "solved"))
    sentences.push(proof(result, model));
  return sentences.filter(Boolean);
}

/** @type {Record<string, (step: Step, model: TraceModel) => string>} */
const FIRST = {
  start: (step, model) => startSentence(nodeOf(step), model, step),
  round: (step, model) =>
    ROUNDS[model.order.name]?.(step.events[0], model) ?? roundSentence(step.events[0]),
  expand: (step, model) =>
    (WHY_EXPANDED[model.order.name] ?? WHY_EXPANDED.other)(nodeOf(step), model),
  discard: (step) => discardSentence(nodeOf(step)),
  goal: (step, model) => goalSentence(nodeOf(step), model),
  end: (step) => endSentence(resultOf(step)),
};

const UNINFORMED = ["bfs", "dfs", "ids", "ucs", "bidirectional"];

/** @param {SearchNode} node @param {TraceModel} model @param {Step} step */
function startSentence(node, model, step) {
  if (step.events.some(({ node: other }) => other?.side === "goal")) {
    return "Two searches start: one from this board, one from the goal. They end where they meet.";
  }
  if (!model.estimates && !model.order.hasHeuristic && !UNINFORMED.includes(model.order.name))
    return "The search starts at this board.";
  const estimate = UNINFORMED.includes(model.order.name)
    ? "It does not estimate how far the goal is."
    : `The estimate says that ${model.order.isAdmissible ? "at least" : "about"} ${counted(node.h, "move")} ${node.h === 1 ? "is" : "are"} needed.`;
  return `The search starts at this board. ${estimate}`;
}

/** @typedef {(node: SearchNode, model: TraceModel) => string} Why */

/** @type {Why} */
const withinBound = (node, model) =>
  `Go deeper: f = ${value(node.f)} is within this round's bound of ${value(model.bound)}.`;
/** @type {Why} */
const planning = (node) =>
  `Plan: expand the board with the least f = ${value(node.f)} around the present board, with what was learnt so far.`;

/** @param {SearchNode} node */
const away = ({ g, side }) =>
  g ? `, ${counted(g, "move")} from the ${side}` : `, the ${side} itself`;

/** @type {Record<string, Why>} */
const WHY_EXPANDED = {
  bfs: (node, model) =>
    `Expand the ${model.order.sortsSiblings ? "next board of its level" : "oldest board of the frontier"}: no board of the frontier is nearer to the start than its ${counted(node.g, "move")}.`,
  ucs: (node, model) =>
    `Expand the board that cost least so far: ${counted(node.g, "move")}.${tieSentence(node, model, "cost")}`,
  greedy: looksNearest,
  "capped-beam": looksNearest,
  astar: (node, model) =>
    `Expand the board with the least f = g + h = ${node.g} + ${node.h} = ${value(node.f)}.${tieSentence(node, model, "f") || " Of the whole frontier, it promises the shortest solution."}`,
  wastar: (node, model) =>
    `Expand the board with the least f = g + w · h = ${value(node.f)}, with g = ${node.g} and h = ${node.h}: the weight w favours boards near the goal.${tieSentence(node, model, "f")}`,
  rbfs: (node) =>
    `Expand the best board beside the path: f = ${value(node.f)}. It is followed until another looks better.`,
  beam: (node) =>
    `Expand the next of the boards that were kept at depth ${node.g}: it is estimated ${counted(node.h, "move")} from the goal.`,
  dfs: (node) => `Go deeper: expand the last board of the path, at depth ${node.g}.`,
  ids: (node, model) =>
    `Go deeper: depth ${node.g} is within this round's bound of ${value(model.bound)}.`,
  idastar: (node, model) =>
    `Go deeper: f = g + h = ${node.g} + ${node.h} = ${value(node.f)} is within this round's bound of ${value(model.bound)}.`,
  bidirectional: (node) =>
    `Expand the next board of the search from the ${node.side}${node.g ? `, ${counted(node.g, "move")} away from it` : ""}.`,
  mm: (node) =>
    `Expand the board with the least priority of both sides${away(node)}: the greater of g + h = ${node.g + node.h} and 2 · g = ${2 * node.g}, so that no side goes beyond the middle.`,
  nbs: (node) =>
    `Expand one board of the best pair${away(node)}: f = g + h = ${node.g} + ${node.h} = ${value(node.f)}. The pair could be joined by the shortest solution of all pairs.`,
  arastar: (node) =>
    `Expand the board with the least f = g + w · h = ${value(node.f)}, with g = ${node.g} and h = ${node.h}. The weight w falls from round to round.`,
  widastar: withinBound,
  focal: (node) =>
    `Expand the board that looks nearest, h = ${node.h}, of those whose f is at most w times the least: f = g + h = ${node.g} + ${node.h} = ${value(node.f)}.`,
  potential: (node) =>
    `Expand the board whose estimate of ${node.h} fits most often into what a solution may still cost after its ${counted(node.g, "move")}.`,
  peastar: (node) =>
    `Expand the board with the least value F = ${value(node.f)}: only children with f ≤ F are stored.`,
  bts: withinBound,
  lrtastar: (node) =>
    `The agent stands here, estimated ${counted(node.f - node.g, "move")} from the goal. It looks at the neighbours and moves to the best of them.`,
  "lss-lrtastar": planning,
  "hill-climbing": (node) =>
    `The climber stands here, estimated ${counted(node.h, "move")} from the goal, and looks at the children.`,
  annealing: (node) =>
    `The walker stands here, estimated ${counted(node.h, "move")} from the goal, and tries a random move.`,
  other: (node, model) =>
    model.estimates
      ? `Expand the board with the lowest priority: ${value(node.f)}, at depth ${node.g}.`
      : `Expand the board that the search chose, at depth ${node.g}.`,
};

/** @param {SearchNode} node @param {TraceModel} model */
function looksNearest(node, model) {
  return `Expand the board that looks nearest to the goal: its estimate of ${counted(node.h, "move")} is the least of the frontier.${tieSentence(node, model, "estimate")} How it was reached does not matter.`;
}

/** Why a board comes before others of the same priority. @type {Record<string, string>} */
const TIE_RULES = {
  fifo: "it was enqueued first",
  lifo: "it was enqueued last",
  "low-h": "its estimate is the least",
  heap: "it is on top of the heap",
};

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

/** @param {SearchNode} node @param {TraceModel} model @param {string} priority */
function tieSentence(node, model, priority) {
  const count = tiedBoards(node, model);
  if (count === 1) return "";
  const more = model.frontier.lost ? "more than " : "";
  return ` Of the ${more}${thousands(count)} boards with this ${priority}, ${TIE_RULES[model.order.ties]}.`;
}

/** @type {Record<string, (event: TraceEvent, model: TraceModel) => string>} */
const ROUNDS = {
  ids: ({ bound, round }) =>
    round === 1
      ? `Round 1: look no deeper than ${counted(bound, "move")}.`
      : `Round ${round}: nothing was found so far, so begin again and look ${counted(bound, "move")} deep.`,
  idastar: ({ bound, round }) =>
    round === 1
      ? `Round 1: follow only paths whose f = g + h stays within ${value(bound)}, the estimate of the start.`
      : `Round ${round}: nothing was found, so begin again with the bound ${value(bound)}, the smallest f that was cut off.`,
  dfs: ({ bound }) => `Follow no path longer than ${counted(bound, "move")}.`,
  beam: ({ bound }) =>
    `The next level begins: the boards that were kept at depth ${value(bound)} are expanded one by one.`,
  bidirectional: ({ bound }, model) =>
    `The two sides do not meet yet, so any solution has at least ${counted(bound, "move")}. ${sideSentence(model.frontier)}`,
};

/**
 * Return which side of a bidirectional search goes on: the one with fewer boards, else the start's.
 * @param {TraceModel["frontier"]} frontier
 */
function sideSentence({ entries, lost }) {
  if (lost) return "The side with the smaller frontier goes one level deeper.";
  const start = entries.filter(({ node }) => node.side === "start").length;
  const goal = entries.length - start;
  if (start === goal)
    return `Both frontiers have ${counted(start, "board")} each: the search from the start goes one level deeper.`;
  const [side, fewer, more] = start < goal ? ["start", start, goal] : ["goal", goal, start];
  return `The search from the ${side} has the smaller frontier (${thousands(fewer)} against ${thousands(more)}), so it goes one level deeper.`;
}

/** @param {TraceEvent} event */
function roundSentence({ bound, round }) {
  return `Round ${round} begins, with the bound ${value(bound)}.`;
}

/** @param {SearchNode} node */
function discardSentence(node) {
  if (node.move && (node.move.tiles ?? [node.move.tile]).includes("#")) {
    return "Dequeued and discarded: it was a step into a wall.";
  }
  return "Dequeued and discarded as a duplicate: a path that is as short or shorter was found before.";
}

/** @param {SearchNode} node @param {TraceModel} model */
function goalSentence(node, model) {
  if (model.twoSided)
    return "The two searches meet at this board: together their paths are a solution.";
  return `Solved: this is the goal, ${counted(node.g, "move")} from the start.`;
}

/** Searches that follow every shorter path first, and those that rule paths out by an estimate. */
const LEVEL_BY_LEVEL = ["bfs", "ucs", "ids", "bidirectional"];
const BY_ESTIMATE = ["astar", "wastar", "idastar", "rbfs"];

/** @param {Result} result @param {TraceModel} model */
function proof(result, { order, estimates }) {
  if (result.cost === 0) return "The start is the goal.";
  if (!result.optimal && result.reason) return `It is ${result.reason}.`;
  if (!result.optimal && result.assumes) return `It is optimal if ${result.assumes}.`;
  if (!result.optimal)
    return `It is not proven to be the shortest: a solution has at least ${counted(result.lower_bound, "move")}.`;
  // This was checked without the user code.
  if (order.isOwn)
    return `No solution is shorter (checked)${result.reason ? `; ${result.reason}` : ""}.`;
  if (BY_ESTIMATE.includes(order.name) && estimates)
    return "No solution is shorter: every board that could lead to one was expanded, or ruled out by its estimate.";
  if (LEVEL_BY_LEVEL.includes(order.name))
    return "No solution is shorter: every shorter path was searched before.";
  return `No solution is shorter: any solution has at least ${counted(result.lower_bound, "move")}.`;
}

/** @param {Result | null} result */
function endSentence(result) {
  if (!result) return "The trace breaks off here.";
  const moves = result.cost === null ? "" : counted(result.cost, "move");
  const known = moves && ` The best solution so far has ${moves}.`;
  if (result.outcome === "unsolvable") return `There is no solution: ${result.reason}.`;
  if (result.outcome === "solved") return `Solved in ${moves}.`;
  return `The search gives up: ${result.reason || "it was stopped"}.${known}`;
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
  if (improved)
    sentences.push(
      `A solution of ${counted(improved.cost, "move")} is known now; the search goes on until no shorter one is possible.`,
    );
  const pruned = children.filter(({ fate }) => fate === "pruned").length + step.more;
  if (pruned && !model.order.byLevel)
    sentences.push("The search walks on from one board and drops what it leaves.");
  else if (pruned)
    sentences.push(
      `The level is complete: the ${counted(pruned, "board")} that ${pruned === 1 ? "looks farthest is" : "look farthest are"} dropped.`,
    );
  return sentences;
}

/** @param {Child[]} children @param {TraceModel} model */
function summary(children, model) {
  const generated = children.filter(({ fate }) => fate !== "pruned");
  if (!generated.length) return "It has no children within the limits.";
  const kept = generated.filter(({ fate }) => KEPT.includes(fate)).length;
  const groups = Object.entries(GROUPS).flatMap(([fate, words]) => {
    const count = generated.filter((child) => child.fate === fate).length;
    return count ? [`${count} ${count === 1 ? words[0] : words[1]}`] : [];
  });
  const verb = model.order.isPath ? "followed" : "kept";
  const rest = groups.length ? `; ${listed(groups)}` : "";
  return `Of ${counted(generated.length, "board")} generated, ${kept || "none"} ${kept > 1 ? "are" : "is"} ${verb}${rest}.`;
}

const KEPT = ["enqueued", "reopened", "updated"];
const GROUPS = {
  duplicate: ["is a duplicate", "are duplicates"],
  parent: ["would undo the last move", "would undo the last move"],
  cut: ["is beyond the bound", "are beyond the bound"],
  limit: ["is at the depth limit and not the goal", "are at the depth limit and not the goal"],
};

/** @param {TraceEvent[]} backtracked @param {Child[]} children @param {TraceModel} model */
function backtrackSentence(backtracked, children, model) {
  const node = /** @type {SearchNode} */ (backtracked[backtracked.length - 1].node);
  if (model.order.putsBack)
    return `It goes back into the frontier with the value ${value(node.f)}, the least f of the children left out.`;
  if (model.order.forgets) {
    return `Another board looks better now, so this branch is forgotten; only its best f, ${value(node.f)}, is remembered.`;
  }
  const next = children.findLast(
    (child) => child.node.parent === node.parent && KEPT.includes(child.fate),
  )?.node.move;
  const continuation = next ? ` and goes on with ${moveName(next)}` : "";
  return `Nothing more can be done here, so the search goes back up ${counted(backtracked.length, "level")}${continuation}.`;
}

/**
 * Return the fate of a child in the words of the legend.
 * @param {string} fate
 * @param {TraceModel} model
 */
export function fateName(fate, model) {
  if (KEPT.includes(fate)) return model.order.isPath ? "followed" : "kept";
  return {
    duplicate: "duplicate",
    parent: "duplicate",
    cut: "cut off",
    limit: "cut off",
    pruned: "dropped",
  }[fate];
}

/** Return why a child has its fate. @param {Child} child @param {TraceModel} model */
export function fateReason({ node, fate }, model) {
  switch (fate) {
    case "enqueued":
      return model.order.isPath
        ? `${model.bound === null ? "new" : "within the bound"}: followed at once`
        : "new: it joins the frontier";
    case "reopened":
      return "expanded before, but this path is shorter";
    case "updated":
      return "in the frontier already, but this path is shorter";
    case "duplicate":
      return "this board was reached before";
    case "parent":
      return "it would undo the last move";
    case "limit":
      return `it is at the ${model.bound === null ? "depth limit" : "bound on the depth"}: tested, not expanded`;
    case "cut":
      if (model.order.putsBack)
        return "its f is above the value of its parent: it is generated again later";
      return model.bound === null
        ? "its path would be longer than the limit"
        : `${value(model.estimates ? node.f : node.g)} is beyond the bound of ${value(model.bound)}`;
    default:
      return model.order.byLevel
        ? "others of its level look nearer"
        : "the search walks on elsewhere";
  }
}

/**
 * Return the numbers that order a board: f, g and h, or its depth.
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
export function numbersOf(node, model) {
  if (!model.estimates) return `depth ${node.g}`;
  if (model.addsUp && node.f === node.g + node.h) return `${value(node.f)} = ${node.g} + ${node.h}`;
  return `f ${value(node.f)}, g ${node.g}, h ${node.h}`;
}

/** @type {Record<string, string>} */
const STATUS_NAMES = { waiting: "in the frontier", cut: "cut off", pruned: "dropped" };

/**
 * Return lines about a board of the tree, for the tooltip.
 * @param {Drawn} drawn
 * @param {TraceModel} model
 */
export function describeNode({ node, status, ordinals }, model) {
  const lines = [];
  if (node.move) lines.push(`move ${node.g}: ${moveName(node.move)}`);
  lines.push(numbersOf(node, model));
  lines.push(
    ordinals.length
      ? `expanded as number ${listed(ordinals.map(thousands))}`
      : capitalised(STATUS_NAMES[status] ?? status),
  );
  return lines;
}
