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

/** Say that others are served first. */
export function queueWords(place) {
  return `Other searches are running; this one is number ${place} in the queue.`;
}
