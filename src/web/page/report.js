// A report of a game: the program analyses the record, and the page asks for its progress.

const ASK_EVERY_MS = 500;

/** A record (GCG) with the names of the players, which the engine does not have. */
export function withNames(record, names) {
  const words = names.map((name, seat) => name.replace(/[^\p{L}\p{N}]+/gu, "_") || `player${seat + 1}`);
  if (words[0] === words[1]) words[1] += "_2";
  return record
    .replace(/^#player([12]) .*$/gm, (_, seat) => `#player${seat} ${words[seat - 1]} ${names[seat - 1]}`)
    .replace(/^>player([12]):/gm, (_, seat) => `>${words[seat - 1]}:`);
}

/** Has a report made, and returns its address. Calls `tell` with the progress. */
export async function makeReport(secret, settings, record, tell) {
  tell("Requesting the report …");
  const asked = await fetch("/report", { method: "POST", headers: { Authorization: `Bearer ${secret}` }, body: `${settings}\n${record}` });
  const id = await asked.text();
  if (!asked.ok) throw new Error(id || `the program refused the report: status ${asked.status}`);
  const turns = record.split("\n").filter((line) => /^>[^:]+: \S+ [^(]/.test(line)).length;
  for (;;) {
    const told = await fetch(`/report/${id}`);
    if (told.status === 200) return `/report/${id}`;
    const text = await told.text();
    if (told.status !== 202) throw new Error(text || `the report failed: status ${told.status}`);
    tell(`Analysing ${turns} turns: ${text} s`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
