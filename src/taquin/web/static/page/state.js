// The state of the page, which is in the address, so that a link shares it:
//
//     #play?board=4,1,3/0,2,6/7,5,8&goal=snail&moves=UL
//
// `view` is the word before the `?`. All views share `board`, `goal` (a name or a text) and `metric`
// (single or multi); each view has further values of its own. Values are strings. A new `board`
// begins a new game, which drops the values of the old one (GAME). While nobody has chosen a board, the
// address has none, and each view shows its own default. Choices of one browser, such as the theme, are
// in its storage instead.

import { notComment } from "../puzzle/puzzle.js";

/** The views, each with its tab. */
export const TAB_OF = {
  play: "play",
  learn: "learn",
  solve: "solve",
  watch: "watch",
  compare: "watch",
  race: "race",
  code: "code",
  studies: "studies",
};
/** @typedef {Record<string, string> & {board: string, goal: string, metric: string}} State */

/** @type {State} */
export const DEFAULTS = { board: "4 1 3 / 0 2 6 / 7 5 8", goal: "blank-last", metric: "single" };
/** The default of the views that show searches: 14 moves, for which BFS expands thousands of boards, A* dozens. */
export const SEARCH_BOARD = "8 1 3 / 4 0 2 / 7 6 5";
const SEARCH_VIEWS = ["watch", "compare", "race", "code"];
/** Set while nobody has chosen the board; not in the address. */
const UNCHOSEN = "unchosen";

const BOARDS = ["board", "goal"];
const GAME = ["moves", "time", "seed", "fewest"];
/** Changes for `set` that drop a game even if the board stays. */
export const NO_GAME = Object.fromEntries(GAME.map((key) => [key, null]));
/** Characters that need no escape in an address. */
/** @type {Record<string, string>} */
const PLAIN = { "%2C": ",", "%2F": "/", "%3A": ":", "%3D": "=", "%20": "+" };
/** Browsers refuse more than some hundred changes of the address in half a minute, so they wait. */
const WAIT_MS = 400;

/** Return the state of an address. @param {string} hash @returns {State} */
export function readHash(hash) {
  const [view, query = ""] = splitOnce(hash.replace(/^#/, ""), "?");
  /** @type {State} */
  const state = { ...DEFAULTS, view: Object.hasOwn(TAB_OF, view) ? view : "play", board: "" };
  for (const pair of query.split("&").filter(Boolean)) {
    const [key, value = ""] = splitOnce(pair, "=");
    if (key !== "view" && key !== UNCHOSEN) state[key] = decode(value);
  }
  if (!state.board) Object.assign(state, { board: defaultBoard(state.view), [UNCHOSEN]: "1" });
  state.board = expand(state.board);
  state.goal = expand(state.goal);
  return state;
}

/** @param {string} view */
function defaultBoard(view) {
  return SEARCH_VIEWS.includes(view) ? SEARCH_BOARD : DEFAULTS.board;
}

/** Return the address of a state; defaults are left out. @param {State} state */
export function writeHash({ view, [UNCHOSEN]: isUnchosen, ...values }) {
  const pairs = Object.entries(values)
    .filter(([key, value]) => (key === "board" ? !isUnchosen : value !== DEFAULTS[key]))
    .map(([key, value]) => `${key}=${encode(BOARDS.includes(key) ? compact(value) : value)}`);
  return `#${view}?${pairs.join("&")}`;
}

/**
 * Return a state with some values changed; null and "" remove a value.
 * @param {State} state
 * @param {Record<string, any>} changes
 */
export function changed(state, changes) {
  const next = { ...state };
  // Nobody moves tiles of a board, or chooses its goal, without choosing the board.
  if (changes.board || changes.goal || changes.moves) delete next[UNCHOSEN];
  else if ("board" in changes) next[UNCHOSEN] = "1";
  const board = next[UNCHOSEN] ? defaultBoard(changes.view ?? state.view) : changes.board;
  const isNewGame = board && board !== state.board && !("moves" in changes);
  if (isNewGame) for (const key of GAME) delete next[key];
  for (const [key, value] of Object.entries(changes)) {
    if (value !== null && value !== undefined && value !== "") next[key] = String(value);
    else if (key in DEFAULTS) next[key] = DEFAULTS[key];
    else delete next[key];
  }
  if (board) next.board = board;
  return next;
}

/**
 * Return the state of a window: `get()`, `set(changes, {push})`, `subscribe(listener)`, `link()`.
 *
 * Listeners are called with `(state, before)`. With `push` a change becomes an entry of the
 * browser's history; other changes replace the last entry, a moment later.
 * @param {Window} window
 */
export function createState(window) {
  let state = readHash(window.location.hash);
  let timer = 0;
  const listeners = new Set();

  const write = (push = false) => {
    clearTimeout(timer);
    const hash = writeHash(state);
    if (hash === window.location.hash) return;
    if (push) window.history.pushState(null, "", hash);
    else window.history.replaceState(null, "", hash);
  };
  const notify = (/** @type {State} */ before) => {
    for (const listener of [...listeners]) listener(state, before);
  };
  window.addEventListener("popstate", () => {
    clearTimeout(timer);
    const before = state;
    state = readHash(window.location.hash);
    notify(before);
  });
  window.addEventListener("pagehide", () => write());

  return {
    get: () => state,
    /** @param {Record<string, any>} changes */
    set(changes, { push = false } = {}) {
      const before = state;
      if (push) write();
      state = changed(state, changes);
      clearTimeout(timer);
      if (push) write(true);
      else timer = setTimeout(write, WAIT_MS);
      notify(before);
    },
    /** @param {(state: State, before: State) => void} listener */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Return the address, which names the board even if nobody has chosen it. */
    link() {
      state = changed(state, { board: state.board });
      write();
      return window.location.href;
    },
  };
}

/** @param {string} text @param {string} mark */
function splitOnce(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** @param {string} value */
function encode(value) {
  return encodeURIComponent(value).replace(/%(2C|2F|3A|3D|20)/g, (code) => PLAIN[code]);
}

/** @param {string} value */
function decode(value) {
  try {
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return value;
  }
}

/** Return the text of a board without spaces: `4,1,3/0,2,6`. @param {string} text */
export function compact(text) {
  return text
    .trim()
    .replace(/\s*\/\s*/g, "/")
    .replace(/[\s,]+/g, ",");
}

/**
 * Return the canonical text of a compact one; other notations stay as they are.
 * @param {string} text
 */
export function expand(text) {
  if (!/[,/]/.test(text)) return text;
  return notComment(
    text
      .replace(/\s*\/\s*/g, " / ")
      .replace(/[\s,]+/g, " ")
      .trim(),
  );
}

// --- choices that this browser stores ----------------------------------------------------------

/**
 * Return the text that is kept under a key; null if there is none.
 * @param {string} key
 * @param {() => Storage} [storage]
 */
export function stored(key, storage = () => localStorage) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

/**
 * Keep a text under a key; null removes it.
 * @param {string} key
 * @param {string | null} text
 * @param {() => Storage} [storage]
 */
export function store(key, text, storage = () => localStorage) {
  try {
    if (text === null) storage().removeItem(key);
    else storage().setItem(key, text);
  } catch {
    // Storage is off, or full.
  }
}
