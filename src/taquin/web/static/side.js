// The two sides that can answer a request: a server, and this browser itself.
//
// `runtime.json` beside the page says which there are: {"server": true, "pyodide": null} on a plain
// server; a folder written by `taquin site` names the files of Pyodide and of taquin's own code.

/** Answered by a server at once while Python is still on its way to the browser. */
const QUICK = ["about", "searches", "read", "check", "left", "scramble"].map((name) => `/api/${name}`);

/** Said where Python does not run in the browser. */
export const NEEDS_BROWSER = "Your own Python runs in the browser only, and this page came without it: “taquin site FOLDER” writes one that has it, for any web server or for “taquin serve --site FOLDER”.";

let sides = null;

/** Return the response to a request, as `fetch` does; `options.body` is JSON text. */
export async function send(path, options = {}) {
  const { hasServer, browser } = await known();
  if (hasUserCode(options)) {
    if (!browser) throw new Error(NEEDS_BROWSER);
    return browser.send(path, options);
  }
  const needsServer = path.startsWith("/api/studies") || path === "/api/export";
  if (hasServer && (!browser || needsServer || browser.hasFailed)) return fetch(path, options);
  if (hasServer && !browser.isReady && QUICK.includes(path)) return fetch(path, options);
  return browser.send(path, options);
}

/** Return whether a request holds the user's own code, which no server runs. */
export function hasUserCode({ body = "" }) {
  return body.includes('"code":') && "code" in JSON.parse(body);
}

/** Start Python in the browser, if it is there; return `{hasServer, browser}`. */
export function begin() {
  return known();
}

function known() {
  sides ??= find().catch((error) => {
    sides = null;
    throw error;
  });
  return sides;
}

async function find() {
  const response = await fetch(new URL("runtime.json", import.meta.url));
  const { server, ...runtime } = await response.json();
  if (!runtime.pyodide) return { hasServer: server, browser: null };
  const { BrowserSide } = await import("./browser-side.js");
  const browser = new BrowserSide(runtime);
  if (!server) browser.ready.then(keepForOffline, () => {});
  return { hasServer: server, browser };
}

/** Have the page kept by the browser, so that the next visit needs no network. */
function keepForOffline() {
  navigator.serviceWorker?.register(new URL("service-worker.js", import.meta.url)).catch(() => {});
}
