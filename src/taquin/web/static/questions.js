// Questions about the next step of a search: what a student can predict from the rule of the search.
//
// A question has choices, each with a key. `isRight(keys)` returns whether a set of keys is an answer
// that the rule allows: where boards tie, any of them is right. A step that follows from nothing the
// page shows has no question.

import { childrenOf, nodeOf } from "./trace-steps.js";

/**
 * @typedef {{key: string, node?: any, text?: string}} Choice
 * @typedef {{
 *   kind: "dequeue" | "children" | "dropped" | "bound" | "side",
 *   isMany: boolean,
 *   subject: any,
 *   choices: Choice[],
 *   candidates: Choice[],
 *   right: Set<string>,
 *   isRight: (keys: Set<string>) => boolean,
 * }} Question `candidates` are all boards that can be named, `choices` those that are offered;
 *   `right` are the keys of the right ones; `subject` is the board that the question is about, if any.
 */

const MOST_RIGHT = 2;
const MOST_WRONG = 4;
/** The most boards of a level whose fate is asked. */
const MOST_LEVEL = 12;
/** Every so many expansions the children are asked instead of the next board. */
const CHILDREN_EVERY = 4;
const DEEPENING = ["ids", "idastar"];
const KEPT = ["enqueued", "reopened", "updated"];

/**
 * Return the question about a step that has not been applied to the model; null if it has none.
 * @returns {Question | null}
 */
export function questionOf(model, next) {
  if (next.kind === "round") return boundQuestion(model, next) ?? sideQuestion(model);
  if (!["expand", "discard", "goal"].includes(next.kind) || isMetOnGeneration(model, next)) return null;
  const dropped = next.kind === "expand" ? droppedQuestion(model, next) : null;
  if (dropped) return dropped;
  const children = next.kind === "expand" ? childrenQuestion(next) : null;
  const isTurn = model.expanded % CHILDREN_EVERY === CHILDREN_EVERY - 1;
  // A search that goes deeper with the only child it generates leaves nothing to predict.
  if (model.order.isPath) return children?.right.size ? children : null;
  if (isTurn && children?.right.size) return children;
  return dequeueQuestion(model, nodeOf(next)) ?? children;
}

/** Return whether the goal was found without being dequeued: when it was generated, or where two sides met. */
function isMetOnGeneration(model, next) {
  const { algorithm = "" } = model.header;
  return next.kind === "goal" && (model.order.isTwoSided || algorithm.includes("goal_test=generation"));
}

/** Return the entries of the frontier that the rule allows to be dequeued before all others. */
export function allowedEntries(model, node) {
  const { entries } = model.frontier;
  const { byLevel, name } = model.order;
  if (name === "bidirectional") {
    const level = entries.filter((entry) => entry.node.side === node.side);
    const isBegun = level.some((entry) => entry.node.g > node.g);
    // Of two levels with as many boards, either may come first.
    if (!isBegun && 2 * level.length === entries.length) return entries;
    return level.filter((entry) => entry.node.g === node.g);
  }
  const least = Math.min(...entries.map((entry) => entry.node[byLevel ? "g" : "f"]));
  if (!byLevel) return entries.filter((entry) => entry.node.f === least);
  const level = entries.filter((entry) => entry.node.g === least);
  const nearest = Math.min(...level.map((entry) => entry.node.h));
  return level.filter((entry) => entry.node.h === nearest);
}

function dequeueQuestion(model, node) {
  if (model.order.isFree && model.order.name !== "bidirectional") return null;
  const allowed = allowedEntries(model, node).map((entry) => entry.node);
  const right = keysOf(allowed);
  const candidates = model.frontier.entries.map((entry) => choiceOf(entry.node));
  // If the rule of the page does not explain this board, or leaves no choice, nothing is asked.
  if (!right.has(keyOf(node)) || right.size === candidates.length) return null;
  const wrong = candidates.filter(({ key }) => !right.has(key));
  const offered = [
    choiceOf(node),
    ...allowed.filter((other) => other.number !== node.number).slice(0, MOST_RIGHT - 1).map(choiceOf),
    ...wrong.slice(0, MOST_WRONG / 2),
    ...wrong.slice(MOST_WRONG / 2).slice(-MOST_WRONG / 2),
  ];
  const isRight = (keys) => keys.size === 1 && right.has([...keys][0]);
  return question("dequeue", { choices: offered.sort(byNumber), candidates, right, isRight });
}

function childrenQuestion(next) {
  const node = nodeOf(next);
  const children = childrenOf(next).filter((child) => child.node.parent === node.number && child.fate !== "pruned");
  if (!children.length) return null;
  const right = keysOf(children.filter(({ fate }) => !KEPT.includes(fate)).map((child) => child.node));
  // In the order of their moves: the order of generation would tell which one a search follows.
  const choices = children.map((child) => choiceOf(child.node)).sort(byMove);
  return question("children", {
    isMany: true, subject: node, choices, right, isRight: (keys) => isSame(keys, right),
  });
}

/** Ask which boards of a complete level a beam drops. */
function droppedQuestion(model, next) {
  const node = nodeOf(next);
  const children = childrenOf(next);
  const dropped = children.filter(({ fate }) => fate === "pruned");
  if (!model.order.byLevel || !dropped.length || next.more) return null;
  const level = [
    ...model.frontier.entries.map((entry) => entry.node).filter(({ g }) => g === node.g + 1),
    ...children.filter(({ fate }) => fate === "enqueued").map((child) => child.node),
  ];
  if (level.length > MOST_LEVEL) return null;
  const isRight = (keys) => {
    const [gone, kept] = [true, false].map((isGone) => level.filter((other) => keys.has(keyOf(other)) === isGone));
    return gone.length === dropped.length
      && Math.max(...kept.map(({ h }) => h)) <= Math.min(...gone.map(({ h }) => h));
  };
  return question("dropped", {
    isMany: true, subject: node, choices: level.map(choiceOf).sort(byNumber), right: keysOf(dropped.map((child) => child.node)), isRight,
  });
}

/** Ask for the bound of the next round. */
function boundQuestion(model, next) {
  if (!DEEPENING.includes(model.order.name)) return null;
  const { bound } = next.events[0];
  const measure = model.order.name === "ids" ? "g" : "f";
  const cut = model.tree.nodes.filter(({ status }) => status === "cut").map(({ node }) => node[measure]);
  const others = model.bound === null
    ? [0, bound + 2, 2 * bound, bound + 1, bound + 3]
    : [1, 2, Math.max(...cut) - model.bound, 3, 4, 5].map((more) => model.bound + more).filter(Number.isFinite);
  const numbers = [...new Set([bound, ...others])].slice(0, 4);
  const right = new Set([String(bound)]);
  const choices = numbers.sort((a, b) => a - b).map((number) => ({ key: String(number), text: String(number) }));
  return question("bound", { choices, right, isRight: (keys) => isSame(keys, right) });
}

/** Ask which side of a bidirectional search goes deeper. */
function sideQuestion(model) {
  const { entries, lost } = model.frontier;
  if (model.order.name !== "bidirectional" || lost) return null;
  const count = (side) => entries.filter(({ node }) => node.side === side).length;
  const [start, goal] = [count("start"), count("goal")];
  if (start === goal) return null;
  const right = new Set([start < goal ? "start" : "goal"]);
  const choices = ["start", "goal"].map((side) => ({ key: side, text: `from the ${side}` }));
  return question("side", { choices, right, isRight: (keys) => isSame(keys, right) });
}

function question(kind, parts) {
  return { kind, isMany: false, subject: null, candidates: parts.choices, ...parts };
}

/** Return the key of a node. */
export function keyOf(node) {
  return String(node.number);
}

function keysOf(nodes) {
  return new Set(nodes.map(keyOf));
}

function choiceOf(node) {
  return { key: keyOf(node), node };
}

function byNumber(a, b) {
  return a.node.number - b.node.number;
}

function byMove(a, b) {
  const text = ({ node }) => `${node.move?.direction} ${node.move?.tiles?.length ?? 1}`;
  return text(a) < text(b) ? -1 : 1;
}

function isSame(keys, others) {
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}
