// What the page says about searches that have a loop of their own: pseudocode, sentences and numbers.
//
// `lines` are as in `pseudocode.js`; `why` says why a board is expanded, `numbers` what orders it.

import { counted, value } from "./words.js";

const KNOWN = "known already: discard it";

/** Return the pseudocode of a search from both ends. */
function fromBothEnds(choice) {
  return [
    ["start", 0, "a frontier at the start, a frontier at the goal"],
    ["loop", 0, "repeat until no pair of waiting boards can beat the best meeting:"],
    ["dequeue", 1, choice],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, KNOWN],
    ["enqueue", 2, "otherwise: put it into the frontier of its side"],
    ["improved", 2, "if the other side has it: a solution is known"],
    ["goal", 0, "done: join the paths of the best meeting"],
  ];
}

/** Return the pseudocode of a search that expands one board at a time from one frontier. */
function bestFirst(choice, ...more) {
  return [
    ["start", 0, "put the start into the frontier"],
    ["loop", 0, "while the frontier has boards:"],
    ["dequeue", 1, choice],
    ["discard", 1, "if a shorter path to it was found: discard it"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, KNOWN],
    ["enqueue", 2, "otherwise: put it into the frontier"],
    ...more,
    ["end", 0, "the frontier is empty: no solution"],
  ];
}

/** Return the pseudocode of a search that goes depth-first within rising bounds. */
function deepening(first, next) {
  return [
    ["start", 0, `bound ← ${first}`],
    ["round", 0, "repeat: visit the start"],
    ["raise", 1, `bound ← ${next}`],
    ["visit", 0, "to visit a board:"],
    ["goal", 1, "if it is the goal: done"],
    ["expand", 1, "for each of its children:"],
    ["duplicate", 2, "it undoes the last move: discard it"],
    ["cut", 2, "its f is beyond the bound: cut it off"],
    ["enqueue", 2, "otherwise: visit it"],
    ["backtrack", 1, "go back to its parent"],
  ];
}

/** Return the pseudocode of an agent that plans, learns and walks. */
function realTime(plan) {
  return [
    ["start", 0, "stand at the start"],
    ["goal", 0, "while the present board is not the goal:"],
    ["dequeue", 1, plan],
    ["expand", 2, "for each of its children:"],
    ["duplicate", 3, "planned already: discard it"],
    ["enqueue", 3, "f ← g + the estimate learnt so far"],
    ["discard", 2, "a shorter path to it was found: discard it"],
    ["learn", 1, "raise the estimates of the expanded boards from those around them"],
    ["prune", 1, "walk to the board with the least f; drop the others"],
  ];
}

/** Return the pseudocode of a walk with one present board. */
function walking(...choice) {
  return [
    ["start", 0, "stand at the start"],
    ["goal", 0, "while the present board is not the goal:"],
    ["expand", 1, "look at its children:"],
    ["enqueue", 2, choice[0]],
    ["prune", 2, choice[1]],
    ["end", 0, "after too many tries: give up"],
  ];
}

const byH = ({ g, h }) => `h = ${h}; g = ${g} does not count.`;
const byF = ({ g, h, f }) => `f = g + h = ${g} + ${h} = ${value(f)}.`;
const byLearnt = ({ g, f }) => `f = ${value(f)}: g = ${g}, and ${value(f - g)} as learnt so far.`;
const byWeight = ({ g, h, f }, options) => `f = g + w · h = ${g} + ${options.weight} · ${h} = ${value(f)}.`;
const withinBound = (node, model) => `Go deeper: f = ${value(node.f)} is within this round's bound of ${value(model.bound)}.`;
const planning = (node) => `Plan: expand the board with the least f = ${value(node.f)} around the present board, with what was learnt so far.`;

const away = ({ g, side }) => (g ? `, ${counted(g, "move")} from the ${side}` : `, the ${side} itself`);

export const FURTHER = {
  mm: {
    isTwoSided: true,
    lines: fromBothEnds("dequeue the board with the least max(g + h, 2 · g) of both sides"),
    why: (node) => `Expand the board with the least priority of both sides${away(node)}: the greater of g + h = ${node.g + node.h} and 2 · g = ${2 * node.g}, so that no side goes beyond the middle.`,
    numbers: ({ g, h, f }) => `priority = max(g + h, 2 · g) = max(${g + h}, ${2 * g}) = ${value(f)}.`,
  },
  nbs: {
    isTwoSided: true,
    lines: fromBothEnds("dequeue the pair with the least max(f, f, g + g + 1), one board of each side"),
    why: (node) => `Expand one board of the best pair${away(node)}: f = ${node.g} + ${node.h} = ${value(node.f)}. The pair could be joined by the shortest solution of all pairs.`,
    numbers: ({ g, h, f }) => `f = g + h = ${g} + ${h} = ${value(f)}; a pair of boards counts the greater f, or g + g + 1.`,
  },
  arastar: {
    lines: bestFirst(
      "dequeue the board with the least f = g + w · h",
      ["improved", 1, "no waiting board has less f than the best solution costs: the round ends"],
      ["lower", 1, "lower w, and go on with the boards that wait or were put off"],
    ),
    why: (node) => `Expand the board with the least g + w · h = ${value(node.f)}: ${counted(node.g, "move")} made, ${node.h} estimated. The weight w falls from round to round.`,
    numbers: ({ g, h, f }) => `Priority g + w · h = ${value(f)}, with g = ${g} and h = ${h}; w falls from round to round.`,
  },
  widastar: {
    isPath: true,
    lines: deepening("w · h of the start", "the least f = g + w · h that was cut off"),
    why: withinBound,
    numbers: byWeight,
  },
  focal: {
    lines: bestFirst("of the boards with f ≤ w · the least f: dequeue the one with the least h"),
    why: (node) => `Expand the board that looks nearest, h = ${node.h}, of those whose f is at most w times the least: f = ${node.g} + ${node.h} = ${value(node.f)}.`,
    numbers: byF,
  },
  potential: {
    lines: bestFirst("of the boards with f ≤ w · the least f: dequeue the one with the greatest (w · least f − g) / h"),
    why: (node) => `Expand the board whose estimate of ${node.h} fits most often into what a solution may still cost after its ${counted(node.g, "move")}.`,
    numbers: byF,
  },
  peastar: {
    putsBack: true,
    cut: "its f is above the value of its parent: it is generated again later",
    lines: bestFirst(
      "dequeue the board with the least value F",
      ["cut", 2, "its f is above F: leave it out"],
      ["backtrack", 1, "if any was left out: F ← their least f, and back into the frontier"],
    ),
    why: (node) => `Expand the board with the least value F = ${value(node.f)}: only children with f ≤ F are stored.`,
    numbers: ({ g, h, f }) => `F = ${value(f)}; g = ${g}, h = ${h}.`,
  },
  bts: {
    isPath: true,
    lines: deepening("h of the start", "one that takes twice the work or more, at most 8 times"),
    why: withinBound,
    numbers: byF,
  },
  lrtastar: {
    lines: realTime("expand the present board"),
    why: (node) => `The agent stands here, estimated ${counted(node.f - node.g, "move")} from the goal. It looks at the neighbours and moves to the best of them.`,
    numbers: byLearnt,
  },
  "lss-lrtastar": {
    lines: realTime("expand the boards around it by A*, as many as the lookahead allows"),
    why: planning,
    numbers: byLearnt,
  },
  "hill-climbing": {
    lines: walking("go to the child with the least h, if that is less; otherwise make random moves", "drop the other children"),
    why: (node) => `The climber stands here, estimated ${counted(node.h, "move")} from the goal, and looks at the children.`,
    numbers: byH,
  },
  annealing: {
    lines: walking("go to a random child: always if h is not more, else the more rarely the colder it is", "otherwise drop it and stay"),
    why: (node) => `The walker stands here, estimated ${counted(node.h, "move")} from the goal, and tries a random move.`,
    numbers: byH,
  },
};
