// The words of Predict: the questions, and why an answer is right or wrong.

import { allowedEntries, keyOf } from "./questions.js";
import { childrenOf, nodeOf } from "./trace-steps.js";
import { fateName, fateReason, numbersOf } from "./trace-words.js";
import { counted, listed, moveName, value } from "./words.js";

/** The most misjudged children that are explained. */
const MOST_EXPLAINED = 2;

/** Return the text of a question; the model is the one before the step. */
export function promptOf(question, model) {
  return PROMPTS[question.kind](question, model);
}

const PROMPTS = {
  dequeue: () => "Which board is dequeued next?",
  children: (_, model) => {
    const isBounded = model.order.isPath && model.bound !== null;
    return isBounded
      ? `This board is expanded next, with the bound ${value(model.bound)}. Which of its children are cut off or discarded?`
      : "This board is expanded next. Which of its children are discarded?";
  },
  dropped: ({ right }) => `This board completes its level. Which ${right.size === 1 ? "board" : `${right.size} boards`} of the next level does the beam drop?`,
  bound: (_, model) => (model.bound === null
    ? "What is the bound of the first round?"
    : `Nothing was found within the bound ${value(model.bound)}. What is the next bound?`),
  side: () => "Which side goes one level deeper?",
};

/** Return how to answer a question. */
export function hintOf({ kind, isMany }) {
  if (kind === "dequeue") return "Choose one here or in the tree.";
  return isMany ? "Tick them, or none." : "Choose one.";
}

/** Return a choice as text, for the summary. */
export function choiceText({ node, text }, model) {
  if (!node) return text;
  const name = node.move ? moveName(node.move) : `the ${node.side}`;
  return `${name} (${numbersOf(node, model)})`;
}

/**
 * Return sentences on why an answer is right or wrong; the model is the one before the step.
 * @param {import("./questions.js").Question} question
 * @param {Set<string>} keys
 */
export function verdictOf(question, keys, next, model) {
  if (question.isRight(keys)) return ["Right.", RIGHT[question.kind]?.(question, next, model)].filter(Boolean);
  const [reason, tie] = WRONG[question.kind](question, keys, next, model);
  return [`No: ${reason}`, tie].filter(Boolean);
}

const RIGHT = {
  dequeue: (_, next, model) => tieSentence(nodeOf(next), model),
  dropped: ({ right }, next, model) => dropTie(right, next, model),
};

const WRONG = {
  dequeue: (question, keys, next, model) => {
    const [chosen] = question.candidates.filter(({ key }) => keys.has(key));
    return [whyNotNext(chosen.node, nodeOf(next), model), tieSentence(nodeOf(next), model)];
  },
  children: (_, keys, next, model) => [misjudged(keys, next, model)],
  dropped: (question, _keys, next, model) => {
    const rule = `the beam keeps the boards with the lowest estimates and drops ${counted(question.right.size, "board")}.`;
    return [rule, dropTie(question.right, next, model)];
  },
  bound: (question) => [`it is ${[...question.right][0]}.`],
  side: (_question, _keys, _next, model) => {
    const count = (side) => model.frontier.entries.filter(({ node }) => node.side === side).length;
    return [`${counted(count("start"), "board")} from the start and ${count("goal")} from the goal wait; the smaller side goes deeper.`];
  },
};

/** Return why a waiting board is not dequeued before `node`. */
function whyNotNext(chosen, node, model) {
  const { name, byLevel } = model.order;
  if (name === "bidirectional" && chosen.side !== node.side) return `the search from the ${node.side} goes on until its level is complete.`;
  if ((name === "bidirectional" || byLevel) && chosen.g !== node.g) {
    return `it is at depth ${chosen.g}, and the level at depth ${node.g} is not complete.`;
  }
  if (UNINFORMED.includes(name)) return `it is ${counted(chosen.g, "move")} from the start, and a board ${counted(node.g, "move")} from it waits.`;
  if (BY_ESTIMATE.includes(name)) return `its estimate is ${chosen.h}, and a board with the estimate ${node.h} waits.`;
  const sum = chosen.f === chosen.g + chosen.h ? ` = ${chosen.g} + ${chosen.h}` : "";
  return `its f is ${value(chosen.f)}${sum}, and a board with f = ${value(node.f)} waits.`;
}

const UNINFORMED = ["bfs", "ucs"];
const BY_ESTIMATE = ["greedy", "capped-beam", "beam"];

/** Return which of several equal boards is dequeued; "" if there is only one. */
function tieSentence(node, model) {
  const tied = allowedEntries(model, node).length;
  if (tied < 2) return "";
  return `${counted(tied, "board")} tie${shared(node, model)}, so any of them is right; here ${tieRule(model.order)}.`;
}

function shared(node, { order }) {
  if (order.name === "bidirectional") return " in this level";
  if (UNINFORMED.includes(order.name)) return ` at depth ${node.g}`;
  return BY_ESTIMATE.includes(order.name) ? ` with the estimate ${node.h}` : ` at f = ${value(node.f)}`;
}

function tieRule({ name, forgets, sortsSiblings, ties }) {
  if (forgets) return "a child of the board just expanded comes first";
  if (name === "bidirectional") return "the one generated first comes first";
  if (sortsSiblings) return "the one whose parent was expanded first comes first, and of siblings the one that looks nearest";
  return TIES[ties] ?? TIES.fifo;
}

const TIES = {
  fifo: "the one that has waited longest comes first",
  lifo: "the one that came last comes first",
  "low-h": "the one with the lowest h comes first",
  heap: "the one on top of the heap comes first",
};

/** Return that a level has equal boards on both sides of the cut; "" if it has none. */
function dropTie(right, next, model) {
  const level = [
    ...model.frontier.entries.map((entry) => entry.node).filter(({ g }) => g === nodeOf(next).g + 1),
    ...childrenOf(next).filter(({ fate }) => fate === "enqueued").map((child) => child.node),
  ];
  const [dropped, kept] = [true, false].map((isGone) => level.filter((node) => right.has(keyOf(node)) === isGone));
  const least = Math.min(...dropped.map(({ h }) => h));
  if (!kept.some(({ h }) => h === least)) return "";
  return `Boards with the estimate ${least} tie, so any of them may be dropped; here ${model.order.ties === "lifo" ? "the older ones are" : "the newer ones are"}.`;
}

function misjudged(keys, next, model) {
  const node = nodeOf(next);
  const children = childrenOf(next).filter((child) => child.node.parent === node.number && child.fate !== "pruned");
  const wrong = children.filter(({ node: child, fate }) => keys.has(keyOf(child)) === ["enqueued", "reopened", "updated"].includes(fate));
  const explained = wrong.slice(0, MOST_EXPLAINED)
    .map((child) => `${moveName(child.node.move)} is ${nameOf(child.fate, model)} (${fateReason(child, model)})`);
  return `${listed(explained)}.`;
}

function nameOf(fate, model) {
  return fateName(fate, model) === "duplicate" ? "discarded" : fateName(fate, model);
}
