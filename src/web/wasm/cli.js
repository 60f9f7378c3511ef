#!/usr/bin/env node
// The program `tilewright` of the npm package: a conversation on standard input and output.

import { Engine } from "./engine.js";

const engine = await Engine.start({
  onLine: (line) => process.stdout.write(`${line}\n`),
  onEnd: (reason) => {
    if (reason) process.stderr.write(`tilewright: ${reason}\n`);
    process.exitCode = reason ? 1 : 0;
    process.stdin.destroy();
  },
});
// The reader has gone.
process.stdout.on("error", () => process.exit(0));
process.stdin.setEncoding("utf8");
// The character that announces a file is not part of the protocol.
const send = (line) => engine.send(line.replace(/^\x01+/, ""));
let partial = "";
process.stdin.on("data", (text) => {
  const lines = (partial + text).split("\n");
  partial = lines.pop();
  lines.forEach(send);
});
process.stdin.on("end", () => {
  if (partial) send(partial);
  engine.endInput();
});
