// Requests: JSON in and out, and event streams. `python/side.js` decides who answers, a server or this browser.

import { send } from "../python/side.js";
import { PythonError } from "./said.js";

const UNREACHABLE = "The server cannot be reached: is “taquin serve” still running?";

/** Return the JSON answer to a GET request. */
export async function get(path) {
  return answer(await request(path));
}

/**
 * Return the JSON answer to a JSON body.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal] cancels the request
 */
export async function post(path, body, signal) {
  return answer(await request(path, postOptions(body, signal)));
}

/** Return the file that answers a JSON body, as a blob. */
export async function file(path, body) {
  const response = await request(path, postOptions(body));
  if (!response.ok) throw await refusal(response);
  return response.blob();
}

/**
 * Yield `{event, data}` as the server sends them; `data` is parsed JSON.
 *
 * The first event is `name`: what /api/stop calls this stream. The stream is read only as fast as the
 * caller iterates, and the server waits for it. Leaving the loop, or aborting the signal, closes the
 * connection, which cancels the search.
 * @param {string} path
 * @param {object} body
 * @param {AbortSignal} [signal]
 */
export async function* stream(path, body, signal) {
  const response = await request(path, postOptions(body, signal));
  if (!response.ok) throw await refusal(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    yield { event: "name", data: response.headers.get("Taquin-Turn") ?? "" };
    for (;;) {
      const { value, done } = await reader.read().catch(throwUnreachable);
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

function postOptions(body, signal = undefined) {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

function request(path, options = undefined) {
  return send(path, options).catch(throwUnreachable);
}

/**
 * Throw the error for a server that cannot be reached, which `fetch` and streams call a TypeError.
 * @returns {never}
 */
function throwUnreachable(error) {
  throw error instanceof TypeError ? new Error(UNREACHABLE) : error;
}

async function answer(response) {
  if (!response.ok) throw await refusal(response);
  return response.json();
}

/** Return the error of a response; Python tells most of them. */
async function refusal(response) {
  const body = await response.json().catch(() => ({}));
  return body.error ? new PythonError(body) : new Error(`The server answered ${response.status}.`);
}
