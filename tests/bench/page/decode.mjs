// Measures decoding: from the bytes of a response to its records.
import { loadTools, prepareContenders } from "./contenders.mjs";
import { compare } from "./timing.mjs";
import { verifyContenders } from "./verify.mjs";

/** Measures all contenders with one response, after checking that their results agree. */
export async function measureDecode(assets, name, settings) {
  const { payload, tools } = await loadPayload(assets, name);
  const prepare = (payload) => prepareContenders(payload, tools);
  await verifyContenders(payload, prepare, tools);
  return { name, bytes: payload.bytes.length, contenders: await compare(await prepare(payload), settings) };
}

/** Measures the phases of the decoder, compared with `JSON.parse`. Each phase includes the previous ones. */
export async function measurePhases(assets, name, settings) {
  const { payload, tools } = await loadPayload(assets, name);
  const decoder = await tools.createDecoder(payload.operation);
  const [parse] = await prepareContenders(payload, tools, ["JSON.parse"]);
  const createPhase = (name) => ({ name, run: () => decoder[name](payload.bytes) });
  return {
    name,
    contenders: await compare([parse, createPhase("read"), createPhase("strings"), createPhase("decode")], settings),
  };
}

/** Measures the first ten calls of one contender, in a page that has run nothing else; returns milliseconds of each. */
export async function measureFirstCalls(assets, name, contender) {
  const { payload, tools } = await loadPayload(assets, name);
  const [{ run }] = await prepareContenders(payload, tools, [contender]);
  const times = [];
  for (let i = 0; i < 10; i++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times;
}

/** Measures microseconds per record for responses of these numbers of records. */
export async function measureScaling(assets, sizes, settings) {
  const tools = await loadTools(assets);
  const contenders = [];
  for (const size of sizes) {
    const bytes = await assets.bytes(`payloads/rows-${size}.json`);
    const payload = { operation: "txList", record: "AccountTransaction", rows: "result", bytes };
    const prepared = await prepareContenders(payload, tools, ["JSON.parse", "address-query"]);
    contenders.push(...prepared.map((contender) => ({ ...contender, size })));
  }
  const results = (await compare(contenders, settings)).map(({ name, ms: { median, low, high } }, i) => {
    const { size } = contenders[i];
    const toUsPerRecord = (ms) => (ms * 1000) / size;
    return { name, size, us: { median: toUsPerRecord(median), low: toUsPerRecord(low), high: toUsPerRecord(high) } };
  });
  return sizes.map((size) => ({ size, contenders: results.filter((result) => result.size === size) }));
}

async function loadPayload(assets, name) {
  const payload = (await assets.json("payloads.json")).find((payload) => payload.name === name);
  return { payload: { ...payload, bytes: await assets.bytes(`payloads/${payload.file}`) }, tools: await loadTools(assets) };
}
