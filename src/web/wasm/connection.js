// Connects to the engine on a site without the program: it runs in this page, as WebAssembly. Replaces the file of the same name in `page/`.

import { Engine } from "./engine.js";
import { keepSite, module } from "./start.js";
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
  let isOpen = false;
  const onEnd = (reason) => {
    started.end(reason || "the engine has ended");
    if (isOpen) ended(`The engine has ended: ${reason || "it was told to quit"}`);
  };
  const started = new Wire((line) => engine.send(line), watch);
  engine = await Engine.start({ onLine: (line) => started.hear(line), onEnd, module });
  wire = started;
  const handshake = await wire.greet([["siu", "siuok"]]);
  isOpen = true;
  await addKeptFiles();
  // The page works without it, but not without a network.
  keepSite().catch(() => {});
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
