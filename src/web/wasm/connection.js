// Connects to the engine on a site without the program: it runs in this page, as WebAssembly. Replaces the file of the same name in `page/`.

import { Engine } from "./engine.js";
import { store, stored } from "./memory.js";
import { Wire } from "./wire.js";

/** Where files that the user has opened are kept; other sites of this origin have their own. */
const KEPT = `files ${new URL("./", location).pathname}`;

/** A larger file may take more memory than the engine has. */
const MOST_BYTES = 64 << 20;

let engine;
let wire;

/** There are no reports, since the program that makes them is missing. */
export const reportSecret = null;

/** The address of the page with a position. The part after # is not sent anywhere. */
export const linkTo = (cgp) => `${location.origin}${location.pathname}#cgp=${encodeURIComponent(cgp)}`;

/** The position of the address, if there is one. */
export const linkedPosition = new URLSearchParams(location.hash.slice(1)).get("cgp");

/** Hands a word list or table to the engine, and keeps it for the next visit once the engine has taken it. */
export async function addFile(name, bytes) {
  if (bytes.length > MOST_BYTES) throw new Error(`${name} has ${Math.round(bytes.length / 1e6)} MB, expected at most ${MOST_BYTES >> 20}`);
  engine.addFile(name, bytes);
  await wire.ask();
  const kept = await caches.open(KEPT);
  await kept.put(`/${encodeURIComponent(name)}`, new Response(bytes));
}

/** Starts the engine and shakes hands. Returns the conversation and the handshake's lines. Calls `ended` with the reason when the engine ends. */
export async function connect(watch, ended) {
  await isolated();
  let isOpen = false;
  const onEnd = (reason) => {
    started.end(reason || "the engine has ended");
    if (isOpen) ended(`The engine has ended: ${reason || "it was told to quit"}`);
  };
  const started = new Wire((line) => engine.send(line), watch);
  engine = await Engine.start({ onLine: (line) => started.hear(line), onEnd });
  wire = started;
  const handshake = await wire.greet([["siu", "siuok"]]);
  isOpen = true;
  await addKeptFiles();
  return { wire, handshake };
}

async function addKeptFiles() {
  const kept = await caches.open(KEPT);
  for (const { url } of await kept.keys()) {
    const bytes = await (await kept.match(url)).arrayBuffer();
    engine.addFile(decodeURIComponent(new URL(url).pathname.slice(1)), new Uint8Array(bytes));
    // A file that the engine cannot load is not kept, since the next visit could not begin.
    await wire.ask().catch(async (error) => {
      await kept.delete(url);
      throw error;
    });
  }
}

/**
 * Makes sure that the page is cross-origin isolated, which shared memory for threads needs. A server isolates a page by two headers; if it does
 * not, the service worker adds them from the next load on. The service worker also keeps the site for use without a network.
 */
async function isolated() {
  if (crossOriginIsolated) {
    store("reloaded", "");
    // The page works without it, but not without a network.
    keepSite().catch(() => {});
    return;
  }
  if (!navigator.serviceWorker) {
    throw new Error("This address is not secure, so the browser allows the engine no threads: open the page by https, or from 127.0.0.1");
  }
  await keepSite();
  if (stored("reloaded")) throw new Error("This browser does not allow the page the threads that the engine needs. Reload the page");
  store("reloaded", "yes");
  location.reload();
  await new Promise(() => {});
}

/** Starts the service worker. Resolves when it has all files. */
async function keepSite() {
  const { installing } = await navigator.serviceWorker.register("service_worker.js");
  await new Promise((resolve, reject) => {
    navigator.serviceWorker.ready.then(resolve);
    installing?.addEventListener("statechange", () => {
      if (installing.state === "redundant") reject(new Error("The files of the site could not be loaded"));
    });
  });
}
