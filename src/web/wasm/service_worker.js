// Keeps the site for use without a network, and makes it cross-origin isolated, so that threads may share memory.
// `scripts/web` fills in the list of files, and a version that changes with them.

const FILES = [/* files */];
const VERSION = "/* version */";
// Other sites of this origin have caches of their own.
const PREFIX = `site ${new URL("./", location).pathname} `;
const CACHE = PREFIX + VERSION;

const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Cross-Origin-Resource-Policy": "same-origin",
};

self.oninstall = (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(CACHE);
      // Bypasses the browser's cache of the previous version.
      await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
      // A new version waits until no page of the previous one is open, since the files of two versions do not fit together.
    })(),
  );
};

self.onactivate = (event) => {
  event.waitUntil(
    (async () => {
      const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
      await Promise.all(old.map((name) => caches.delete(name)));
    })(),
  );
};

self.onfetch = (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(answer(event.request));
};

async function answer(request) {
  const found = (await (await caches.open(CACHE)).match(request, { ignoreSearch: true, ignoreVary: true })) ?? (await fetch(request));
  // A redirection, which the browser follows.
  if (found.status === 0) return found;
  const headers = new Headers(found.headers);
  Object.entries(HEADERS).forEach(([name, value]) => headers.set(name, value));
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}
