// What was set out to be reached, and how it is told from the measurements. A target's value is a median.

const NAME = "address-query";

const payload = (results, name) => results.decode?.chromium.find((payload) => payload.name === name);
const ratioOf = (measured, contender = NAME) => measured?.contenders.find(({ name }) => name === contender)?.ratio.median;
const decode = (name, limit) => ({
  what: `decode ${name}, of \`JSON.parse\``,
  limit,
  value: (results) => ratioOf(payload(results, name)),
});
const use = (name) => ({
  what: `use of 10,000 rows: ${name}, of the engine's own`,
  limit: 1.15,
  value: ({ use }) => ratioOf(use?.chromium.find((use) => use.name === name)),
});
const retained = (name) => ({
  what: `bytes retained by ${name} that is kept, of the engine's own`,
  limit: 1.2,
  value({ use }) {
    const bytes = use?.retained.find((part) => part.name === name)?.bytes;
    return bytes && median(bytes[NAME]) / median(bytes["JSON.parse, same members"]);
  },
});
export const rateName = (rate) => (rate === 0 ? "unthrottled" : `${rate} Mbit/s`);
const streamed = (results, rate, name = "address-query, txList.all()") =>
  results.stream?.find((measured) => measured.rate === rate)?.ways.find((way) => way.name === name);
/** Samples in a tenth of an iteration: 100 are taken. */
const TENTH = 10;

export const TARGETS = [
  decode("50 transfers", 0.4),
  decode("50 logs, decoded", 0.48),
  decode("50 NFTs with metadata", 0.36),
  decode("50 rows", 0.7),
  decode("10,000 rows", 0.56),
  ...["50 transfers", "50 logs, decoded", "50 NFTs with metadata", "50 addresses", "50 rows", "10,000 rows"].map((name) =>
    decode(`${name}, foreign order`, 0.75),
  ),
  ...["Map keys", "filter", "sort", "BigInt sum", "JSON.stringify", "structuredClone"].map(use),
  ...["one row", "one hash"].map(retained),
  ...[0, 200, 50].flatMap((rate) => [
    {
      what: `first record after the first bytes of 6.4 MB, ms, ${rateName(rate)}`,
      limit: 10,
      value: (results) => streamed(results, rate)?.first.median,
    },
    ...["txList()", "txList.all()"].map((call) => ({
      what: `longest slice of main-thread work, ${call}, ms, ${rateName(rate)}`,
      limit: 8,
      value: (results) => streamed(results, rate, `address-query, ${call}`)?.slice.median,
    })),
  ]),
  {
    what: "whole call of 6.4 MB, txList(), of `r.json()`, unthrottled",
    limit: 0.6,
    value: (results) => streamed(results, 0, "address-query, txList()")?.ratio.median,
  },
  {
    what: "whole call of one page, of `fetch().then(r => r.json())`",
    limit: 1.03,
    value: ({ calls }) => calls && ratioOf({ contenders: calls.one }),
  },
  {
    what: "40 pages at 30 ms with 16 ms of work each, of the latency bound",
    limit: 1.05,
    value: ({ calls }) => calls && ratioOf({ contenders: calls.prefetch }),
  },
  {
    what: "wasm memory after 1,000,000 transfers, of that after 10,000",
    limit: 1.5,
    value: ({ memory }) => memory && memory.at(-1).wasm / memory[0].wasm,
  },
  {
    what: "heap in use after 1,000,000 transfers, of that after 100,000",
    limit: 1.1,
    value: ({ memory }) => memory && memory.at(-1).liveHeap / memory.at(-2).liveHeap,
  },
  {
    what: "time per record, 10,000 in an answer, of that with 50",
    limit: 1.1,
    value({ scaling }) {
      const us = ({ contenders }) => contenders.find(({ name }) => name === NAME).us.median;
      return scaling && us(scaling.at(-1)) / us(scaling[0]);
    },
  },
  {
    what: "time per page of that of `JSON.parse`, the last tenth of 20,000, of the second tenth",
    limit: 1.1,
    value({ memory }) {
      const tenth = (which) => median(memory.at(-1).samples.slice(which * TENTH, (which + 1) * TENTH).map(({ ms, parse }) => ms / parse));
      return memory && tenth(9) / tenth(1);
    },
  },
];

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
