import assert from "node:assert/strict";
import { test } from "node:test";
import { noPython, begin, beginAgain, send } from "../../../src/taquin/web/static/python/side.js";

const CODE = { body: JSON.stringify({ code: "def mine(board): return 0" }) };
const PYTHON = {
  server: true,
  pyodide: "pyodide-1/",
  source: "taquin-1.zip",
  digests: {},
  only: "code",
};
let runtime = {};
let fetched = [];

globalThis.fetch = async (address) => {
  fetched.push(String(address).split("/").pop());
  return Response.json(fetched.at(-1) === "runtime.json" ? runtime : { stopped: false });
};

test("without Python code is refused in a sentence, and everything else goes to the server", async () => {
  runtime = { server: true, pyodide: null };
  await assert.rejects(send("/api/trace", CODE), { message: noPython() });
  runtime = { server: true, pyodide: null, download: 6_488_647 };
  assert.deepEqual(await beginAgain(), { hasServer: true, browser: null, download: 6_488_647 });
  await assert.rejects(send("/api/trace", CODE), /open the tab Code to download it/);
  fetched = [];
  await send("/api/solve", { body: "{}" });
  assert.deepEqual(fetched, ["solve"]);
});

test("where only code runs in the browser, a turn is stopped by whoever runs it", async () => {
  runtime = PYTHON;
  const { browser } = await beginAgain();
  assert.equal(browser.quick ?? browser.search ?? browser.sandbox ?? browser.ready, null);
  browser.sandbox = { stop: (turn) => turn === "7" };
  fetched = [];
  for (const path of ["/api/about", "/api/left", "/api/trace"]) await send(path, { body: "{}" });
  assert.deepEqual(fetched, ["about", "left", "trace"]);
  const stopped = async (turn) =>
    (await send("/api/stop", { body: JSON.stringify({ turn }) })).json();
  assert.deepEqual(await stopped("7"), { stopped: true });
  assert.deepEqual(fetched.slice(3), []);
  assert.deepEqual(await stopped("of the server"), { stopped: false });
  assert.deepEqual(fetched.slice(3), ["stop"]);
  assert.equal((await begin()).browser, browser);
});
