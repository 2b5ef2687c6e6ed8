// Questions about the next step of a search: what a student can predict from the rule of the search.
//
// A question has choices, each with a key. `isRight(keys)` returns whether a set of keys is an answer
// that the rule allows: where boards tie, any of them is right. A step that follows from nothing the
// page shows has no question.

import { text } from "../page/messages.js";
import { counted, listed, moveName, value } from "../page/words.js";
import { childrenOf, nodeOf } from "../trace/trace-steps.js";
import { fateOf, fateReason, numbersOf } from "../trace/trace-words.js";

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

/** Return the children of the board of a step that the search looked at. @param {Step} next */
function ownChildren(next) {
  const { number } = nodeOf(next);
  return childrenOf(next).filter(
    (child) => child.node.parent === number && child.fate !== "pruned",
  );
}

/** @param {Step} next */
function childrenQuestion(next) {
  const node = nodeOf(next);
  const children = ownChildren(next);
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
  const level = nextLevel(next, model);
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

/** Return the boards of the level of a beam that a step completes. @param {Step} next @param {TraceModel} model */
function nextLevel(next, model) {
  const { g } = nodeOf(next);
  return [
    ...model.frontier.entries.map((entry) => entry.node).filter((node) => node.g === g + 1),
    ...childrenOf(next)
      .filter(({ fate }) => fate === "enqueued")
      .map((child) => child.node),
  ];
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
    .map((number) => ({ key: String(number), text: value(number) }));
  return question("bound", { choices, right, isRight: (keys) => isSame(keys, right) });
}

/** Ask which side of a bidirectional search goes deeper. @param {TraceModel} model */
function sideQuestion(model) {
  if (model.order.name !== "bidirectional" || model.frontier.lost) return null;
  const [start, goal] = [waitingFrom("start", model), waitingFrom("goal", model)];
  if (start === goal) return null;
  const right = new Set([start < goal ? "start" : "goal"]);
  const choices = ["start", "goal"].map((side) => ({
    key: side,
    text: text(`predict.from-${side}`),
  }));
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
  const order = (/** @type {Choice} */ { node }) =>
    `${node?.move?.direction} ${node?.move?.tiles?.length ?? 1}`;
  return order(a) < order(b) ? -1 : 1;
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
  dequeue: () => text("predict.ask-dequeue"),
  children: (_, { order, bound }) =>
    order.isPath && bound !== null
      ? text("predict.ask-children-bound", { bound })
      : text("predict.ask-children"),
  dropped: ({ right }) => text("predict.ask-dropped", { count: right.size }),
  bound: (_, { bound }) =>
    bound === null ? text("predict.ask-bound-first") : text("predict.ask-bound", { bound }),
  side: () => text("predict.ask-side"),
};

/**
 * Return how to answer a question.
 * @param {Question} question
 * @param {boolean} hasTree whether the boards can be chosen in a tree too
 */
export function hintOf({ kind, isMany }, hasTree) {
  if (isMany) return text("predict.hint-many");
  return text(kind === "dequeue" && hasTree ? "predict.hint-tree" : "predict.hint-one");
}

/** Return a choice as text, for the summary. @param {Choice} choice @param {TraceModel} model */
export function choiceText({ node, text: name }, model) {
  if (!node) return name ?? "";
  return text("predict.choice", { name: nameOfChoice(node), numbers: numbersOf(node, model) });
}

/** Return the name of a board among others: its move. @param {SearchNode} node */
export function nameOfChoice({ move, side }) {
  return move ? moveName(move) : text(`predict.the-${side}`);
}

/**
 * Return sentences on why an answer is right or wrong; the model is the one before the step.
 * @param {Question} question
 * @param {Set<string>} keys
 * @param {Step} next
 * @param {TraceModel} model
 */
export function verdictOf(question, keys, next, model) {
  if (!question.isRight(keys)) return WRONG[question.kind](question, keys, next, model);
  return [text("predict.right"), ...(RIGHT[question.kind]?.(question, next, model) ?? [])];
}

/** @type {Record<string, (question: Question, next: Step, model: TraceModel) => string[]>} */
const RIGHT = {
  dequeue: (_, next, model) => tieSentences(nodeOf(next), model),
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
    return [whyNotNext(node, nodeOf(next), model), ...tieSentences(nodeOf(next), model)];
  },
  children: (_, keys, next, model) => [misjudged(keys, next, model)],
  dropped: ({ right }, _keys, next, model) => [
    text("predict.wrong-dropped", { count: right.size }),
    ...dropTie(right, next, model),
  ],
  bound: ({ right }) => [text("predict.wrong-bound", { bound: Number([...right][0]) })],
  side: (_question, _keys, _next, model) => {
    const [start, goal] = ["start", "goal"].map((side) =>
      counted(waitingFrom(side, model), "board"),
    );
    return [text("predict.wrong-side", { start, goal })];
  },
};

/**
 * Return why a waiting board is not dequeued before `node`.
 * @param {SearchNode} chosen
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
function whyNotNext({ f, g, h, side }, node, { order: { name, byLevel } }) {
  if (name === "bidirectional" && side !== node.side)
    return text(`predict.wrong-level-${node.side}`);
  if ((name === "bidirectional" || byLevel) && g !== node.g)
    return text("predict.wrong-depth", { depth: g, level: node.g });
  if (UNINFORMED.includes(name))
    return text("predict.wrong-moves", { far: counted(g, "move"), near: counted(node.g, "move") });
  if (BY_ESTIMATE.includes(name)) return text("predict.wrong-estimate", { h, least: node.h });
  return f === g + h
    ? text("predict.wrong-sum", { g, h, f, least: node.f })
    : text("predict.wrong-f", { f, least: node.f });
}

const UNINFORMED = ["bfs", "ucs"];
const BY_ESTIMATE = ["greedy", "capped-beam", "beam"];

/**
 * Return which of several equal boards is dequeued, if there are several.
 * @param {SearchNode} node
 * @param {TraceModel} model
 */
function tieSentences(node, model) {
  const count = allowedEntries(model, node).length;
  return count < 2 ? [] : [tie(count, node, model.order), rule(model.order)];
}

/** @param {number} count @param {SearchNode} node @param {Order} order */
function tie(count, { f, g, h }, { name }) {
  if (name === "bidirectional") return text("predict.tie-level", { count });
  if (UNINFORMED.includes(name)) return text("predict.tie-depth", { count, value: g });
  if (BY_ESTIMATE.includes(name)) return text("predict.tie-estimate", { count, value: h });
  return text("predict.tie-f", { count, value: f });
}

/** Return which of equal boards comes first. @param {Order} order */
function rule({ name, forgets, sortsSiblings, ties }) {
  if (forgets) return text("predict.rule-child");
  if (name === "bidirectional") return text("predict.rule-generated");
  return text(sortsSiblings ? "predict.rule-siblings" : `predict.rule-${ties}`);
}

/**
 * Return that a level has equal boards on both sides of the cut, if it has.
 * @param {Set<string>} right
 * @param {Step} next
 * @param {TraceModel} model
 */
function dropTie(right, next, model) {
  const level = nextLevel(next, model);
  const [dropped, kept] = [true, false].map((isGone) =>
    level.filter((node) => right.has(keyOf(node)) === isGone),
  );
  const least = Math.min(...dropped.map(({ h }) => h));
  if (!kept.some(({ h }) => h === least)) return [];
  const name = model.order.ties === "lifo" ? "predict.drop-older" : "predict.drop-newer";
  return [text(name, { h: least })];
}

/** @param {Set<string>} keys @param {Step} next @param {TraceModel} model */
function misjudged(keys, next, model) {
  const wrong = ownChildren(next).filter(
    ({ node: child, fate }) => keys.has(keyOf(child)) === KEPT.includes(fate),
  );
  const explained = wrong
    .slice(0, MOST_EXPLAINED)
    .map((child) =>
      text(`predict.child-${fateOf(child.fate, model)}`, {
        move: moveName(child.node.move),
        reason: fateReason(child, model),
      }),
    );
  return text("predict.wrong-children", { children: listed(explained) });
}
