// The way to the server: JSON in and out, and streams of events.

/** What is said when no server answers. */
const UNREACHED = "The server cannot be reached: is “taquin serve” still running?";

/** What the server refused, in its own sentence. */
export class ApiError extends Error {
  constructor(status, message, retryAfter = null) {
    super(message);
    this.status = status;
    /** Seconds after which a busy server asks to be asked again; null when it did not say. */
    this.retryAfter = retryAfter;
  }
}

/**
 * Return what the server answers to a question.
 * @param {string} path
 * @param {{signal?: AbortSignal}} [options]
 */
export async function get(path, { signal } = {}) {
  return answer(await reach(path, { signal }));
}

/**
 * Return what the server answers to a JSON body.
 * @param {string} path
 * @param {object} body
 * @param {{signal?: AbortSignal}} [options]
 */
export async function post(path, body, { signal } = {}) {
  return answer(await reach(path, asJson(body, signal)));
}

/**
 * Return a file that the server makes of a JSON body, as a blob.
 * @param {string} path
 * @param {object} body
 * @param {{signal?: AbortSignal}} [options]
 */
export async function file(path, body, { signal } = {}) {
  const response = await reach(path, asJson(body, signal));
  if (!response.ok) throw await refusal(response);
  return response.blob();
}

/**
 * Yield `{event, data}` as the server sends them; `data` is parsed JSON.
 *
 * The first is `turn`, the name by which /api/stop asks for the end of this one. It reads only when
 * it is asked, so a slow reader slows the server down. Leaving the loop, or aborting the signal,
 * closes the connection, which ends the search behind it.
 * @param {string} path
 * @param {object} body
 * @param {{signal?: AbortSignal}} [options]
 */
export async function* stream(path, body, { signal } = {}) {
  const response = await reach(path, asJson(body, signal));
  if (!response.ok) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    yield { event: "turn", data: response.headers.get("Taquin-Turn") ?? "" };
    for (;;) {
      const { value, done } = await reader.read().catch(lost);
      if (done) return;
      text += value.replaceAll("\r", "");
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const message = readEvent(block);
        if (message) yield message;
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Return `{event, data}` of one block of a server-sent event stream; null for a comment. */
export function readEvent(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { event, data: JSON.parse(data.join("\n")) } : null;
}

function asJson(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

function reach(path, options) {
  return fetch(path, options).catch(lost);
}

/**
 * Throw the error that says the server is gone; a request that was aborted stays aborted.
 * @returns {never}
 */
function lost(error) {
  if (error.name === "AbortError") throw error;
  throw new ApiError(0, UNREACHED);
}

async function answer(response) {
  if (!response.ok) throw await refusal(response);
  return response.json();
}

async function refusal(response) {
  const body = await response.json().catch(() => ({}));
  const message = body.error || `The server answered ${response.status}.`;
  const seconds = Number(response.headers.get("Retry-After"));
  return new ApiError(response.status, message, seconds || null);
}
