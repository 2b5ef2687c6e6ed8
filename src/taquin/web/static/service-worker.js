// Caches the page in the browser at the first visit: it then opens without a network.
//
// Files in folders never change, because the name of each folder is a version or a digest: they are served from the
// cache. All others are fetched, and served from the cache if that fails. What the browser itself has cached of those
// is not used without asking the host, or an old index.html could ask for files that are gone.
//
// Any page of this origin can write to the cache, so a cached file is used only if it has its digest. Browsers store
// this script, and with it the digests, where no page can write. Another version of the page has another list, which
// makes the browser install this script again.

/** The SHA-256 of every file but this one, by name, as `integrity` writes it; “taquin site” fills it in. */
const DIGESTS = {};
const NAME = "taquin";
/** @type {any} */
const scope = self;

scope.addEventListener("install", (event) => event.waitUntil(keepAll()));
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const name = nameOf(request.url);
  if (request.method === "GET" && name in DIGESTS) event.respondWith(answer(request, name));
});

/** Cache every file of the page, and delete those of an older version. */
async function keepAll() {
  const cache = await caches.open(NAME);
  await Promise.all(
    Object.keys(DIGESTS).map(async (name) => {
      const request = new Request(addressOf(name), { integrity: DIGESTS[name], cache: "no-cache" });
      if (!(await kept(name))) await cache.add(request);
    }),
  );
  const keys = await cache.keys();
  await Promise.all(
    keys.filter(({ url }) => !(nameOf(url) in DIGESTS)).map((key) => cache.delete(key)),
  );
  await scope.skipWaiting();
}

async function answer(request, name) {
  if (!name.includes("/"))
    return fetch(request, { cache: "no-cache" }).catch(
      async (error) => (await kept(name)) ?? Promise.reject(error),
    );
  return (await kept(name)) ?? fetch(request);
}

/** Return a cached file; undefined if there is none, or if it was changed. */
async function kept(name) {
  const found = await (await caches.open(NAME)).match(addressOf(name));
  if (!found) return undefined;
  const bytes = await found.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (DIGESTS[name] !== `sha256-${btoa(String.fromCharCode(...digest))}`) return undefined;
  // Its other headers may come from another page of this origin.
  return new Response(bytes, {
    headers: { "Content-Type": found.headers.get("Content-Type") ?? "" },
  });
}

/** Return the name of a file of the page; other addresses have no name in the list. */
function nameOf(url) {
  const [address] = url.split(/[?#]/);
  return address.startsWith(scope.registration.scope)
    ? address.slice(scope.registration.scope.length) || "index.html"
    : null;
}

function addressOf(name) {
  return new URL(name, scope.registration.scope).href;
}
