// A Web Worker that answers requests with taquin's own Python, run by Pyodide.
//
//     {pyodide, source, library, files}    load Python and taquin → {progress} …, then {ready}, {missing} or {failure}
//     {id, path, body}            a request                 → {id, status, type, body} or {id, isStream}
//     {id, more}                  more of a stream          → {id, piece} …, at the end {id, isOver}
//     {id, stop}                  a search is to end soon, with what it has
//     {id, close}                 the end of a stream
//
// One message is answered after the other. Only `stop` is read while Python searches, where the browser
// can suspend WebAssembly.
//
// `taquin/web/browser.py` is the other end. In the sandbox of user code (`sandbox.js`) nothing can be fetched or
// stored: the files come with the first message, and no tables are kept. There this is a classic script, because
// Chromium starts no module worker in an opaque origin.

/** @type {any} */
const scope = self;
const [FOLDER, CACHE] = ["/taquin", "/cache"];
const streams = new Map();
const stopped = new Set();
let [respond, suspending, tables] = [null, null, null];
let last = Promise.resolve();

scope.onmessage = ({ data }) => {
  if (data.stop) stopped.add(data.id);
  else last = last.then(() => handle(data));
};

async function handle({ id, pyodide, source, library, files, path, body, more, close }) {
  try {
    if (pyodide) await load({ pyodide, source, library, files });
    else if (more) await advance(id);
    else if (close) end(id);
    else await answer(id, path, body);
  } catch (error) {
    // Python's own failures are answers; this is the end of the interpreter.
    scope.postMessage({ failure: error.message });
  }
}

/**
 * Load Python from the folder `pyodide`, its library from `library` if that is given, and taquin from the archive
 * `source`; `files` holds all of them in a sandbox.
 */
async function load({ pyodide, source, library, files }) {
  const { fetch } = scope;
  scope.fetch = watched(fetch);
  if (files) {
    // Pyodide takes a worker that has it for too old.
    scope.importScripts = undefined;
    scope.fetch = async (address) =>
      new Response(files[address], { headers: { "Content-Type": "application/wasm" } });
  }
  const imported = (name) =>
    import(
      files
        ? URL.createObjectURL(new Blob([files[pyodide + name]], { type: "text/javascript" }))
        : pyodide + name
    );
  const archive = scope.fetch(source).then((response) => response.arrayBuffer());
  const { loadPyodide } = await imported("pyodide.mjs");
  const createPyodideModule = files && (await imported("pyodide.asm.mjs")).default;
  const python = await loadPyodide({
    indexURL: pyodide,
    stdLibURL: library,
    createPyodideModule,
    env: { TAQUIN_CACHE: CACHE, HOME: "/" },
  });
  scope.fetch = fetch;
  if (!files) tables = new (await import("./table-cache.js")).TableCache(python.FS, CACHE);
  python.unpackArchive(await archive, "zip", { extractDir: FOLDER });
  python.runPython(`import sys; sys.path.insert(0, "${FOLDER}")`);
  ({ respond, suspending } = python.pyimport("taquin.web.browser"));
  scope.postMessage({ ready: true });
}

/** Return a `fetch` that reports the bytes of all files together, and a file that does not come. */
function watched(fetch) {
  let progress = 0;
  return async (address) => {
    const response = await fetch(address).catch(() => ({ ok: false, status: 0 }));
    if (!response.ok) {
      const name = String(address).split("/").pop();
      // Pyodide would not report it. The page ends this worker.
      scope.postMessage({ missing: { name, status: String(response.status) } });
      return new Promise(() => {});
    }
    const counter = new TransformStream({
      transform(piece, controller) {
        progress += piece.byteLength;
        scope.postMessage({ progress });
        controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(counter), response);
  };
}

async function answer(id, path, body) {
  await tables?.restore();
  const look = suspending(
    () => new Promise((resolve) => setTimeout(() => resolve(stopped.has(id)))),
  );
  const reply = respond(path, body, (piece) => scope.postMessage({ id, piece }), look);
  if (reply.advance) {
    streams.set(id, reply);
    scope.postMessage({ id, isStream: true });
    return;
  }
  const [status, type, bytes] = reply.toJs();
  reply.destroy();
  scope.postMessage({ id, status, type, body: bytes });
  await tables?.save();
}

async function advance(id) {
  if (!streams.has(id) || (await streams.get(id).advance.callPromising())) return;
  end(id);
  scope.postMessage({ id, isOver: true });
  await tables?.save();
}

function end(id) {
  const stream = streams.get(id);
  streams.delete(id);
  stream?.close();
  stream?.destroy();
}
