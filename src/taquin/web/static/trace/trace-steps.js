// The steps of a search, built from the records of its trace.
//
//   started   expanded generated generated   bound-raised   expanded …   goal-found finished
//   └ start ┘ └──────── expand ────────────┘ └─ round ────┘ └ expand ┘   └────── goal ─────┘
//
// A step is one unit for the viewer: one dequeued board, and everything that follows from it.

/** @import { Label, Move } from "../puzzle/puzzle.js" */

/**
 * @typedef {{number: number, parent: number | null, cells: Label[], columns: number,
 *   move: Move | null, g: number, h: number, f: number, side: string}} SearchNode
 * @typedef {{outcome: string, cost: number | null, optimal: boolean, lower_bound: number,
 *   reason: string, assumes: string, start: Label[][], stats?: {max_depth: number}}} Result
 * @typedef {{name: string, node: SearchNode | null, fate: string, frontier: number, bound: number,
 *   round: number, cost: number, result: Result}} TraceEvent an event has only what its name needs
 * @typedef {{kind: string, events: TraceEvent[], more: number}} Step `more` events are not kept
 * @typedef {{node: SearchNode & {move: Move}, fate: string}} Child
 */

/** The kind of step that an event begins. @type {Record<string, string>} */
const KINDS = {
  started: "start",
  "bound-raised": "round",
  expanded: "expand",
  discarded: "discard",
  "goal-found": "goal",
  finished: "end",
};

/** The most events of a step that are kept, whatever the width of a beam. */
const MOST_EVENTS = 5000;

/**
 * Return the node of a record, with its cells in one list and a comparable f.
 * @param {any} record
 * @returns {SearchNode}
 */
function readNode(record) {
  return {
    number: record.number,
    parent: record.parent,
    cells: record.board.flat(),
    columns: record.board[0].length,
    move: record.move,
    g: record.depth,
    h: record.h,
    f: record.f === null ? Infinity : record.f,
    side: record.side ?? "start",
  };
}

export class StepBuilder {
  /** Whether the search follows one path, as a depth-first search does. */
  isPath = false;
  /** @type {Step | null} */
  #step = null;

  /**
   * Add the record of an event; return the step before it, if it begins another.
   * @param {any} record
   */
  add(record) {
    const event = readEvent(record);
    const step = this.#step;
    if (step === null || begins(event, step, this.isPath)) this.#step = newStep(event);
    else append(step, event);
    return step === this.#step ? null : step;
  }

  /** Return the last step; null if there is none. */
  end() {
    const done = this.#step;
    this.#step = null;
    return done;
  }
}

/**
 * Return whether an event begins another step than `step`.
 * @param {TraceEvent} event
 * @param {Step} step
 * @param {boolean} isPath
 */
function begins(event, step, isPath) {
  if (event.name === "started") return false;
  if (event.name === "finished") return step.kind !== "goal";
  // A depth-first search discards a board right after generating it; that belongs to the same step.
  if (event.name === "discarded" && isPath)
    return !step.events.some((earlier) => isGeneration(earlier, event.node));
  return event.name in KINDS;
}

/** @param {any} record @returns {TraceEvent} */
function readEvent(record) {
  if (
    !(record.event in KINDS) &&
    !["generated", "backtracked", "improved"].includes(record.event)
  ) {
    // The film says that its trace cannot be read.
    throw new TypeError(String(record.event));
  }
  return {
    name: record.event,
    node: record.node ? readNode(record.node) : null,
    fate: record.fate,
    frontier: record.frontier,
    bound: record.bound === null ? Infinity : record.bound,
    round: record.round,
    cost: record.cost,
    result: record.result,
  };
}

/** @param {TraceEvent} event @returns {Step} */
function newStep(event) {
  return { kind: KINDS[event.name] ?? "start", events: [event], more: 0 };
}

/** @param {Step} step @param {TraceEvent} event */
function append(step, event) {
  if (step.events.length < MOST_EVENTS || event.name === "finished") step.events.push(event);
  else step.more += 1;
}

/** @param {TraceEvent} event @param {SearchNode | null} node */
function isGeneration(event, node) {
  return event.name === "generated" && event.node?.number === node?.number;
}

/**
 * Return the node of a step; null for a new round, and for an end without a node.
 * @param {Step} step
 */
export function nodeOf(step) {
  return /** @type {SearchNode} */ (step.events[0].node);
}

/**
 * Return the nodes generated in a step, each with its fate.
 * @param {Step} step
 * @returns {Child[]}
 */
export function childrenOf(step) {
  const named = (/** @type {string} */ name) =>
    /** @type {Child[]} */ (step.events.filter((event) => event.name === name));
  const discarded = new Set(named("discarded").map(({ node }) => node.number));
  return named("generated").map(({ node, fate }) => ({
    node,
    fate: discarded.has(node.number) ? "duplicate" : fate,
  }));
}

/** Return the result of the search if it ended in this step, else null. @param {Step} step */
export function resultOf(step) {
  return step.events.find(({ name }) => name === "finished")?.result ?? null;
}
