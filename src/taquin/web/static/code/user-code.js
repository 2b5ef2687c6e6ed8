// The user's Python: in the address, compressed, and whether it may run.
//
//     #code?code=S0lNU8hNzMzT…        base64url of the deflated text; searches call its file mine.py
//
// Code that came with a link is shown first, and runs after a click on “Run it”. An edit reaches the address a moment
// later; until then this window stores it, and this browser stores the last text for good.

import { stream } from "../page/api.js";
import { text as message } from "../page/messages.js";
import { readHash, store, stored } from "../page/state.js";

/** What searches call the file of the code: `astar(mine.py:mine)`. */
export const FILE = "mine.py";
/** The most characters of code; a request may not be much longer. */
export const MOST_CHARACTERS = 50_000;
const [TRUSTED, UNSAVED, LAST] = ["taquin-code", "taquin-unsaved-code", "taquin-last-code"];
const inWindow = () => sessionStorage;

export const EXAMPLES = [
  [
    "code.example_heuristic",
    `def mine(board):
    """Return at least how many moves are left."""
    width = board.grid.columns
    total = 0
    for cell, tile in enumerate(board.cells):
        if tile:  # 0 is the blank
            home = tile - 1
            total += abs(cell // width - home // width)
            # That counts the rows. Add the columns!
    return total


# True if it is never too high: the audit tells.
mine.admissible = True
`,
  ],
  [
    "code.example_inadmissible",
    `def mine(board):
    """Count two for each tile that is not at home."""
    return 2 * sum(
        1
        for cell, tile in enumerate(board.cells)
        if tile and tile != cell + 1
    )


# Is it ever too high? See the audit.
`,
  ],
  [
    "code.example_search",
    `def mine(board):
    """Search breadth-first; return the solved board."""
    queue = [board]
    seen = {board}
    for board in queue:
        if board.is_goal():
            return board
        yield board  # so that Watch shows it
        for move in board.moves():
            child = board.apply(move)
            if child not in seen:
                seen.add(child)
                queue.append(child)
`,
  ],
  [
    "code.example_order",
    `import taquin as tq
from taquin.search.best_first import Order, best_first


class Cautious:
    """Best-first search that trusts the estimate only by half."""

    name = "cautious"
    heuristic = tq.Manhattan()
    conventions = tq.AStar().conventions
    optimal = True
    exhaustive = True
    cap = None

    def loop(self, run):
        # g: moves so far, h: the estimate; lowest first.
        return best_first(run, Order(lambda g, h: 2 * g + h))
`,
  ],
];

let trusted = EXAMPLES[0][1];

/** Return the code of a state, or an edit of it that has not reached the address; the first example if it has none. */
export async function codeOf({ code }) {
  return unsavedOf(code) ?? (code ? unpack(code) : EXAMPLES[0][1]);
}

/** Let this code run, also after the page is loaded again. */
export function trust(text) {
  trusted = text;
  store(TRUSTED, text, inWindow);
}

/** Return whether the code was written or allowed in this window, or is one of the examples. */
export function isTrusted(text) {
  // A browser that keeps nothing asks again after a reload.
  trusted = stored(TRUSTED, inWindow) ?? trusted;
  return text === trusted || isExample(text);
}

function isExample(text) {
  return EXAMPLES.some(([, code]) => code === text);
}

/** Store an edit of the code in the address at once; code that may not run is not kept longer than this window. */
export function keep(text, { mayRun }) {
  store(UNSAVED, JSON.stringify({ of: addressedCode(), text }), inWindow);
  if (!mayRun) return;
  trust(text);
  if (!isExample(text)) store(LAST, text);
}

/** Forget the edit that has reached the address. */
export function forgetUnsaved() {
  store(UNSAVED, null, inWindow);
}

/** Return an edit of this packed code that has not reached the address; null if there is none. */
function unsavedOf(packed) {
  const { of, text } = JSON.parse(stored(UNSAVED, inWindow) ?? "{}");
  return text !== undefined && of === (packed ?? null) ? text : null;
}

/** Return the code that was last written in this browser; null for none. */
export function lastCode() {
  return stored(LAST);
}

function addressedCode() {
  return readHash(window.location.hash).code ?? null;
}

/**
 * Return the body of a request with the code, if one of its searches names it. For code that may not
 * run yet, show it instead.
 */
export async function withCode(body, app) {
  if (![body.search, ...(body.searches ?? [])].some((text) => text?.includes(`${FILE}:`)))
    return body;
  const code = await codeOf(app.state.get());
  if (isTrusted(code)) return { ...body, code };
  app.open("code");
  throw new DOMException("the code of the link was not run", "AbortError");
}

/** Yield the events of a trace, of user code too. */
export async function* traced(body, app, signal) {
  yield* stream("/api/trace", await withCode(body, app), signal);
}

/** Return the text for an address. */
export async function pack(text) {
  const bytes = await streamed(
    new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")),
    Infinity,
  );
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the code of an address; throw an Error if it cannot be read. */
export async function unpack(packed) {
  try {
    const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new TextDecoder("utf-8", { fatal: true }).decode(
      await streamed(stream, 4 * MOST_CHARACTERS),
    );
  } catch {
    throw new Error(message("code.bad_link"));
  }
}

/** Return the bytes of a stream; throw if there are more than `most`. */
async function streamed(stream, most) {
  const reader = stream.getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    chunks.push(value);
    size += value.length;
    if (size > most) throw new RangeError("too long");
  }
}
