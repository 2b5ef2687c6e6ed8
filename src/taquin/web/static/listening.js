// Following what the server tells of a search.

import { ApiError, stream } from "./api.js";

/**
 * Hear a stream to its end: `heard[event](data)` for each event, an error for `error`.
 * `paused()` may return a promise: not to read on is to pause, the server waits for its reader.
 */
export async function listen(path, body, signal, heard, paused = () => null) {
  for await (const { event, data } of stream(path, body, { signal })) {
    if (event === "error") throw new ApiError(data.status ?? 500, data.error);
    heard[event]?.(data);
    await paused();
  }
}

/** One search at a time, which can be ended; closing its stream ends it on the server. */
export class Turn {
  #stop = null;
  #changed;
  #fail;

  /** `changed(isRunning)` hears beginnings and ends, `fail(error)` what went wrong. */
  constructor(changed, fail) {
    this.#changed = changed;
    this.#fail = fail;
  }

  /** Do a task, which is handed the signal that ends it; the one before is ended. */
  async take(task) {
    this.end();
    const stop = new AbortController();
    this.#stop = stop;
    this.#changed(true);
    try {
      await task(stop.signal);
    } catch (error) {
      this.#fail(error);
    } finally {
      if (this.#stop === stop) this.#over();
    }
  }

  /** End the task under way; tell whether there was one. */
  end() {
    if (!this.#stop) return false;
    this.#stop.abort();
    this.#over();
    return true;
  }

  #over() {
    this.#stop = null;
    this.#changed(false);
  }
}

/** Say that others are served first. */
export function queueWords(place) {
  return `Other searches are running; this one is number ${place} in the queue.`;
}
