// The way to the engine of a site without a program: it runs in this page, as WebAssembly. Takes the place of the file of this name in `page/`.

import { Engine } from "./engine.js";
import { Wire } from "./wire.js";

/** Files that the user has opened; they stay in this browser. */
const FILES = "files";

let engine;

/** No reports: the page has no program that makes them. */
export const reportSecret = null;

/** The address of the page with a position on it. The part behind # is sent to nobody. */
export const linkTo = (cgp) => `${location.origin}${location.pathname}#cgp=${encodeURIComponent(cgp)}`;

/** The position of the address, if there is one. */
export const linkedPosition = new URLSearchParams(location.hash.slice(1)).get("cgp");

/** Hands a word list or table to the engine, and keeps it for the next visit. */
export async function addFile(name, bytes) {
  engine.addFile(name, bytes);
  const kept = await caches.open(FILES);
  await kept.put(`/${encodeURIComponent(name)}`, new Response(bytes));
}

/** Starts the engine and shakes hands. Gives the conversation and the lines of the handshake. `ended` is told why it is over. */
export async function connect(watch, ended) {
  await isolated();
  const over = (reason) => {
    wire.end(reason || "the engine has ended");
    ended(`The engine has ended: ${reason || "it was told to quit"}`);
  };
  const wire = new Wire((line) => engine.send(line), watch);
  engine = await Engine.start({ onLine: (line) => wire.hear(line), onEnd: over });
  await addKeptFiles();
  return { wire, handshake: await wire.greet([["siu", "siuok"]]) };
}

async function addKeptFiles() {
  const kept = await caches.open(FILES);
  for (const { url } of await kept.keys()) {
    const bytes = await (await kept.match(url)).arrayBuffer();
    engine.addFile(decodeURIComponent(new URL(url).pathname.slice(1)), new Uint8Array(bytes));
  }
}

/**
 * Memory that threads share needs a page that no other page can look into. A server tells a browser so by two headers; where it does not, the
 * service worker does, which also keeps the page for days without a network. It serves a page from the next load on.
 */
async function isolated() {
  if (!navigator.serviceWorker) {
    if (crossOriginIsolated) return;
    throw new Error("This address is not secure, so that the browser gives the engine no threads: open the page by https, or from 127.0.0.1");
  }
  await navigator.serviceWorker.register("service_worker.js");
  await navigator.serviceWorker.ready;
  if (crossOriginIsolated) return;
  if (sessionStorage.getItem("reloaded")) throw new Error("This browser does not let the page have threads, which the engine needs");
  sessionStorage.setItem("reloaded", "yes");
  location.reload();
  await new Promise(() => {});
}
