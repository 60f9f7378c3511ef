// The npm package as its users have it: installed beside this file (`.ci/run`, step "web"). Run by `node --test`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { Engine } from "tilewright";

/** An engine whose lines can be waited for. */
async function started(options = {}) {
  const lines = [];
  const waiting = [];
  let tellEnd;
  const ended = new Promise((resolve) => (tellEnd = resolve));
  const onLine = (line) => {
    lines.push(line);
    waiting.filter(({ beginning }) => line.startsWith(beginning)).forEach(({ resolve }) => resolve(line));
  };
  const engine = await Engine.start({ onLine, onEnd: tellEnd, ...options });
  const answer = (beginning) => new Promise((resolve) => waiting.push({ beginning, resolve }));
  return { engine, lines, ended, answer };
}

test("the example of the README finds a play and ends", () => {
  const readme = readFileSync(new URL("node_modules/tilewright/README.md", import.meta.url), "utf8");
  const [, example] = /```js\n([^]*?)```/.exec(readme);
  const file = new URL("example.mjs", import.meta.url);
  writeFileSync(file, example);
  const told = execFileSync(process.execPath, [file.pathname], { encoding: "utf8" });
  assert.match(told, /^info sim move 8[A-H]\./m);
  assert.match(told, /^bestmove 8[A-H]\.\S+\n$/m);
});

test("the same seed gives the same rows on one thread and on two", async () => {
  const rows = async (threads) => {
    const { engine, lines, answer } = await started({ threads: 2 });
    engine.send(`setoption name Threads value ${threads}`);
    engine.send("position startpos");
    engine.send("rack AEINRS?");
    engine.send("go sim iterations 200 seed 5 plays 10");
    await answer("bestmove ");
    engine.close();
    return lines.filter((line) => line.startsWith("info sim move ")).slice(-10);
  };
  const one = await rows(1);
  assert.equal(one.length, 10);
  assert.deepEqual(await rows(2), one);
});

test("a word list that is handed over is found by its name", async () => {
  const { engine, answer, lines } = await started();
  engine.addFile("mine.txt", new TextEncoder().encode("ZZZA\nAA\nTEAR\n"));
  engine.send("setoption name Lexicon value mine");
  engine.send("check ZZZA");
  engine.send("isready");
  await answer("readyok");
  assert.deepEqual(lines.filter((line) => line.includes("check")), ["info string check ZZZA valid"]);
  assert.throws(() => engine.addFile("a\nb", new Uint8Array()), /must not contain line breaks/);
  assert.throws(() => engine.send("isready\nquit"), /must not contain line breaks/);
  assert.throws(() => engine.send("\x01FILE 9 x"), /must not contain line breaks/);
  // More than what fits between the page and the engine at once.
  engine.addFile("long.txt", new TextEncoder().encode("ABACUS\n".repeat(50_000)));
  engine.send("setoption name Lexicon value long");
  engine.send("check ABACUS");
  assert.equal(await answer("info string check ABACUS"), "info string check ABACUS valid");
  engine.close();
});

test("the end of the input lets the engine answer, and close does not", async () => {
  const first = await started();
  first.engine.send("position startpos");
  first.engine.send("rack AEINRST");
  first.engine.send("go gen multipv 1");
  first.engine.endInput();
  assert.equal(await first.ended, "");
  assert.match(first.lines.at(-1), /^bestmove 8/);
  assert.throws(() => first.engine.send("isready"), /the engine has ended/);

  const second = await started();
  second.engine.send("position startpos");
  second.engine.send("rack AEINRST");
  second.engine.send("go infinite");
  await second.answer("info depth ");
  second.engine.close();
  assert.equal(await second.ended, "");
});

test("an engine that cannot be had says why", async () => {
  await assert.rejects(Engine.start({ onLine: () => {}, module: Engine.compile(new URL("missing.wasm", import.meta.url)) }), /missing\.wasm/);
});
