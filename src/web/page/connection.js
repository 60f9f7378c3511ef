// Connects to the engine of `tilewright board` through a WebSocket of the bridge, as protocol/bridge.md describes it. On a site without
// the program, a file of the same name replaces this one, and the engine runs in the page.

import { store, stored } from "./memory.js";
import { Wire } from "./wire.js";

/** The secret of this run, taken from the address and removed from it. Requests for reports need it. */
export const reportSecret = (() => {
  const found = location.hash.slice(1);
  if (found) {
    store("secret", found);
    history.replaceState(null, "", location.pathname);
  }
  return found || stored("secret") || "";
})();

/** Word lists come from the program's folders. */
export const addFile = null;

/** Nobody else can open the page of this run. */
export const linkTo = null;
export const linkedPosition = null;

/** Connects, presents the secret, opens the engine and shakes hands. Returns the conversation and the lines of the handshake. Calls `ended` with
 *  the reason when the connection ends. */
export async function connect(watch, ended) {
  try {
    const socket = new WebSocket(`ws://${location.host}/siu`);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => refusal().then((why) => reject(new Error(why)));
    });
    const wire = new Wire((line) => socket.send(line), watch);
    socket.onclose = () => wire.end("the program closed the connection");
    socket.onmessage = ({ data }) => {
      wire.hear(data);
      if (data.startsWith("bridge closed ")) wire.end("the engine has ended");
    };
    const greetings = [[`bridge hello token ${reportSecret}`, "bridge ok "], ["bridge open tilewright", "bridge opened "], ["siu", "siuok"]];
    const handshake = await wire.greet(greetings);
    const over = (reason, text) => {
      socket.onclose = socket.onmessage = null;
      wire.end(reason);
      ended(text);
    };
    socket.onclose = () => over("the program has ended", "The program has ended: start it again, and open the address that it prints");
    socket.onmessage = ({ data }) => {
      wire.hear(data);
      if (!data.startsWith("bridge closed ")) return;
      over("the engine has ended", "The engine has ended");
      socket.close();
    };
    return { wire, handshake };
  } catch (error) {
    if (error.message === CROWDED) throw error;
    const why = error.message.replace(/^not-paired .*/, "this address does not contain the program's secret");
    throw new Error(`No connection: ${why}. Open the address that tilewright board has printed.`);
  }
}

const CROWDED = "The program cannot serve another page. Close one of its other tabs, then reload this page";

/** Why there is no connection: if the program still serves its page, it has no room for another one. */
async function refusal() {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? CROWDED : "the program does not answer";
}
