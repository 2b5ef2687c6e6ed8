// Keeps the page in the browser after the first visit: it then opens without a network.
//
// Files whose name holds a version or a digest never change: once kept, they are not asked for again. All others
// are asked for first, and taken from what was kept where that fails.

const NAME = "taquin";
/** @type {any} */
const scope = self;

scope.addEventListener("install", (event) => event.waitUntil(keepAll()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope.registration.scope)) event.respondWith(answer(request));
});

/** Keep every file of the page, and drop those of an older one. */
async function keepAll() {
  const runtime = await (await fetch("runtime.json", { cache: "no-cache" })).json();
  const cache = await caches.open(NAME);
  const wanted = ["./", "runtime.json", ...runtime.files].map((file) => new URL(file, scope.registration.scope).href);
  const kept = (await cache.keys()).map(({ url }) => url);
  await Promise.all(kept.filter((url) => !wanted.includes(url)).map((url) => cache.delete(url)));
  await cache.addAll(wanted.filter((url) => !(isConstant(url) && kept.includes(url))));
  await scope.skipWaiting();
}

async function answer(request) {
  const cache = await caches.open(NAME);
  const kept = await cache.match(request, { ignoreSearch: true });
  if (kept && isConstant(request.url)) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

function isConstant(url) {
  return /\/(pyodide|taquin)-[^/]*\d[^/]*(\/|\.zip)/.test(url);
}
