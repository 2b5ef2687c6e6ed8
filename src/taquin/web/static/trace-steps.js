// The steps of a search, made of the records of its trace.
//
//   started   expanded generated generated   bound-raised   expanded …   goal-found finished
//   └ start ┘ └──────── expand ────────────┘ └─ round ────┘ └ expand ┘   └────── goal ─────┘
//
// A step is what a watcher takes in at a time: one board that is taken, and all that comes of it.

const HEADS = {
  started: "start",
  "bound-raised": "round",
  expanded: "expand",
  discarded: "discard",
  "goal-found": "goal",
  finished: "end",
};

/** Events of one step that are kept: no beam is so wide that it may fill the memory. */
export const MOST_EVENTS = 5000;

/** Return a node of a record with its cells in one list and numbers that compare. */
export function readNode(record) {
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

export class StepMaker {
  #step = null;

  /** Take a record of an event; return the step that it ends, if it begins another. */
  take(record) {
    const event = readEvent(record);
    if (!this.#begins(event)) {
      addEvent(this.#step, event);
      return null;
    }
    const done = this.#step;
    this.#step = newStep(event);
    return done;
  }

  /** Return the step that no record ended; null when there is none. */
  end() {
    const done = this.#step;
    this.#step = null;
    return done;
  }

  #begins(event) {
    const step = this.#step;
    if (step === null) return true;
    if (event.name === "started") return false;
    if (event.name === "finished") return step.kind !== "goal";
    // A depth-first search throws a board away as soon as it has made it: that is its fate.
    if (event.name === "discarded") return !step.events.some((each) => isMaking(each, event.node));
    return event.name in HEADS;
  }
}

function readEvent(record) {
  if (!(record.event in HEADS) && !["generated", "backtracked", "improved"].includes(record.event)) {
    throw new Error(`expected an event of a search, found ${String(record.event).slice(0, 40)}`);
  }
  return {
    name: record.event,
    node: record.node ? readNode(record.node) : null,
    fate: record.fate,
    frontier: record.frontier,
    closed: record.closed,
    bound: record.bound === null ? Infinity : record.bound,
    round: record.round,
    cost: record.cost,
    result: record.result,
  };
}

function newStep(event) {
  return { kind: HEADS[event.name] ?? "start", events: [event], more: 0 };
}

function addEvent(step, event) {
  if (step.events.length < MOST_EVENTS || event.name === "finished") step.events.push(event);
  else step.more += 1;
}

function isMaking(event, node) {
  return event.name === "generated" && event.node.number === node.number;
}

/** Return the board that a step is about; null for a new round and an end without one. */
export function nodeOf(step) {
  return step.events[0].node;
}

/** Return the boards made in a step, each with its fate. */
export function childrenOf(step) {
  const gone = new Set(step.events.filter((each) => each.name === "discarded")
    .map((each) => each.node.number));
  return step.events.filter((each) => each.name === "generated").map(({ node, fate }) => (
    { node, fate: gone.has(node.number) ? "duplicate" : fate }
  ));
}

/** Return how the search ended, if it did so in this step. */
export function resultOf(step) {
  return step.events.find((each) => each.name === "finished")?.result ?? null;
}
