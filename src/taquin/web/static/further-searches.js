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
};
