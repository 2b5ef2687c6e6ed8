import assert from "node:assert/strict";
import { test } from "node:test";
import { BrowserSide } from "../../../src/taquin/web/static/python/browser-side.js";

/** A worker that answers what the test says. */
class FakeWorker {
  static made = [];
  isEnded = false;
  asked = [];

  constructor() {
    FakeWorker.made.push(this);
  }

  postMessage(message) {
    this.asked.push(message);
  }

  terminate() {
    this.isEnded = true;
  }

  send(message) {
    this.onmessage({ data: message });
  }
}

globalThis.Worker = FakeWorker;
const { setTimeout: later } = globalThis;
// The test program does not wait for the deadlines of requests.
globalThis.setTimeout = (...words) => later(...words).unref();
const ENDED = { message: /the code sent messages that this page does not take/ };

/** Return what answers requests, its worker, and the way to ask it. */
async function started() {
  FakeWorker.made = [];
  const side = new BrowserSide({ digests: {} });
  await new Promise(setImmediate);
  const [worker] = FakeWorker.made;
  worker.send({ progress: 7 });
  worker.send({ ready: true });
  await side.ready;
  const ask = async (path) => {
    const answer = side.send(path, { body: "{}" });
    // A request that fails before the test waits for it is no failure of the test.
    answer.catch(() => {});
    await new Promise(setImmediate);
    const { id } = worker.asked.findLast((message) => message.path === path);
    return { answer, send: (message) => worker.send({ id, ...message }) };
  };
  return { side, worker, ask };
}

test("a stream that begins twice goes on, and its reader gets all of it", async () => {
  const { worker, ask } = await started();
  const { answer, send } = await ask("/api/trace");
  for (const isStream of [true, true]) send({ isStream });
  const text = (await answer).text();
  send({ piece: "a" });
  send({ isStream: true });
  send({ piece: "b" });
  send({ isOver: true });
  assert.equal(await text, "ab");
  assert.equal(worker.isEnded, false);
});

for (const [name, messages] of Object.entries({
  "a piece without a stream": [{ piece: "x" }],
  "the end of no stream": [{ isOver: true }],
  "an empty message": [{}],
  "a status that no answer has": [{ status: 1000, type: "text/plain", body: "" }],
  "messages that the frame refused": [{ refused: true }],
}))
  test(`${name} ends the worker, and the request fails`, async () => {
    const { side, worker, ask } = await started();
    const { answer, send } = await ask("/api/check");
    messages.forEach(send);
    await assert.rejects(answer, ENDED);
    assert.ok(worker.isEnded);
    assert.notEqual(side.quick.worker, worker);
  });

for (const [name, message, count] of [
  ["an answer after a stream began", { status: 200, type: "text/plain", body: "" }, 1],
  ["more pieces than anybody reads", { piece: "x" }, 1000],
  ["more bytes than anybody reads", { piece: "x".repeat(60 << 20) }, 3],
])
  test(`${name}: the worker is ended, and the stream fails`, async () => {
    const { worker, ask } = await started();
    const { answer, send } = await ask("/api/trace");
    send({ isStream: true });
    const { body } = await answer;
    for (let number = 0; number < count && !worker.isEnded; number++) send(message);
    assert.ok(worker.isEnded);
    await assert.rejects(body.getReader().read(), ENDED);
  });

test("what Python says while it starts says nothing later", async () => {
  const { side, worker, ask } = await started();
  const heard = [];
  side.onProgress((bytes) => heard.push(bytes));
  const { answer, send } = await ask("/api/check");
  for (const message of [
    { progress: 7 },
    { missing: { name: "a lie", status: "1" } },
    { ready: 1 },
  ])
    worker.send(message);
  send({ status: 200, type: "text/plain", body: "yes" });
  assert.equal(await (await answer).text(), "yes");
  assert.deepEqual([heard, worker.isEnded], [[], false]);
});
