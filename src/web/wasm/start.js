// The first script of a site: makes the page cross-origin isolated, and compiles the engine while the other scripts are loaded.

import { Engine } from "./engine.js";
import { store, stored } from "./memory.js";

/** The compiled engine. */
export const module = isolated().then(() => Engine.compile());

// An error is reported to the user later, when `connection.js` starts the engine.
module.catch(() => {});

/**
 * Makes sure that the page is cross-origin isolated, which shared memory for threads needs. A server isolates a page by two headers; if it does
 * not, the service worker adds them from the next load on.
 */
async function isolated() {
  if (crossOriginIsolated) {
    store("reloaded", "");
    return;
  }
  if (!navigator.serviceWorker) {
    throw new Error("This address is not secure, so the browser allows the engine no threads: open the page by https, or from 127.0.0.1");
  }
  await serviceWorker();
  if (stored("reloaded")) throw new Error("This browser does not allow the page the threads that the engine needs. Reload the page");
  store("reloaded", "yes");
  location.reload();
  await new Promise(() => {});
}

/** Keeps the site's files in the browser, for use without a network. */
export async function keepSite() {
  (await serviceWorker()).postMessage("keep");
}

async function serviceWorker() {
  await navigator.serviceWorker.register("service_worker.js");
  return (await navigator.serviceWorker.ready).active;
}
