// What happens in a step of a search, and why, in plain sentences.

import { childrenOf, nodeOf, resultOf } from "./trace-steps.js";
import { capital, counted, listed, moveName, thousands, value } from "./words.js";

/** Return the sentences of a step: what happens first, then what else came of it. */
export function sentencesOf(step, model) {
  const said = [HEAD[step.kind](step, model)];
  if (step.kind === "expand") said.push(...outcomes(step, model));
  const result = resultOf(step);
  if (result && step.kind === "goal") said.push(proof(result));
  return said.filter(Boolean);
}

const HEAD = {
  start: (step, model) => startSentence(nodeOf(step), model, step),
  round: (step, model) => ROUNDS[model.order.name]?.(step.events[0]) ?? roundSentence(step.events[0]),
  expand: (step, model) => (WHY_TAKEN[model.order.name] ?? WHY_TAKEN.other)(nodeOf(step), model),
  discard: (step) => discardSentence(nodeOf(step)),
  goal: (step, model) => goalSentence(nodeOf(step), model),
  end: (step) => endSentence(resultOf(step)),
};

const BLIND = ["bfs", "dfs", "ids", "ucs", "bidirectional"];

function startSentence(node, model, step) {
  if (step.events.some((each) => each.node?.side === "goal")) {
    return "Two searches start: one from this board, one from the goal. They end where they meet.";
  }
  const estimate = BLIND.includes(model.order.name)
    ? "It does not estimate how far the goal is."
    : `The estimate says that ${model.order.isAdmissible ? "at least" : "about"} ${counted(node.h, "move")} ${node.h === 1 ? "is" : "are"} needed.`;
  return `The search starts at this board. ${estimate}`;
}

const WHY_TAKEN = {
  bfs: (node) => `Take the board that has waited longest: none that waits is nearer to the start than its ${counted(node.g, "move")}.`,
  ucs: (node) => `Take the board that cost least so far: ${counted(node.g, "move")}.`,
  greedy: looksNearest,
  "capped-beam": looksNearest,
  astar: (node) => `Take the board with the least f: ${node.g} made + ${node.h} estimated = ${value(node.f)}. Of all that wait, it promises the shortest solution.`,
  wastar: (node) => `Take the board with the least f = ${value(node.f)}: ${counted(node.g, "move")} made, plus the ${node.h} estimated times the weight, so that it hurries towards the goal.`,
  rbfs: (node) => `Take the best board beside the path: f = ${value(node.f)}. It is followed until another looks better.`,
  beam: (node) => `Take the next of the boards that were kept at depth ${node.g}: it is estimated ${counted(node.h, "move")} from the goal.`,
  dfs: (node) => `Go deeper: make the children of the last board of the path, at depth ${node.g}.`,
  ids: (node, model) => `Go deeper: depth ${node.g} is within this round's limit of ${value(model.bound)}.`,
  idastar: (node, model) => `Go deeper: ${node.g} made + ${node.h} estimated = ${value(node.f)} is within this round's bound of ${value(model.bound)}.`,
  bidirectional: (node) => `Take the next board of the search from the ${node.side}, ${counted(node.g, "move")} away from it: this side has fewer waiting, so it costs less.`,
  other: (node) => `Take the board with the lowest priority: ${value(node.f)}, at depth ${node.g}.`,
};

function looksNearest(node) {
  return `Take the board that looks nearest to the goal: its estimate of ${counted(node.h, "move")} is the least of all that wait. How it was reached does not matter.`;
}

const ROUNDS = {
  ids: ({ bound, round }) => (round === 1
    ? `Round 1: look no deeper than ${counted(bound, "move")}.`
    : `Round ${round}: nothing was found so far, so begin again and look ${counted(bound, "move")} deep.`),
  idastar: ({ bound, round }) => (round === 1
    ? `Round 1: follow only paths whose f = made + estimated stays within ${value(bound)}, the estimate of the start.`
    : `Round ${round}: nothing was found, so begin again with the bound ${value(bound)}, the smallest f that was cut off.`),
  dfs: ({ bound }) => `Follow no path longer than ${counted(bound, "move")}.`,
  beam: ({ bound }) => `The next level begins: the boards that were kept at depth ${value(bound)} are expanded one by one.`,
  bidirectional: ({ bound }) => `The two sides do not meet yet, so any solution has at least ${counted(bound, "move")}. The side with fewer boards goes one level deeper.`,
};

function roundSentence({ bound, round }) {
  return `Round ${round} begins, with the bound ${value(bound)}.`;
}

function discardSentence(node) {
  if (node.move && (node.move.tiles ?? [node.move.tile]).includes("#")) {
    return "Taken, and thrown away: it was a step into a wall.";
  }
  return "Taken, and thrown away: this board was reached before by a way as short or shorter, so nothing new can come of it.";
}

function goalSentence(node, model) {
  if (model.twoSided) return "The two searches meet at this board: together their ways are a solution.";
  return `Solved: this is the goal, ${counted(node.g, "move")} from the start.`;
}

function proof(result) {
  if (result.cost === 0) return "It was solved as it stood.";
  if (result.optimal) return "No solution is shorter: everything that could have been was looked at, or ruled out by its estimate.";
  return `It is not proven to be the shortest: a solution has at least ${counted(result.lower_bound, "move")}.`;
}

function endSentence(result) {
  if (!result) return "The trace breaks off here.";
  const known = result.cost === null ? "" : ` The best solution so far has ${counted(result.cost, "move")}.`;
  if (result.outcome === "unsolvable") return `There is no solution: ${result.reason}.`;
  if (result.outcome === "solved") return `Solved in ${counted(result.cost, "move")}.`;
  return `The search gives up: ${result.reason || "it was stopped"}.${known}`;
}

/** Return what came of an expansion: how many children were kept, and what became of the rest. */
function outcomes(step, model) {
  const node = nodeOf(step);
  const children = childrenOf(step);
  const said = [summary(children.filter((each) => each.node.parent === node.number), model)];
  const back = step.events.filter((each) => each.name === "backtracked");
  if (back.length) said.push(backSentence(back, children, model));
  const better = step.events.findLast((each) => each.name === "improved");
  if (better) said.push(`A solution of ${counted(better.cost, "move")} is known now; the search goes on until no shorter one is possible.`);
  const pruned = children.filter((each) => each.fate === "pruned").length + step.more;
  if (pruned) said.push(`The level is complete: the ${counted(pruned, "board")} that look farthest are dropped.`);
  return said;
}

function summary(children, model) {
  const made = children.filter((each) => each.fate !== "pruned");
  if (!made.length) return "It has no children within the limits.";
  const kept = made.filter(({ fate }) => KEPT.includes(fate)).length;
  const groups = Object.entries(GROUPS).flatMap(([fate, words]) => {
    const count = made.filter((each) => each.fate === fate).length;
    return count ? [`${count} ${count === 1 ? words[0] : words[1]}`] : [];
  });
  const verb = model.order.isPath ? "followed" : "kept";
  const rest = groups.length ? `; ${listed(groups)}` : "";
  return `Of ${counted(made.length, "board")} made, ${kept || "none"} ${kept > 1 ? "are" : "is"} ${verb}${rest}.`;
}

const KEPT = ["enqueued", "reopened"];
const GROUPS = {
  duplicate: ["is known already", "are known already"],
  parent: ["would undo the last move", "would undo the last move"],
  cut: ["is beyond the bound", "are beyond the bound"],
};

function backSentence(back, children, model) {
  const { node } = back.at(-1);
  if (model.order.forgets) {
    return `Another board looks better now, so this branch is forgotten; only its best f, ${value(node.f)}, is remembered.`;
  }
  const next = children.findLast((each) => each.node.parent === node.parent && KEPT.includes(each.fate));
  const on = next ? ` and goes on with ${moveName(next.node.move)}` : "";
  return `Nothing more can be done here, so the search goes back up ${counted(back.length, "level")}${on}.`;
}

/** Return the fate of a child as a word of the legend. */
export function fateName(fate, model) {
  if (KEPT.includes(fate)) return model.order.isPath ? "followed" : "kept";
  return { duplicate: "duplicate", parent: "duplicate", cut: "cut off", pruned: "dropped" }[fate];
}

/** Return why a child has its fate. */
export function fateReason({ node, fate }, model) {
  switch (fate) {
    case "enqueued": return model.order.isPath ? "within the bound: followed at once" : "new: it waits for its turn";
    case "reopened": return "known, but this way is shorter";
    case "duplicate": return "this board is known already";
    case "parent": return "it would undo the last move";
    case "cut": return model.bound === null
      ? "its path would be longer than the limit"
      : `${value(model.estimates ? node.f : node.g)} is beyond the bound of ${value(model.bound)}`;
    default: return "others of its level look nearer";
  }
}

/** Return the numbers of a board: what it is judged by. */
export function numbersOf(node, model) {
  if (!model.estimates) return `depth ${node.g}`;
  if (model.addsUp) return `${value(node.f)} = ${node.g} + ${node.h}`;
  return `f ${value(node.f)}, g ${node.g}, h ${node.h}`;
}

/** Return what a board of the tree is, for those who point at it. */
export function toldOf({ node, standing, turns }, model) {
  const words = [];
  if (node.move) words.push(`move ${node.g}: ${moveName(node.move)}`);
  words.push(numbersOf(node, model));
  words.push(turns.length ? `expanded as number ${listed(turns.map(thousands))}` : capital(standing));
  return words;
}
