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

// The first version is active at once, and keeps the files when the page asks for it, so that the first visit waits for nothing. A later version
// begins with all its files, and waits until no page of the previous one is open, since the files of two versions do not fit together.
self.oninstall = (event) => {
  // Bypasses the browser's cache of the previous version.
  if (self.registration.active) event.waitUntil(keep({ cache: "reload" }));
};

self.onmessage = (event) => event.waitUntil(keep());

/** Keeps all files, or none if one cannot be loaded. */
async function keep(how) {
  const cache = await caches.open(CACHE);
  // The page comes last.
  if (await cache.match("./")) return;
  const responses = await Promise.all(
    FILES.map(async (file) => {
      const response = await fetch(file, how);
      if (!response.ok) throw new Error(`${file}: ${response.status} ${response.statusText}`);
      return isolated(response);
    }),
  );
  for (const [at, file] of FILES.entries()) await cache.put(file, responses[at]);
}

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
  const kept = await (await caches.open(CACHE)).match(request, { ignoreSearch: true, ignoreVary: true });
  if (kept) return kept;
  const response = await fetch(request);
  // A redirection is followed by the browser.
  return response.status === 0 ? response : isolated(response);
}

/** The response with the headers of a page that is cross-origin isolated. */
function isolated({ body, status, statusText, headers }) {
  const all = new Headers(headers);
  Object.entries(HEADERS).forEach(([name, value]) => all.set(name, value));
  return new Response(body, { status, statusText, headers: all });
}
