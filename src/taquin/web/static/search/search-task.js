// Running a search on the server: its events, and how it is cancelled.

import { stream } from "../page/api.js";
import { text } from "../page/messages.js";
import { PythonError } from "../page/said.js";

/**
 * Read a stream to its end: call `handlers[event](data)` for each event, and throw for `error`.
 * `paused()` may return a promise: while it waits nothing is read, and the server pauses too.
 */
export async function readEvents(path, body, signal, handlers, paused = () => null) {
  for await (const { event, data } of stream(path, body, signal)) {
    if (event === "error") throw new PythonError(data);
    handlers[event]?.(data);
    await paused();
  }
}

/** The one search that runs, if any; closing its stream cancels it on the server. */
export class SearchTask {
  #controller = null;
  #onRunning;
  #onError;

  /** `onRunning(isRunning)` is called at the start and the end, `onError(error)` on failure. */
  constructor(onRunning, onError) {
    this.#onRunning = onRunning;
    this.#onError = onError;
  }

  /** Cancel the search that runs, and run `search(signal)`; the signal cancels it. */
  async run(search) {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    this.#onRunning(true);
    try {
      await search(controller.signal);
    } catch (error) {
      this.#onError(error);
    } finally {
      if (this.#controller === controller) this.#end();
    }
  }

  /** Cancel the search; return whether one was running. */
  cancel() {
    if (!this.#controller) return false;
    this.#controller.abort();
    this.#end();
    return true;
  }

  #end() {
    this.#controller = null;
    this.#onRunning(false);
  }
}

/** Return the sentence for a search that waits in the queue. */
export function queueSentence(place) {
  return text("search.queue", { place });
}
