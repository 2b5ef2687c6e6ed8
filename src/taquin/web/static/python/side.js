// The two sides that can answer a request: a server, and this browser itself.
//
// `runtime.json` beside `index.html` says which there are:
//
//     {"server": false, "pyodide": "pyodide-314.0.7/", …}                   a folder that `taquin site` wrote
//     {"server": true, "pyodide": "pyodide-314.0.7/", …}                    the same folder with `taquin serve --site`
//     {"server": true, "pyodide": "pyodide-314.0.7/", …, "only": "code"}    `taquin serve`: the browser runs user code
//     {"server": true, "pyodide": null, "download": 6488647}                the same before Python was downloaded
//     {"server": true, "pyodide": null}                                     a public server without Python
//
// With Python, it names the files of Pyodide and of taquin's own code, with their digests.

/** Sent to the server, if there is one, while Python still loads in the browser. */
const QUICK = ["about", "searches", "read", "check", "left", "scramble"].map(
  (name) => `/api/${name}`,
);
const NOT_DOWNLOADED = "Your code needs Python for the browser: open the tab Code to download it.";
/** The message where user code cannot run. */
export const NO_PYTHON =
  "This server has no Python for the browser, so your code cannot run here. “taquin serve” on your own machine runs it.";

let sides = null;

/** Return the response to a request, as `fetch` does; `options.body` is JSON text. */
export async function send(path, options = {}) {
  const { hasServer, browser, download } = await begin();
  if (hasUserCode(options)) {
    if (!browser) throw new Error(download ? NOT_DOWNLOADED : NO_PYTHON);
    return browser.sendCode(path, options);
  }
  if (browser?.isCodeOnly) {
    const isStopped = path === "/api/stop" && browser.stop(JSON.parse(options.body).turn);
    return isStopped ? Response.json({ stopped: true }) : fetch(path, options);
  }
  const needsServer = path.startsWith("/api/studies") || path === "/api/export";
  if (hasServer && (!browser || needsServer || browser.hasFailed)) return fetch(path, options);
  if (hasServer && !browser.isReady && QUICK.includes(path)) return fetch(path, options);
  return browser.send(path, options);
}

/** Return whether a request holds the user's own code, which no server runs. */
function hasUserCode({ body = "" }) {
  return body.includes('"code":') && "code" in JSON.parse(body);
}

/**
 * Return what answers requests: `{hasServer, browser, download}`. Without Python in the browser, `browser` is null,
 * and `download` is the number of bytes that the server can download to have it, 0 if it does not.
 */
export function begin() {
  sides ??= find().catch((error) => {
    sides = null;
    throw error;
  });
  return sides;
}

/** Look again for what answers requests, after Python was downloaded. */
export function beginAgain() {
  sides = null;
  return begin();
}

async function find() {
  const response = await fetch(new URL("../runtime.json", import.meta.url));
  const { server, download = 0, ...runtime } = await response.json();
  if (!runtime.pyodide) return { hasServer: server, browser: null, download };
  const { BrowserSide } = await import("./browser-side.js");
  const browser = new BrowserSide(runtime);
  if (!server) browser.ready.then(keepForOffline, () => {});
  return { hasServer: server, browser, download };
}

/** Cache the page in the browser, so that the next visit needs no network. */
function keepForOffline() {
  navigator.serviceWorker
    ?.register(new URL("../service-worker.js", import.meta.url))
    .catch(() => {});
}
