// Where the steps of a film come from: a search on the server, or a recorded trace.

import { StepMaker } from "./trace-steps.js";

/** Characters of the longest line that is read: more are no record. */
const LONGEST = 10_000_000;

/** A file that is no trace; the message is a sentence. */
export class TraceError extends Error {}

/**
 * Return a source of steps that runs a search: `ask(signal)` begins a stream of `{event, data}`.
 * `onQueue(place)` is called while others are served first.
 * @param {(signal: AbortSignal) => AsyncIterable<any>} ask
 * @param {(place: number) => void} [onQueue]
 */
export function searchSource(ask, onQueue = () => {}) {
  const stop = new AbortController();
  return { ...source(records(ask(stop.signal), onQueue)), close: () => stop.abort() };
}

/** Return a source of steps that reads a file of JSON lines. */
export function fileSource(file) {
  const lines = linesOf(file);
  return { ...source(parsed(lines)), close: () => lines.return() };
}

function source(records) {
  const maker = new StepMaker();
  let header = null;
  let isOver = false;

  async function read() {
    const { value, done } = await records.next();
    return done ? null : value;
  }
  async function readHeader() {
    const first = await read();
    if (first?.format !== "taquin-trace") {
      throw new TraceError("This is no trace: its first line should say “taquin-trace”. Write one with “taquin trace --json”.");
    }
    if (first.version !== 1) throw new TraceError(`This trace has version ${first.version}; the page reads version 1.`);
    return { ...first, algorithm: first.algorithm ?? "" };
  }
  return {
    header: () => (header ??= readHeader()),
    async next() {
      while (!isOver) {
        const record = await read();
        if (record === null) {
          isOver = true;
          return maker.end();
        }
        const step = taken(maker, record);
        if (step) return step;
      }
      return null;
    },
  };
}

function taken(maker, record) {
  try {
    return maker.take(record);
  } catch {
    throw new TraceError("This trace holds a record that is no event of a search.");
  }
}

/** Yield the records of a stream; its other events tell of the queue, or of an error. */
async function* records(messages, onQueue) {
  let isOver = false;
  try {
    for await (const { event, data } of messages) {
      if (event === "queued") onQueue(data.place);
      else if (event === "error") throw new TraceError(data.error);
      else if (data.format || data.event) {
        isOver ||= data.event === "finished";
        yield data;
      }
    }
  } catch (error) {
    // A connection that breaks has no sentence of its own.
    if (!(error instanceof TypeError)) throw error;
  }
  if (!isOver) throw new TraceError("The search was ended: the server gave its place to others, or was stopped.");
}

async function* parsed(lines) {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim()) yield parse(line, number);
  }
}

function parse(line, number) {
  try {
    const record = JSON.parse(line);
    if (record && typeof record === "object") return record;
  } catch {
    // Told below, as is a line that is JSON but no object.
  }
  throw new TraceError(`Line ${number} of the file is no record of a trace.`);
}

/** Yield the lines of a file, reading no more of it than is asked for. */
async function* linesOf(file) {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (text + value).split("\n");
      text = lines.pop();
      yield* lines;
      if (text.length > LONGEST) throw new TraceError("This is no trace: a line of it has no end.");
    }
    if (text) yield text;
  } finally {
    reader.cancel().catch(() => {});
  }
}
