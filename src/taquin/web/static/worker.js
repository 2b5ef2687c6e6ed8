// A Web Worker that answers requests with taquin's own Python, run by Pyodide.
//
//     {files}                     load Python and taquin    → {ready} or {failure}
//     {id, path, body}            a request                 → {id, status, type, body} or {id, isStream}
//     {id, more}                  more of a stream          → {id, piece} …, at the end {id, isOver}
//     {id, close}                 the end of a stream
//
// `taquin/web/browser.py` is the other end.

/** @type {any} */
const scope = self;
const FOLDER = "/taquin";
const streams = new Map();
let respond = null;

export {};

scope.onmessage = async ({ data: { id, files, path, body, more, close } }) => {
  try {
    if (files) await load(files);
    else if (more) advance(id);
    else if (close) end(id);
    else answer(id, path, body);
  } catch (error) {
    // Python's own failures are answers; this is the end of the interpreter.
    scope.postMessage({ failure: error.message });
  }
};

async function load({ pyodide, source }) {
  const archive = fetch(source).then((response) => response.arrayBuffer());
  const { loadPyodide } = await import(`${pyodide}pyodide.mjs`);
  const python = await loadPyodide({ indexURL: pyodide, env: { TAQUIN_CACHE: "/cache", HOME: "/" } });
  python.unpackArchive(await archive, "zip", { extractDir: FOLDER });
  python.runPython(`import sys; sys.path.insert(0, "${FOLDER}")`);
  respond = python.pyimport("taquin.web.browser").respond;
  scope.postMessage({ ready: true });
}

function answer(id, path, body) {
  const reply = respond(path, body, (piece) => scope.postMessage({ id, piece }));
  if (reply.advance) {
    streams.set(id, reply);
    scope.postMessage({ id, isStream: true });
    return;
  }
  const [status, type, bytes] = reply.toJs();
  reply.destroy();
  scope.postMessage({ id, status, type, body: bytes });
}

function advance(id) {
  if (!streams.has(id) || streams.get(id).advance()) return;
  end(id);
  scope.postMessage({ id, isOver: true });
}

function end(id) {
  const stream = streams.get(id);
  streams.delete(id);
  stream?.close();
  stream?.destroy();
}
