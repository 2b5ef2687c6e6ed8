// Requests answered in this browser: Web Workers run the code of the server in Pyodide (`worker.js`).
//
//     quick    verdicts, hints, files: short requests, which no search delays
//     search   solve, trace, race; Stop ends it, the quick one takes its place, and a new one starts

const SEARCHES = ["/api/solve", "/api/trace", "/api/race"];
/** Searches that hold their worker until they end. The others wait whenever nobody reads. */
const HOLDING = ["/api/solve", "/api/scramble"];
const AHEAD = 2;

/** Two workers, and which of them answers a request. */
export class BrowserSide {
  isReady = false;
  hasFailed = false;

  /** `runtime` names the folder of Pyodide and the archive of taquin's code. */
  constructor(runtime) {
    this.runtime = runtime;
    this.quick = new PythonWorker(runtime);
    // One after the other: the first is ready sooner, and the second finds the files in the cache.
    this.search = new PythonWorker(runtime, this.quick.ready);
    this.ready = this.quick.ready;
    this.ready.then(() => { this.isReady = true; }, () => { this.hasFailed = true; });
  }

  /** Return the response to a request, as `fetch` does. */
  async send(path, { body = "", signal = undefined } = {}) {
    const isSearch = SEARCHES.includes(path) || (path === "/api/scramble" && "distance" in JSON.parse(body));
    const worker = isSearch ? this.search : this.quick;
    const stop = isSearch && HOLDING.includes(path) ? () => this.#replace(worker) : undefined;
    return worker.send(path, body, signal, stop);
  }

  #replace(worker) {
    worker.end("The search was stopped.");
    if (worker !== this.search) return;
    this.search = this.quick;
    this.quick = new PythonWorker(this.runtime);
  }
}

/** A Web Worker with Python in it, and the requests that it has not answered yet. */
class PythonWorker {
  #requests = new Map();
  #count = 0;

  constructor(runtime, after = Promise.resolve()) {
    this.ready = after.catch(() => {}).then(() => this.#start(runtime));
    // Whoever sends a request meets the failure.
    this.ready.catch(() => {});
  }

  async send(path, body, signal, stop) {
    await Promise.race([this.ready, aborted(signal)]);
    signal?.throwIfAborted();
    const id = this.#count++;
    return new Promise((resolve, reject) => {
      const post = (message) => this.worker.postMessage({ id, ...message });
      const reply = new Reply(resolve, reject, post, () => {
        if (!this.#requests.delete(id)) return;
        if (stop) stop();
        else post({ close: true });
      });
      this.#requests.set(id, reply);
      signal?.addEventListener("abort", () => reply.abort(signal.reason));
      post({ path, body });
    });
  }

  /** End the worker; what it has not answered fails with a sentence. */
  end(sentence) {
    this.worker?.terminate();
    for (const reply of this.#requests.values()) reply.fail(new Error(sentence));
    this.#requests.clear();
  }

  /** @returns {Promise<void>} */
  #start(runtime) {
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    const base = new URL(".", import.meta.url);
    const files = { pyodide: new URL(runtime.pyodide, base).href, source: new URL(runtime.source, base).href };
    return new Promise((resolve, reject) => {
      const fail = (reason = "its worker did not start") => {
        const sentence = `Python does not run in this browser: ${reason}`;
        reject(new Error(sentence));
        this.end(sentence);
      };
      this.worker.onerror = ({ message }) => fail(message);
      this.worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.failure) fail(data.failure);
        else this.#receive(data);
      };
      this.worker.postMessage({ files });
    });
  }

  #receive({ id, ...message }) {
    const reply = this.#requests.get(id);
    if (reply?.receive(message)) this.#requests.delete(id);
  }
}

/** The answer to one request: a Response, whose stream is filled as the worker sends it. */
class Reply {
  #encoder = new TextEncoder();
  #controller = null;
  #onPiece = null;

  constructor(resolve, reject, post, cancel) {
    this.resolve = resolve;
    this.reject = reject;
    this.post = post;
    this.cancel = cancel;
  }

  /** Take a message of the worker; return whether it was the last. */
  receive({ status, type, body, isStream, piece, isOver }) {
    if (isStream) this.resolve(this.#stream());
    else if (status) this.resolve(new Response(body, { status, headers: { "Content-Type": type } }));
    else if (piece) this.#controller.enqueue(this.#encoder.encode(piece));
    if (isOver) this.#controller.close();
    this.#onPiece?.();
    return isOver || Boolean(status);
  }

  fail(error) {
    this.reject(error);
    this.#controller?.error(error);
    this.#onPiece?.();
  }

  abort(reason) {
    this.fail(reason);
    this.cancel();
  }

  #stream() {
    const stream = new ReadableStream({
      start: (controller) => { this.#controller = controller; },
      pull: () => {
        this.post({ more: true });
        return /** @type {Promise<void>} */ (new Promise((resolve) => { this.#onPiece = resolve; }));
      },
      cancel: () => this.cancel(),
    }, { highWaterMark: AHEAD });
    return new Response(stream, { headers: { "Content-Type": "text/event-stream" } });
  }
}

function aborted(signal) {
  return new Promise((resolve) => signal?.addEventListener("abort", resolve));
}
