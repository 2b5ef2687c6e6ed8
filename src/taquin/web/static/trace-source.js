// The sources of a film: a search on the server, or a recorded trace.

import { orderOf } from "./frontier.js";
import { StepBuilder } from "./trace-steps.js";

/** A longer line, in characters, cannot be a record. */
const LONGEST_LINE = 10_000_000;

/** Boards with more cells are not drawn: each step shows a dozen of them. */
const MOST_CELLS = 900;

/** A file that is not a trace, or a search that failed; the message is a sentence. */
class TraceError extends Error {}

/**
 * Return a source of steps that runs a search: `open(signal)` begins a stream of `{event, data}`.
 * `onQueue(place)` is called while the search waits in the queue.
 */
export function searchSource(open, onQueue) {
  const controller = new AbortController();
  return { ...source(records(open(controller.signal), onQueue)), close: () => controller.abort() };
}

/** Return a source of steps that reads a file of JSON lines. */
export function fileSource(file) {
  const lines = linesOf(file);
  return { ...source(parsed(lines)), close: () => lines.return() };
}

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
      throw new TraceError("This is not a trace: its first line should say “taquin-trace”. Write one with “taquin trace --json”.");
    }
    if (first.version !== 1) throw new TraceError(`This trace has version ${first.version}; the page reads version 1.`);
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

function stepFrom(builder, record) {
  const [rows, columns] = [record.node?.board?.length ?? 0, record.node?.board?.[0]?.length ?? 0];
  if (rows * columns > MOST_CELLS) {
    throw new TraceError(`The boards of this trace have ${rows}×${columns} cells; the page shows boards of up to ${MOST_CELLS}.`);
  }
  try {
    return builder.add(record);
  } catch {
    throw new TraceError("This trace has a record that is not an event of a search.");
  }
}

/** Yield the records of a stream; its other events are about the queue, or an error. */
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
    // A broken connection is a TypeError without a useful message; the error below explains it.
    if (!(error instanceof TypeError)) throw error;
  }
  if (!isOver) throw new TraceError("The search has ended: the server was stopped, or gave its place to another search.");
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
    // Thrown below, also for JSON that is not an object.
  }
  throw new TraceError(`Line ${number} of the file is not a record of a trace.`);
}

/** Yield the lines of a file; it is read only as far as needed. */
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
      if (text.length > LONGEST_LINE) throw new TraceError("This is not a trace: one of its lines is too long.");
    }
    if (text) yield text;
  } finally {
    reader.cancel().catch(() => {});
  }
}
