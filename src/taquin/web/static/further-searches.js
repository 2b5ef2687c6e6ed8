// What the page says about searches that have a loop of their own: sentences and numbers.
//
// `why` says why a board is expanded, `numbers` what orders it.

import { counted, value } from "./words.js";

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
    why: (node) => `Expand the board with the least priority of both sides${away(node)}: the greater of g + h = ${node.g + node.h} and 2 · g = ${2 * node.g}, so that no side goes beyond the middle.`,
    numbers: ({ g, h, f }) => `priority = max(g + h, 2 · g) = max(${g + h}, ${2 * g}) = ${value(f)}.`,
  },
  nbs: {
    isTwoSided: true,
    why: (node) => `Expand one board of the best pair${away(node)}: f = ${node.g} + ${node.h} = ${value(node.f)}. The pair could be joined by the shortest solution of all pairs.`,
    numbers: ({ g, h, f }) => `f = g + h = ${g} + ${h} = ${value(f)}; a pair of boards counts the greater f, or g + g + 1.`,
  },
  arastar: {
    why: (node) => `Expand the board with the least g + w · h = ${value(node.f)}: ${counted(node.g, "move")} made, ${node.h} estimated. The weight w falls from round to round.`,
    numbers: ({ g, h, f }) => `Priority g + w · h = ${value(f)}, with g = ${g} and h = ${h}; w falls from round to round.`,
  },
  widastar: {
    isPath: true,
    why: withinBound,
    numbers: byWeight,
  },
  focal: {
    why: (node) => `Expand the board that looks nearest, h = ${node.h}, of those whose f is at most w times the least: f = ${node.g} + ${node.h} = ${value(node.f)}.`,
    numbers: byF,
  },
  potential: {
    why: (node) => `Expand the board whose estimate of ${node.h} fits most often into what a solution may still cost after its ${counted(node.g, "move")}.`,
    numbers: byF,
  },
  peastar: {
    putsBack: true,
    cut: "its f is above the value of its parent: it is generated again later",
    why: (node) => `Expand the board with the least value F = ${value(node.f)}: only children with f ≤ F are stored.`,
    numbers: ({ g, h, f }) => `F = ${value(f)}; g = ${g}, h = ${h}.`,
  },
  bts: {
    isPath: true,
    why: withinBound,
    numbers: byF,
  },
  lrtastar: {
    why: (node) => `The agent stands here, estimated ${counted(node.f - node.g, "move")} from the goal. It looks at the neighbours and moves to the best of them.`,
    numbers: byLearnt,
  },
  "lss-lrtastar": {
    why: planning,
    numbers: byLearnt,
  },
  "hill-climbing": {
    why: (node) => `The climber stands here, estimated ${counted(node.h, "move")} from the goal, and looks at the children.`,
    numbers: byH,
  },
  annealing: {
    why: (node) => `The walker stands here, estimated ${counted(node.h, "move")} from the goal, and tries a random move.`,
    numbers: byH,
  },
};
