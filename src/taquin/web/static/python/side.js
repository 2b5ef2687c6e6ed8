// The two sides that can answer a request: a server, and this browser itself.
//
// `runtime.json` beside the scripts says which there are:
//
//     {"server": false, "pyodide": "pyodide-314.0.7/", …}                   a folder that `taquin site` wrote
//     {"server": true, "pyodide": "pyodide-314.0.7/", …}                    the same folder with `taquin serve --site`
//     {"server": true, "pyodide": "pyodide-314.0.7/", …, "only": "code"}    `taquin serve`: the browser runs user code
//     {"server": true, "pyodide": null, "download": 6488647}                the same before Python was downloaded
//     {"server": true, "pyodide": null}                                     a public server without Python
//
// With Python, it names the files of Pyodide and of taquin's own code, with their digests. In a folder that `taquin
// site` wrote, it also has the `folder` of this version in the site, the way to its `root`, and files with the
// `answers` to requests that are made before Python is ready.

import { text } from "../page/messages.js";

/** Sent to the server, if there is one, while Python still loads in the browser. */
const QUICK = ["about", "searches", "read", "check", "left", "scramble"].map(
  (name) => `/api/${name}`,
);
let sides = null;
/** What `sides` resolved to last. */
let found = null;
const listeners = new Set();

/** Return the message where user code cannot run. */
export function noPython() {
  return text("errors.noPython");
}

/** Call a function with what answers requests, whenever that was looked for and found. */
export function onBegin(listener) {
  listeners.add(listener);
}

/** Return whether short requests are answered at once: a server is there, or Python is ready. */
export function isReady() {
  return Boolean(found?.hasServer || found?.browser?.isReady);
}

/** Return the response to a request, as `fetch` does; `options.body` is JSON text. */
export async function send(path, options = {}) {
  let { hasServer, browser, download } = await begin();
  if (hasUserCode(options)) {
    if (!browser) throw new Error(download ? text("errors.notDownloaded") : noPython());
    return browser.sendCode(path, options);
  }
  if (browser?.isCodeOnly) {
    const isStopped = path === "/api/stop" && browser.stop(JSON.parse(options.body).turn);
    return isStopped ? Response.json({ stopped: true }) : fetch(path, options);
  }
  const needsServer = path.startsWith("/api/studies") || path === "/api/export";
  if (hasServer && (!browser || needsServer || browser.hasFailed)) return fetch(path, options);
  if (hasServer && !browser.isReady && QUICK.includes(path)) return fetch(path, options);
  const answer = hasServer ? null : browser.runtime.answers?.[`${path} ${options.body ?? ""}`];
  if (answer) return fetch(new URL(`../${answer}`, import.meta.url));
  if (needsServer) throw new Error(text("studies.needsServer"));
  // Somebody who starts a search again wants Python to start again.
  if (browser.hasFailed && browser.isSearch(path)) ({ browser } = await beginAgain());
  return browser.send(path, options);
}

/** Return whether a request holds user code, which no server runs. */
function hasUserCode({ body = "" }) {
  return body.includes('"code":') && "code" in JSON.parse(body);
}

/**
 * Return what answers requests: `{hasServer, browser, download}`. Without Python in the browser, `browser` is null,
 * and `download` is the number of bytes that the server can download to have it, 0 if it does not.
 */
export function begin() {
  sides ??= find().then(
    (result) => {
      found = result;
      for (const listener of listeners) listener(result);
      return result;
    },
    (error) => {
      sides = null;
      throw error;
    },
  );
  return sides;
}

/** Look again for what answers requests, after Python was downloaded or did not start. */
export function beginAgain() {
  found?.browser?.close();
  [sides, found] = [null, null];
  return begin();
}

async function find() {
  const response = await fetch(new URL("../runtime.json", import.meta.url));
  const { server, download = 0, ...runtime } = await response.json();
  if (!runtime.pyodide) return { hasServer: server, browser: null, download };
  const { BrowserSide } = await import("./browser-side.js");
  const browser = new BrowserSide(runtime);
  if (!server)
    browser.ready.then(
      () => keepForOffline(runtime),
      () => {},
    );
  return { hasServer: server, browser, download };
}

/** Cache the page in the browser, so that the next visit needs no network. */
function keepForOffline({ root = "" }) {
  navigator.serviceWorker
    ?.register(new URL(`../${root}service-worker.js`, import.meta.url))
    .catch(() => {});
}

/** Return whether the site has another version than the one that runs; false if that is unknown. */
export async function isReplaced() {
  const { folder, root } = found?.browser?.runtime ?? {};
  if (!folder) return false;
  const address = new URL(`../${root}runtime.json`, import.meta.url);
  const response = await fetch(address, { cache: "no-cache" }).catch(() => null);
  const runtime = response?.ok ? await response.json().catch(() => ({})) : {};
  return Boolean(runtime.folder) && runtime.folder !== folder;
}
