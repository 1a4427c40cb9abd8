// From bytes to records: every contender over every answer, and the first ten calls after loading.
import { contenders, toolsOf } from "./contenders.mjs";
import { compare } from "./rounds.mjs";
import { verify } from "./truth.mjs";

/** One answer, all contenders. */
export async function decode(assets, name, settings) {
  const { payload, tools } = await open(assets, name);
  const make = (payload) => contenders(payload, tools);
  await verify(payload, make, tools);
  return { name, bytes: payload.bytes.length, contenders: await compare(await make(payload), settings) };
}

/** Where the time of the decoder goes: how far it gets in which share of the time that `JSON.parse` takes. */
export async function phases(assets, name, settings) {
  const { payload, tools } = await open(assets, name);
  const decoder = await tools.decoderOf(payload.operation);
  const [parse] = await contenders(payload, tools, ["JSON.parse"]);
  const phase = (name) => ({ name, run: () => decoder[name](payload.bytes) });
  return { name, contenders: await compare([parse, phase("read"), phase("texts"), phase("decode")], settings) };
}

/** Milliseconds of each of the first ten calls of one contender, in a page that has done nothing else. */
export async function firstCalls(assets, name, contender) {
  const { payload, tools } = await open(assets, name);
  const [{ run }] = await contenders(payload, tools, [contender]);
  const times = [];
  for (let i = 0; i < 10; i++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times;
}

/** Milliseconds per record of answers of many sizes. */
export async function scaling(assets, sizes, settings) {
  const tools = await toolsOf(assets);
  const ways = [];
  for (const size of sizes) {
    const bytes = await assets.bytes(`payloads/rows-${size}.json`);
    const payload = { operation: "txList", record: "AccountTransaction", rows: "result", bytes };
    ways.push(...(await contenders(payload, tools, ["JSON.parse", "address-query"])).map((way) => ({ ...way, size })));
  }
  const results = (await compare(ways, settings)).map(({ name, ms: { median, low, high } }, i) => {
    const us = (ms) => (ms * 1000) / ways[i].size;
    return { name, size: ways[i].size, us: { median: us(median), low: us(low), high: us(high) } };
  });
  return sizes.map((size) => ({ size, contenders: results.filter((result) => result.size === size) }));
}

async function open(assets, name) {
  const payload = (await assets.json("payloads.json")).find((payload) => payload.name === name);
  return { payload: { ...payload, bytes: await assets.bytes(`payloads/${payload.file}`) }, tools: await toolsOf(assets) };
}
