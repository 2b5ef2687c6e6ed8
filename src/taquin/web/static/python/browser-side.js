// Requests answered in this browser: Web Workers run the code of the server in Pyodide (`worker.js`).
//
//     quick    verdicts, hints, files: short requests, which no search delays
//     search   solve, trace, race; Stop ends it, the quick one takes its place, and a new one starts
//
// While one of them still starts, the other answers everything, unless a search holds it.
//
// User code has a third worker, in a sandbox (`sandbox.js`), which starts with the first request that holds code.
// Where a server answers everything else, it is the only one.
// Stop, or no answer for some seconds, removes the sandbox with the code that runs in it.

import { text } from "../page/messages.js";
import { sandboxedWorker } from "./sandbox.js";

const SEARCHES = ["/api/solve", "/api/trace", "/api/race"];
/** Searches that block their worker until they end. The others pause while nobody reads their stream. */
const HOLDING = ["/api/solve", "/api/scramble"];
const AHEAD = 2;
/**
 * The time for an answer of user code: this many starts of Python, which takes longer on a slow machine, within these
 * seconds. A search that the code is tried with has a limit of some seconds itself.
 */
const [STARTS, LEAST_SECONDS, MOST_SECONDS] = [3, 10, 30];
/** The pieces of a stream that may wait to be read; each MiB counts as one more. */
const MOST_UNREAD = 100;
/** A start of Python that gives no sign of life for so long has failed. */
const START_SECONDS = 90;
/** A full audit has a limit of its own. */
const AUDIT_SECONDS = 150;

/** The workers, and which of them answers a request. */
export class BrowserSide {
  isReady = false;
  hasFailed = false;
  /** Runs user code; null before the first. */
  sandbox = null;
  quick = null;
  search = null;
  /** Resolves when Python answers requests without user code; null if a server answers those. */
  ready = null;

  /**
   * `runtime` names the folder of Pyodide and the archive of taquin's code, and has the digests of the files. Where
   * its `only` is "code", every request holds user code.
   */
  constructor(runtime) {
    this.runtime = runtime;
    this.isCodeOnly = runtime.only === "code";
    if (this.isCodeOnly) return;
    this.quick = this.#worker();
    // One after the other: the first is ready sooner, and the second finds the files in the cache. The one that
    // runs the code of an open editor comes before it.
    this.search = this.#worker(this.quick.ready.then(() => this.sandbox?.ready));
    this.ready = this.quick.ready;
    this.ready.then(
      () => {
        this.isReady = true;
      },
      () => {
        this.hasFailed = true;
      },
    );
  }

  /** Return whether a request runs a search. */
  isSearch(path) {
    return SEARCHES.includes(path);
  }

  /** Call a function with the bytes that were downloaded, now and then, while Python starts. */
  onProgress(listener) {
    this.quick.onProgress = listener;
  }

  /** End all workers. */
  close() {
    for (const worker of [this.quick, this.search, this.sandbox])
      worker?.end(text("errors.pythonEnded"));
  }

  /** Return the response to a request without user code, as `fetch` does. */
  async send(path, { body = "", signal = undefined } = {}) {
    if (path === "/api/stop") return Response.json({ stopped: this.stop(JSON.parse(body).turn) });
    const isSearch =
      this.isSearch(path) || (path === "/api/scramble" && "distance" in JSON.parse(body));
    const isHolding = isSearch && HOLDING.includes(path);
    const canHelp = this.search.isReady && !this.search.isHeld && !this.quick.isReady;
    const worker = (isSearch && this.search.isReady) || canHelp ? this.search : this.quick;
    // Short requests then wait for the worker that starts, rather than for a search.
    if (isHolding && worker !== this.search) [this.quick, this.search] = [this.search, worker];
    return worker.send(path, body, signal, {
      stop: isHolding ? () => this.#replace(worker) : undefined,
    });
  }

  /** Ask a stream to end with what it has; return whether one of the workers will. */
  stop(turn) {
    return [this.search, this.quick, this.sandbox].some((worker) => worker?.stop(turn));
  }

  /** Return the worker for user code, and start it if there is none. */
  prepareSandbox() {
    this.sandbox ??= this.#sandbox();
    return this.sandbox;
  }

  /** End the user code that was run; the next code starts in a new sandbox. */
  endSandbox() {
    this.sandbox?.end(text("errors.codeStopped"));
    this.sandbox = null;
  }

  /** Return the response to a request with user code. */
  sendCode(path, { body = "", signal = undefined } = {}) {
    const worker = this.prepareSandbox();
    const seconds = () =>
      path === "/api/audit"
        ? AUDIT_SECONDS
        : Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, STARTS * worker.startSeconds));
    const late = () => text("errors.codeLate", { count: Math.round(seconds()) });
    return worker.send(path, body, signal, {
      stopIfBusy: () => this.#replace(worker),
      seconds,
      onLate: () => this.#replace(worker, late()),
    });
  }

  #sandbox() {
    const worker = this.#start(() => sandboxedWorker(this.runtime.digests));
    worker.ready.catch(() => {
      if (this.sandbox === worker) this.sandbox = null;
    });
    return worker;
  }

  #worker(after = Promise.resolve()) {
    const open = () => ({
      worker: new Worker(new URL("worker.js", import.meta.url), { type: "module" }),
    });
    return this.#start(() => after.catch(() => {}).then(open));
  }

  #start(open) {
    return new PythonWorker(this.runtime, open, (worker, reason) =>
      this.#replace(worker, text("errors.pythonLost", { reason })),
    );
  }

  #replace(worker, sentence = text("errors.searchStopped")) {
    worker.end(sentence);
    if (worker === this.sandbox) {
      this.sandbox = this.#sandbox();
      return;
    }
    if (worker === this.search) this.search = this.quick;
    else if (worker !== this.quick) return;
    this.quick = this.#worker();
  }
}

/** The number of requests to all workers. */
let count = 0;

/** A Web Worker with Python in it, and the requests that it has not answered yet. */
class PythonWorker {
  #requests = new Map();
  #isEnded = false;
  #abandon;
  /** Called with the bytes that were downloaded while Python starts. */
  onProgress = null;
  isReady = false;

  /**
   * `open` returns a promise of the worker, and of the files that it cannot fetch itself. `onEnd` is called with
   * this object and the reason if Python ends after it was ready.
   */
  constructor(runtime, open, onEnd) {
    this.onEnd = onEnd;
    // A worker that is ended before it is ready will never be.
    const ended = new Promise((_, reject) => {
      this.#abandon = reject;
    });
    this.ready = Promise.race([this.#start(runtime, open), ended]);
    // Each request reports the failure.
    this.ready.catch(() => {});
  }

  /**
   * Return the response to a request.
   * @param {string} path
   * @param {string} body
   * @param {AbortSignal} signal
   * @param {{stop?: () => void, stopIfBusy?: () => void, seconds?: () => number, onLate?: () => void}} ending
   *   `stop` cancels the request, and `stopIfBusy` if the signal is aborted while the worker is busy with it;
   *   `onLate` is called when no answer has come for so many seconds
   */
  async send(path, body, signal, { stop, stopIfBusy, seconds, onLate }) {
    await Promise.race([this.ready, aborted(signal)]);
    signal?.throwIfAborted();
    const id = count++;
    return new Promise((resolve, reject) => {
      const post = (message) => this.worker.postMessage({ id, ...message });
      const cancel = (isAborted) => {
        if (!this.#requests.delete(id)) return;
        if (stop) stop();
        else if (stopIfBusy && isAborted && reply.isBusy) stopIfBusy();
        else post({ close: true });
      };
      const reply = new Reply(resolve, reject, post, cancel, { id, seconds, onLate });
      reply.isHolding = Boolean(stop);
      this.#requests.set(id, reply);
      signal?.addEventListener("abort", () => reply.abort(signal.reason));
      reply.ask({ path, body });
    });
  }

  /** Whether a search holds it until that ends. */
  get isHeld() {
    return [...this.#requests.values()].some((reply) => reply.isHolding);
  }

  /** Ask a stream to end with what it has; return whether the worker can receive that while it searches. */
  stop(name) {
    const id = Number(name);
    const canHear = "Suspending" in WebAssembly && this.#requests.has(id);
    if (canHear) this.worker.postMessage({ id, stop: true });
    return canHear;
  }

  /** End the worker; what it has not answered fails with a sentence. */
  end(sentence) {
    this.#isEnded = true;
    this.#abandon(new Error(sentence));
    this.worker?.terminate();
    for (const reply of this.#requests.values()) reply.fail(new Error(sentence));
    this.#requests.clear();
  }

  /** @returns {Promise<void>} */
  async #start({ pyodide, source, library }, open) {
    const { worker, files } = await open().catch(({ message }) => {
      throw new Error(text("errors.pythonFailed", { reason: message }));
    });
    const begun = performance.now();
    this.worker = worker;
    if (this.#isEnded) worker.terminate();
    const addressOf = (name) => name && new URL(`../${name}`, import.meta.url).href;
    const addresses = {
      pyodide: addressOf(pyodide),
      source: addressOf(source),
      library: addressOf(library),
    };
    return new Promise((resolve, reject) => {
      let timer = 0;
      const fail = (reason = text("errors.noWorker")) => {
        clearTimeout(timer);
        const sentence = text("errors.pythonFailed", { reason });
        reject(new Error(sentence));
        this.end(sentence);
      };
      const expect = () => {
        clearTimeout(timer);
        const late = () => fail(text("errors.pythonLate", { count: START_SECONDS }));
        timer = setTimeout(late, START_SECONDS * 1000);
      };
      expect();
      this.worker.onerror = ({ message }) => fail(message);
      this.worker.onmessage = ({ data }) => {
        // From then on, user code may send messages too.
        if (this.isReady) this.#receive(data);
        else if (data.progress) {
          expect();
          this.onProgress?.(data.progress);
        } else if (data.missing) {
          fail(text("errors.fileMissing", data.missing));
        } else if (data.ready) {
          clearTimeout(timer);
          this.startSeconds = (performance.now() - begun) / 1000;
          this.isReady = true;
          resolve();
        } else fail(data.failure);
      };
      this.worker.postMessage({ ...addresses, files }, Object.values(files ?? {}));
    });
  }

  #receive({ id, failure, refused, ...message }) {
    if (failure) {
      this.onEnd(this, failure);
      return;
    }
    try {
      if (refused) throw new RangeError();
      if (this.#requests.get(id)?.receive(message)) this.#requests.delete(id);
    } catch {
      this.onEnd(this, text("errors.codeMessages"));
    }
  }
}

/** The answer to one request: a Response, whose stream is filled as the worker sends it. */
class Reply {
  #encoder = new TextEncoder();
  #controller = null;
  #onPiece = null;
  #timer = 0;
  /** Whether the worker has this request and has not answered. */
  isBusy = false;
  /** Whether the worker cannot answer anything else before this ends. */
  isHolding = false;

  constructor(resolve, reject, post, cancel, { id, seconds, onLate }) {
    this.id = id;
    this.resolve = resolve;
    this.reject = reject;
    this.post = post;
    this.cancel = cancel;
    this.seconds = seconds;
    this.onLate = onLate;
  }

  /** Send the worker a message that it answers. */
  ask(message) {
    this.post(message);
    this.isBusy = true;
    if (this.onLate) this.#timer = setTimeout(this.onLate, this.seconds() * 1000);
  }

  /** Take a message of the worker; return whether it was the last. Throw for one that only user code sends. */
  receive({ status, type, body, isStream, piece, isOver }) {
    if (isStream && this.#controller) return false;
    const isExpected = this.#controller
      ? !status && this.#controller.desiredSize > -MOST_UNREAD
      : isStream || status;
    if (!isExpected) throw new RangeError();
    clearTimeout(this.#timer);
    this.isBusy = false;
    if (isStream) this.resolve(this.#stream());
    else if (status)
      this.resolve(new Response(body, { status, headers: { "Content-Type": type } }));
    else if (piece) this.#controller.enqueue(this.#encoder.encode(piece));
    if (isOver) this.#controller.close();
    this.#onPiece?.();
    return isOver || Boolean(status);
  }

  fail(error) {
    clearTimeout(this.#timer);
    this.reject(error);
    this.#controller?.error(error);
    this.#onPiece?.();
  }

  abort(reason) {
    this.fail(reason);
    this.cancel(true);
  }

  #stream() {
    const stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          this.ask({ more: true });
          return /** @type {Promise<void>} */ (
            new Promise((resolve) => {
              this.#onPiece = resolve;
            })
          );
        },
        cancel: () => {
          clearTimeout(this.#timer);
          this.cancel(false);
        },
      },
      { highWaterMark: AHEAD, size: ({ byteLength }) => 1 + byteLength / 2 ** 20 },
    );
    return new Response(stream, {
      headers: { "Content-Type": "text/event-stream", "Taquin-Turn": String(this.id) },
    });
  }
}

function aborted(signal) {
  return new Promise((resolve) => signal?.addEventListener("abort", resolve));
}
