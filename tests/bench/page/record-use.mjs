// Measures what callers do with records, from the package and from `JSON.parse`. Also the memory of retained parts.
import { loadTools, prepareContenders } from "./contenders.mjs";
import { compare } from "./timing.mjs";

/** Typical uses of 10,000 records. */
const USES = {
  "Map keys": (rows) => {
    const rowsByHash = new Map(rows.map((row) => [row.hash, row]));
    let found = 0;
    for (const { hash } of rows) if (rowsByHash.has(hash)) found++;
    return found;
  },
  filter: (rows) => rows.filter(({ from, value, isError }) => from === rows[0].from && value !== "0" && isError === "0"),
  sort: (rows) => [...rows].sort((a, b) => (a.hash < b.hash ? -1 : 1)),
  "BigInt sum": (rows) => rows.reduce((sum, { value }) => sum + BigInt(value), 0n),
  "JSON.stringify": (rows) => JSON.stringify(rows),
  structuredClone: (rows) => structuredClone(rows),
};

/** Measures each use, every time with newly decoded records. */
export async function measureUsage(assets, settings) {
  const [parse, decode] = await prepareDecoders(assets, "payloads/rows-10000.json", "txList", "result");
  const results = [];
  for (const [name, run] of Object.entries(USES)) {
    const contenders = [
      { name: "JSON.parse", prepare: parse, run },
      { name: "address-query", prepare: decode, run },
    ];
    results.push({ name, contenders: await compare(contenders, settings) });
  }
  return results;
}

/**
 * Measures the memory that one row, or one hash, of each of many responses retains. `getHeapBytes` collects garbage and returns
 * the bytes in use.
 */
export async function measureRetained(assets, getHeapBytes, { responses = 100, rounds = 5 } = {}) {
  const [parse, decode] = await prepareDecoders(assets, "payloads/0.json", "addressTokenTransfers", "items");
  // The documented shape has more members than the response. Most are null, but they take space in an object.
  const normalizedJson = JSON.stringify(decode());
  const decoders = { "JSON.parse": parse, "JSON.parse, same members": () => JSON.parse(normalizedJson), "address-query": decode };
  const parts = {
    "one row": (rows) => rows[25],
    "one hash": (rows) => rows[25].transaction_hash,
  };
  const results = [];
  for (const [name, getPart] of Object.entries(parts)) {
    const bytes = Object.fromEntries(Object.keys(decoders).map((contender) => [contender, []]));
    for (let round = 0; round <= rounds; round++) {
      for (const [contender, decodeRows] of Object.entries(decoders)) {
        const retained = new Array(responses).fill(null);
        const before = await getHeapBytes();
        for (let i = 0; i < responses; i++) retained[i] = getPart(decodeRows());
        const after = await getHeapBytes();
        // The first round is a warm-up.
        if (round > 0) bytes[contender].push((after - before) / responses);
        if (retained.length !== responses) throw new Error("nothing was retained");
      }
    }
    results.push({ name, bytes });
  }
  return results;
}

/** Prepares `JSON.parse` and the decoder of the package for the response in a file. */
async function prepareDecoders(assets, file, operation, rows) {
  const payload = { operation, rows, bytes: await assets.bytes(file) };
  return (await prepareContenders(payload, await loadTools(assets), ["JSON.parse", "address-query"])).map(({ run }) => run);
}
