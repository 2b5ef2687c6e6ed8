// Questions about the next step of a search: what a student can predict from the rule of the search.
//
// A question has choices, each with a key. `isRight(keys)` returns whether a set of keys is an answer
// that the rule allows: where boards tie, any of them is right. A step that follows from nothing the
// page shows has no question.

import { counted, listed, moveName, value } from "../page/words.js";
import { childrenOf, nodeOf } from "../trace/trace-steps.js";
import { fateName, fateReason, numbersOf } from "../trace/trace-words.js";

/** @import { Order } from "../search/searches.js" */
/** @import { Entry, TraceModel } from "../trace/trace-model.js" */
/** @import { SearchNode, Step } from "../trace/trace-steps.js" */

/**
 * @typedef {{key: string, node?: SearchNode, text?: string}} Choice
 * @typedef {{
 *   kind: "dequeue" | "children" | "dropped" | "bound" | "side",
 *   isMany: boolean,
 *   subject: SearchNode | null,
 *   choices: Choice[],
 *   candidates: Choice[],
 *   right: Set<string>,
 *   isRight: (keys: Set<string>) => boolean,
 * }} Question `candidates` are all boards that can be named, `choices` those that are offered;
 *   `right` are the keys of the right ones; `subject` is the board that the question is about, if any.
 */

const MOST_RIGHT = 2;
const MOST_WRONG = 4;
/** A question about the fate of a level has at most this many boards. */
const MOST_LEVEL = 12;
/** Every fourth question is about the children, not about the next board. */
const CHILDREN_EVERY = 4;
const DEEPENING = ["ids", "idastar"];
const KEPT = ["enqueued", "reopened", "updated"];

/**
 * Return the question about a step that has not been applied to the model; null if it has none.
 * @param {TraceModel} model
 * @param {Step} next
 * @returns {Question | null}
 */
export function questionOf(model, next) {
  if (next.kind === "round") return boundQuestion(model, next) ?? sideQuestion(model);
  if (!["expand", "discard", "goal"].includes(next.kind) || isMetOnGeneration(model, next))
    return null;
  const dropped = next.kind === "expand" ? droppedQuestion(model, next) : null;
  if (dropped) return dropped;
  const children = next.kind === "expand" ? childrenQuestion(next) : null;
  const isTurn = model.expanded % CHILDREN_EVERY === CHILDREN_EVERY - 1;
  // A search that goes deeper with the only child it generates leaves nothing to predict.
  if (model.order.isPath) return children?.right.size ? children : null;
  if (isTurn && children?.right.size) return children;
  return dequeueQuestion(model, nodeOf(next)) ?? children;
}

/**
 * Return whether the goal was found without being dequeued: when it was generated, or where two sides met.
 * @param {TraceModel} model
 * @param {Step} next
 */
function isMetOnGeneration(model, next) {
  const { algorithm = "" } = model.header;
  return (
    next.kind === "goal" && (model.order.isTwoSided || algorithm.includes("goal_test=generation"))
  );
}

/**
 * Return the entries of the frontier that the rule allows to be dequeued before all others.
 * @param {TraceModel} model
 * @param {SearchNode} node
 * @returns {Entry[]}
 */
function allowedEntries(model, node) {
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

/** @param {TraceModel} model @param {SearchNode} node */
function dequeueQuestion(model, node) {
  if (model.order.isFree && model.order.name !== "bidirectional") return null;
  const allowed = allowedEntries(model, node).map((entry) => entry.node);
  const right = keysOf(allowed);
  const candidates = model.frontier.entries.map((entry) => choiceOf(entry.node));
  // If the rule of the page does not explain this board, or leaves no choice, there is no question.
  if (!right.has(keyOf(node)) || right.size === candidates.length) return null;
  const wrong = candidates.filter(({ key }) => !right.has(key));
  const offered = [
    choiceOf(node),
    ...allowed
      .filter((other) => other.number !== node.number)
      .slice(0, MOST_RIGHT - 1)
      .map(choiceOf),
    ...wrong.slice(0, MOST_WRONG / 2),
    ...wrong.slice(MOST_WRONG / 2).slice(-MOST_WRONG / 2),
  ];
  const isRight = (/** @type {Set<string>} */ keys) => keys.size === 1 && right.has([...keys][0]);
  return question("dequeue", { choices: offered.sort(byNumber), candidates, right, isRight });
}

/** @param {Step} next */
function childrenQuestion(next) {
  const node = nodeOf(next);
  const children = childrenOf(next).filter(
    (child) => child.node.parent === node.number && child.fate !== "pruned",
  );
  if (!children.length) return null;
  const right = keysOf(
    children.filter(({ fate }) => !KEPT.includes(fate)).map((child) => child.node),
  );
  // In the order of their moves: the order of generation would reveal which one a search follows.
  const choices = children.map((child) => choiceOf(child.node)).sort(byMove);
  return question("children", {
    isMany: true,
    subject: node,
    choices,
    right,
    isRight: (keys) => isSame(keys, right),
  });
}

/**
 * Ask which boards of a complete level a beam drops.
 * @param {TraceModel} model
 * @param {Step} next
 */
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
  const isRight = (/** @type {Set<string>} */ keys) => {
    const [gone, kept] = [true, false].map((isGone) =>
      level.filter((other) => keys.has(keyOf(other)) === isGone),
    );
    return (
      gone.length === dropped.length &&
      Math.max(...kept.map(({ h }) => h)) <= Math.min(...gone.map(({ h }) => h))
    );
  };
  return question("dropped", {
    isMany: true,
    subject: node,
    choices: level.map(choiceOf).sort(byNumber),
    right: keysOf(dropped.map((child) => child.node)),
    isRight,
  });
}

/** Ask for the bound of the next round. @param {TraceModel} model @param {Step} next */
function boundQuestion(model, next) {
  if (!DEEPENING.includes(model.order.name)) return null;
  const { bound } = next.events[0];
  const measure = model.order.name === "ids" ? "g" : "f";
  const cut = model.tree.nodes
    .filter(({ status }) => status === "cut")
    .map(({ node }) => node[measure]);
  const last = model.bound;
  const others =
    last === null
      ? [0, bound + 2, 2 * bound, bound + 1, bound + 3]
      : [1, 2, Math.max(...cut) - last, 3, 4, 5].map((more) => last + more).filter(Number.isFinite);
  const numbers = [...new Set([bound, ...others])].slice(0, 4);
  const right = new Set([String(bound)]);
  const choices = numbers
    .sort((a, b) => a - b)
    .map((number) => ({ key: String(number), text: String(number) }));
  return question("bound", { choices, right, isRight: (keys) => isSame(keys, right) });
}

/** Ask which side of a bidirectional search goes deeper. @param {TraceModel} model */
function sideQuestion(model) {
  if (model.order.name !== "bidirectional" || model.frontier.lost) return null;
  const [start, goal] = [waitingFrom("start", model), waitingFrom("goal", model)];
  if (start === goal) return null;
  const right = new Set([start < goal ? "start" : "goal"]);
  const choices = ["start", "goal"].map((side) => ({ key: side, text: `from the ${side}` }));
  return question("side", { choices, right, isRight: (keys) => isSame(keys, right) });
}

/**
 * Return how many boards of a side wait.
 * @param {string} side
 * @param {TraceModel} model
 */
function waitingFrom(side, model) {
  return model.frontier.entries.filter(({ node }) => node.side === side).length;
}

/**
 * @param {Question["kind"]} kind
 * @param {Pick<Question, "choices" | "right" | "isRight"> & Partial<Question>} parts
 * @returns {Question}
 */
function question(kind, parts) {
  return { kind, isMany: false, subject: null, candidates: parts.choices, ...parts };
}

/** Return the key of a node. @param {SearchNode} node */
export function keyOf(node) {
  return String(node.number);
}

/** @param {SearchNode[]} nodes */
function keysOf(nodes) {
  return new Set(nodes.map(keyOf));
}

/** @param {SearchNode} node @returns {Choice} */
function choiceOf(node) {
  return { key: keyOf(node), node };
}

/** @param {Choice} a @param {Choice} b */
function byNumber(a, b) {
  return Number(a.key) - Number(b.key);
}

/** @param {Choice} a @param {Choice} b */
function byMove(a, b) {
  const text = (/** @type {Choice} */ { node }) =>
    `${node?.move?.direction} ${node?.move?.tiles?.length ?? 1}`;
  return text(a) < text(b) ? -1 : 1;
}

/** @param {Set<string>} keys @param {Set<string>} others */
function isSame(keys, others) {
  return keys.size === others.size && [...keys].every((key) => others.has(key));
}

// --- the words of questions and answers --------------------------------------------------------

/** The most misjudged children that are explained. */
const MOST_EXPLAINED = 2;

/**
 * Return the text of a question; the model is the one before the step.
 * @param {Question} question
 * @param {TraceModel} model
 */
export function promptOf(question, model) {
  return PROMPTS[question.kind](question, model);
}

/** @type {Record<string, (question: Question, model: TraceModel) => string>} */
const PROMPTS = {
  dequeue: () => "Which board is dequeued next?",
  children: (_, model) => {
    const isBounded = model.order.isPath && model.bound !== null;
    return isBounded
      ? `This board is expanded next, with the bound ${value(model.bound)}. Which of its children are cut off or discarded?`
      : "This board is expanded next. Which of its children are discarded?";
  },
  dropped: ({ right }) =>
    `This board completes its level. Which ${right.size === 1 ? "board" : `${right.size} boards`} of the next level does the beam drop?`,
  bound: (_, model) =>
    model.bound === null
      ? "What is the bound of the first round?"
      : `Nothing was found within the bound ${value(model.bound)}. What is the next bound?`,
  side: () => "Which side goes one level deeper?",
};

/** Return how to answer a question. @param {Question} question */
export function hintOf({ kind, isMany }) {
  if (kind === "dequeue") return "Choose one here or in the tree.";
  return isMany ? "Tick them, or none." : "Choose one.";
}

/** Return a choice as text, for the summary. @param {Choice} choice @param {TraceModel} model */
export function choiceText({ node, text }, model) {
  return node ? `${nameOfChoice(node)} (${numbersOf(node, model)})` : (text ?? "");
}

/** Return the name of a board among others: its move. @param {SearchNode} node */
export function nameOfChoice({ move, side }) {
  return move ? moveName(move) : `the ${side}`;
}

/**
 * Return sentences on why an answer is right or wrong; the model is the one before the step.
 * @param {Question} question
 * @param {Set<string>} keys
 * @param {Step} next
 * @param {TraceModel} model
 */
export function verdictOf(question, keys, next, model) {
  if (question.isRight(keys))
    return ["Right.", RIGHT[question.kind]?.(question, next, model)].filter(Boolean);
  const [reason, tie] = WRONG[question.kind](question, keys, next, model);
  return [`No: ${reason}`, tie].filter(Boolean);
}

/** @type {Record<string, (question: Question, next: Step, model: TraceModel) => string>} */
const RIGHT = {
  dequeue: (_, next, model) => tieSentence(nodeOf(next), model),
  dropped: ({ right }, next, model) => dropTie(right, next, model),
};

/**
 * Why an answer is wrong, and whether others tie.
 * @type {Record<string, (question: Question, keys: Set<string>, next: Step, model: TraceModel) => string[]>}
 */
const WRONG = {
  dequeue: (question, keys, next, model) => {
    const [chosen] = question.candidates.filter(({ key }) => keys.has(key));
    const node = /** @type {SearchNode} */ (chosen.node);
    return [whyNotNext(node, nodeOf(next), model), tieSentence(nodeOf(next), model)];
  },
  children: (_, keys, next, model) => [misjudged(keys, next, model)],
  dropped: (question, _keys, next, model) => {
    const rule = `the beam keeps the boards with the lowest estimates and drops ${counted(question.right.size, "board")}.`;
    return [rule, dropTie(question.right, next, model)];
  },
  bound: (question) => [`it is ${[...question.right][0]}.`],
  side: (_question, _keys, _next, model) => {
    const [start, goal] = [waitingFrom("start", model), waitingFrom("goal", model)];
    return [
      `the frontier from the start has ${counted(start, "board")}, the one from the goal ${goal}; the smaller one goes deeper.`,
    ];
  },
};

/**
 * Return why a waiting board is not dequeued before `node`.
 * @param {SearchNode} chosen
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
function whyNotNext(chosen, node, model) {
  const { name, byLevel } = model.order;
  if (name === "bidirectional" && chosen.side !== node.side)
    return `the search from the ${node.side} goes on until its level is complete.`;
  if ((name === "bidirectional" || byLevel) && chosen.g !== node.g) {
    return `it is at depth ${chosen.g}, and the level at depth ${node.g} is not complete.`;
  }
  if (UNINFORMED.includes(name))
    return `it is ${counted(chosen.g, "move")} from the start, and the frontier has a board ${counted(node.g, "move")} from it.`;
  if (BY_ESTIMATE.includes(name))
    return `its estimate is ${chosen.h}, and the frontier has a board with the estimate ${node.h}.`;
  const sum = chosen.f === chosen.g + chosen.h ? `g + h = ${chosen.g} + ${chosen.h} = ` : "";
  return `it has f = ${sum}${value(chosen.f)}, and the frontier has a board with f = ${value(node.f)}.`;
}

const UNINFORMED = ["bfs", "ucs"];
const BY_ESTIMATE = ["greedy", "capped-beam", "beam"];

/**
 * Return which of several equal boards is dequeued; "" if there is only one.
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
function tieSentence(node, model) {
  const tied = allowedEntries(model, node).length;
  if (tied < 2) return "";
  return `${counted(tied, "board")} tie${shared(node, model)}, so any of them is right; here ${tieRule(model.order)}.`;
}

/** @param {SearchNode} node @param {TraceModel} model */
function shared(node, { order }) {
  if (order.name === "bidirectional") return " in this level";
  if (UNINFORMED.includes(order.name)) return ` at depth ${node.g}`;
  return BY_ESTIMATE.includes(order.name)
    ? ` with the estimate ${node.h}`
    : ` at f = ${value(node.f)}`;
}

/** @param {Order} order */
function tieRule({ name, forgets, sortsSiblings, ties }) {
  if (forgets) return "a child of the board just expanded comes first";
  if (name === "bidirectional") return "the one generated first comes first";
  if (sortsSiblings)
    return "the one whose parent was expanded first comes first, and of siblings the one that looks nearest";
  return TIES[ties] ?? TIES.fifo;
}

/** @type {Record<string, string>} */
const TIES = {
  fifo: "the one enqueued first comes first",
  lifo: "the one enqueued last comes first",
  "low-h": "the one with the lowest h comes first",
  heap: "the one on top of the heap comes first",
};

/**
 * Return that a level has equal boards on both sides of the cut; "" if it has none.
 * @param {Set<string>} right
 * @param {Step} next
 * @param {TraceModel} model
 */
function dropTie(right, next, model) {
  const level = [
    ...model.frontier.entries
      .map((entry) => entry.node)
      .filter(({ g }) => g === nodeOf(next).g + 1),
    ...childrenOf(next)
      .filter(({ fate }) => fate === "enqueued")
      .map((child) => child.node),
  ];
  const [dropped, kept] = [true, false].map((isGone) =>
    level.filter((node) => right.has(keyOf(node)) === isGone),
  );
  const least = Math.min(...dropped.map(({ h }) => h));
  if (!kept.some(({ h }) => h === least)) return "";
  return `Boards with the estimate ${least} tie, so any of them may be dropped; here ${model.order.ties === "lifo" ? "the older ones are" : "the newer ones are"}.`;
}

/** @param {Set<string>} keys @param {Step} next @param {TraceModel} model */
function misjudged(keys, next, model) {
  const node = nodeOf(next);
  const children = childrenOf(next).filter(
    (child) => child.node.parent === node.number && child.fate !== "pruned",
  );
  const wrong = children.filter(
    ({ node: child, fate }) =>
      keys.has(keyOf(child)) === ["enqueued", "reopened", "updated"].includes(fate),
  );
  const explained = wrong
    .slice(0, MOST_EXPLAINED)
    .map(
      (child) =>
        `${moveName(child.node.move)} is ${nameOf(child.fate, model)} (${fateReason(child, model)})`,
    );
  return `${listed(explained)}.`;
}

/** @param {string} fate @param {TraceModel} model */
function nameOf(fate, model) {
  return fateName(fate, model) === "duplicate" ? "discarded" : fateName(fate, model);
}
