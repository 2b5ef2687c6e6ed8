// A film: the steps of a search, played forward and backward. Only the last steps are kept.
//
//   0 ………… first ─────── position ─────── count        going back before `first` runs the search
//          └──────── kept ──────────────┘              again from its start
//
// Its source is a search on the server, or a recorded trace.

import { saidAsText, text } from "../page/messages.js";
import { orderOf } from "../search/searches.js";
import { TraceModel } from "./trace-model.js";
import { resultOf, StepBuilder } from "./trace-steps.js";

/** @import { Step } from "./trace-steps.js" */
/** @import { Journal } from "./trace-model.js" */
/** @typedef {{header: () => Promise<any>, next: () => Promise<Step | null>, close: () => void}} Source */

export const KEPT_STEPS = 2000;
/** The most events of all kept steps. */
const KEPT_EVENTS = 40000;

export class Film {
  /** The number of the current step; -1 before the first. */
  position = -1;
  /** The number of steps read since the search began. */
  count = 0;
  /**
   * The number of the last step, once it is known; it stays known when the film begins again.
   * @type {number | null}
   */
  last = null;
  /** @type {TraceModel | null} */
  model = null;
  #createSource;
  #options;
  /** @type {Source | null} */
  #source = null;
  /** @type {Step[]} */
  #steps = [];
  /** @type {Journal[]} */
  #journals = [];
  #events = 0;
  /**
   * The read that is under way: two callers may need the same step.
   * @type {Promise<boolean> | null}
   */
  #reading = null;
  #isOver = false;

  /**
   * `createSource` begins the search and returns `{header(), next(), close()}`; `options` are those of
   * the model.
   * @param {() => Source} createSource
   * @param {object} [options]
   */
  constructor(createSource, options = {}) {
    this.#createSource = createSource;
    this.#options = options;
  }

  get first() {
    return this.count - this.#steps.length;
  }

  get step() {
    return this.#steps[this.position - this.first];
  }

  /** Whether no step follows the current one. */
  get isAtEnd() {
    return this.#isOver && this.position + 1 === this.count;
  }

  /**
   * Go to a step, or to the last one; `goesOn(position)` returns whether to go on.
   * Steps are read only when they are needed, so the search pauses with its viewer.
   * @param {number} number
   * @param {(position: number) => boolean} [goesOn]
   */
  async seek(number, goesOn = () => true) {
    if (this.#source === null || number < this.first) await this.#begin();
    while (this.position > number && this.position > 0) this.#backward();
    while (this.position < number && goesOn(this.position)) {
      if (this.position + 1 === this.count && !(await this.#read())) break;
      this.#forward();
    }
  }

  /** Return the step after the current one without going there; null at the end. */
  async peek() {
    if (this.position + 1 === this.count && !(await this.#read())) return null;
    return this.#steps[this.position + 1 - this.first] ?? null;
  }

  close() {
    this.#source?.close();
    this.#source = null;
  }

  async #begin() {
    this.close();
    await this.#reading?.catch(() => {});
    const source = this.#createSource();
    this.#source = source;
    const header = await this.#receive(source, source.header());
    this.model = new TraceModel(header, this.#options);
    Object.assign(this, { position: -1, count: 0 });
    this.#isOver = false;
    this.#steps = [];
    this.#journals = [];
    this.#events = 0;
    // The film begins at its first step, not before it.
    if (await this.#read()) this.#forward();
  }

  /**
   * Wait for a part of a source. A source that fails is closed, so that the next seek begins another.
   * @template T
   * @param {Source} source
   * @param {Promise<T>} part
   */
  async #receive(source, part) {
    try {
      return await part;
    } catch (error) {
      if (source === this.#source) this.close();
      throw error;
    }
  }

  #read() {
    this.#reading ??= this.#readStep(this.#source).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** @param {Source | null} source */
  async #readStep(source) {
    if (this.#isOver || !source) return false;
    const step = await this.#receive(source, source.next());
    if (source !== this.#source) return false;
    if (step === null) return this.#end();
    this.#steps.push(step);
    this.#events += step.events.length;
    this.count += 1;
    // A limit on seconds may end the same search at another step.
    if (this.last !== null && this.count > this.last + 1) this.last = null;
    if (resultOf(step)) this.#end();
    return true;
  }

  #end() {
    this.#isOver = true;
    this.last = Math.max(0, this.count - 1);
    return false;
  }

  #forward() {
    this.position += 1;
    this.#journals.push(/** @type {TraceModel} */ (this.model).apply(this.step));
    while (this.#steps.length > KEPT_STEPS || this.#events > KEPT_EVENTS) {
      if (this.first >= this.position) break;
      this.#events -= this.#steps.shift()?.events.length ?? 0;
      this.#journals.shift();
    }
  }

  #backward() {
    this.#journals.pop()?.undo();
    this.position -= 1;
  }
}

// --- the sources of a film ---------------------------------------------------------------------

/** A longer line, in characters, cannot be a record. */
const LONGEST_LINE = 10_000_000;

/** Boards with more cells are not drawn: each step shows a dozen of them. */
const MOST_CELLS = 900;

/** A file that is not a trace, or a search that failed; the message is a sentence. */
class TraceError extends Error {
  /** What Python said, if the error is its own. @type {any} */
  told = null;
}

/**
 * Return a source of steps that runs a search: `open(signal)` begins a stream of `{event, data}`.
 * `onQueue(place)` is called while the search waits in the queue.
 * @param {(signal: AbortSignal) => AsyncIterable<any>} open
 * @param {(place: number) => void} onQueue
 * @returns {Source}
 */
export function searchSource(open, onQueue) {
  const controller = new AbortController();
  return { ...source(records(open(controller.signal), onQueue)), close: () => controller.abort() };
}

/**
 * Return a source of steps that reads a file of JSON lines.
 * @param {File} file
 * @returns {Source}
 */
export function fileSource(file) {
  const lines = linesOf(file);
  return { ...source(parsed(lines)), close: () => lines.return() };
}

/** @param {AsyncIterator<any>} records */
function source(records) {
  const builder = new StepBuilder();
  let header = null;
  let isOver = false;

  async function read() {
    const { value, done } = await records.next();
    return done ? null : value;
  }
  async function readHeader() {
    const first = await read();
    if (first?.format !== "taquin-trace") {
      throw new TraceError(text("watch.not-a-trace"));
    }
    if (first.version !== 1) {
      throw new TraceError(text("watch.trace-version", { version: String(first.version) }));
    }
    const algorithm = first.algorithm ?? "";
    builder.isPath = orderOf(algorithm).isPath;
    return { ...first, algorithm };
  }
  return {
    header: () => (header ??= readHeader()),
    async next() {
      while (!isOver) {
        const record = await read();
        if (record === null) {
          isOver = true;
          return builder.end();
        }
        const step = stepFrom(builder, record);
        if (step) return step;
      }
      return null;
    },
  };
}

/** @param {StepBuilder} builder @param {any} record */
function stepFrom(builder, record) {
  const [rows, columns] = [record.node?.board?.length ?? 0, record.node?.board?.[0]?.length ?? 0];
  if (rows * columns > MOST_CELLS) {
    throw new TraceError(text("watch.trace-cells", { rows, columns, most: MOST_CELLS }));
  }
  try {
    return builder.add(record);
  } catch {
    throw new TraceError(text("watch.trace-event"));
  }
}

/**
 * Yield the records of a stream. Its other events are about the queue, an error, or the sentences of the result, which
 * are written in the language of the reader.
 * @param {AsyncIterable<any>} messages
 * @param {(place: number) => void} onQueue
 */
async function* records(messages, onQueue) {
  let isOver = false;
  /** @type {[string, string][]} */
  let ending = [];
  try {
    for await (const { event, data } of messages) {
      if (event === "queued") onQueue(data.place);
      else if (event === "error") throw Object.assign(new TraceError(data.error), { told: data });
      else if (event === "ending")
        ending = Object.entries(data).map(([name, told]) => [name, saidAsText(told)]);
      else if (data.format || data.event) {
        isOver ||= data.event === "finished";
        if (data.event === "finished") Object.assign(data.result, Object.fromEntries(ending));
        yield data;
      }
    }
  } catch (error) {
    // A broken connection is a TypeError without a useful message; the error below explains it.
    if (!(error instanceof TypeError)) throw error;
  }
  if (!isOver) throw new TraceError(text("watch.ended"));
}

/** @param {AsyncIterable<string>} lines */
async function* parsed(lines) {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim()) yield parse(line, number);
  }
}

/** @param {string} line @param {number} number */
function parse(line, number) {
  try {
    const record = JSON.parse(line);
    if (record && typeof record === "object") return record;
  } catch {
    // Thrown below, also for JSON that is not an object.
  }
  throw new TraceError(text("watch.trace-line", { line: number }));
}

/** Yield the lines of a file; it is read only as far as needed. @param {File} file */
async function* linesOf(file) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let unread = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (unread + value).split("\n");
      unread = lines.pop() ?? "";
      yield* lines;
      if (unread.length > LONGEST_LINE) throw new TraceError(text("watch.trace-long"));
    }
    if (unread) yield unread;
  } finally {
    reader.cancel().catch(() => {});
  }
}
