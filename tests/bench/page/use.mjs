// What callers do with records, on ours and on the engine's own, and what keeping a part of them costs.
import { contenders, toolsOf } from "./contenders.mjs";
import { compare } from "./rounds.mjs";

/** Each use of 10,000 fresh records. */
const USES = {
  "Map keys": (rows) => {
    const byHash = new Map(rows.map((row) => [row.hash, row]));
    let found = 0;
    for (const { hash } of rows) if (byHash.has(hash)) found++;
    return found;
  },
  filter: (rows) => rows.filter(({ from, value, isError }) => from === rows[0].from && value !== "0" && isError === "0"),
  sort: (rows) => [...rows].sort((a, b) => (a.hash < b.hash ? -1 : 1)),
  "BigInt sum": (rows) => rows.reduce((sum, { value }) => sum + BigInt(value), 0n),
  "JSON.stringify": (rows) => JSON.stringify(rows),
  structuredClone: (rows) => structuredClone(rows),
};

/** The time of each use, on records that nobody has used before. */
export async function use(assets, settings) {
  const [parse, ours] = await ways(assets, "payloads/rows-10000.json", "txList", "result");
  const measured = [];
  for (const [name, run] of Object.entries(USES)) {
    const contenders = [
      { name: "JSON.parse", prepare: parse, run },
      { name: "address-query", prepare: ours, run },
    ];
    measured.push({ name, contenders: await compare(contenders, settings) });
  }
  return measured;
}

/** Keeps one row, or one hash, of each of many answers; `heap` tells the bytes in use. The ways take turns. */
export async function retained(assets, heap, { answers = 100, rounds = 5 } = {}) {
  const [parse, ours] = await ways(assets, "payloads/0.json", "addressTokenTransfers", "items");
  // The documented shape has members that the answer has not: null, most of them, but each takes its place in an object.
  const same = JSON.stringify(ours());
  const decoders = { "JSON.parse": parse, "JSON.parse, same members": () => JSON.parse(same), "address-query": ours };
  const parts = {
    "one row": (rows) => rows[25],
    "one hash": (rows) => rows[25].transaction_hash,
  };
  const measured = [];
  for (const [name, part] of Object.entries(parts)) {
    const bytes = Object.fromEntries(Object.keys(decoders).map((contender) => [contender, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const [contender, decode] of Object.entries(decoders)) {
        const kept = new Array(answers).fill(null);
        const before = await heap();
        for (let i = 0; i < answers; i++) kept[i] = part(decode());
        const after = await heap();
        // The first round fills caches.
        if (round > 0) bytes[contender].push((after - before) / answers);
        if (kept.length !== answers) throw new Error("nothing was kept");
      }
    }
    measured.push({ name, bytes });
  }
  return measured;
}

/** `[the engine's way, ours]` from an answer's bytes to its records. */
async function ways(assets, file, operation, rows) {
  const payload = { operation, rows, bytes: await assets.bytes(file) };
  return (await contenders(payload, await toolsOf(assets), ["JSON.parse", "address-query"])).map(({ run }) => run);
}
