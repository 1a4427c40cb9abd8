// The performance targets, and how each is computed from the measurements. The value of a target is a median.

const NAME = "address-query";

const findPayload = (results, name) => results.decode?.chromium.find((payload) => payload.name === name);
const findRatio = (measured, contender = NAME) => measured?.contenders.find(({ name }) => name === contender)?.ratio.median;
const createDecodeTarget = (name, limit) => ({
  title: `decode ${name}, relative to \`JSON.parse\``,
  limit,
  getValue: (results) => findRatio(findPayload(results, name)),
});
const createUsageTarget = (name) => ({
  title: `use of 10,000 rows: ${name}, relative to \`JSON.parse\``,
  limit: 1.15,
  getValue: ({ usage }) => findRatio(usage?.chromium.find((use) => use.name === name)),
});
const createRetainedTarget = (name) => ({
  title: `bytes retained by ${name}, relative to \`JSON.parse\``,
  limit: 1.2,
  getValue({ usage }) {
    const bytes = usage?.retained.find((part) => part.name === name)?.bytes;
    return bytes && getMedian(bytes[NAME]) / getMedian(bytes["JSON.parse, same members"]);
  },
});
export const formatBandwidth = (mbits) => (mbits === 0 ? "unthrottled" : `${mbits} Mbit/s`);
const findStream = (results, mbits, name = "address-query, txList.all()") =>
  results.stream?.find((measured) => measured.mbits === mbits)?.contenders.find((contender) => contender.name === name);
/** The measured times of an unsafe decoder of the same shape, plus a margin. */
const DECODE_LIMITS = [
  ["50 transfers", 0.47],
  ["50 logs, decoded", 0.51],
  ["50 NFTs with metadata", 0.9],
  ["50 addresses", 0.92],
  ["50 rows", 0.88],
  ["10,000 rows", 0.51],
];
const REVERSED_LIMIT = 0.75;
/** Samples per tenth of an iteration, which takes 100 samples. */
const SAMPLES_PER_TENTH = 10;

export const TARGETS = [
  ...DECODE_LIMITS.map(([name, limit]) => createDecodeTarget(name, limit)),
  ...DECODE_LIMITS.map(([name]) => createDecodeTarget(`${name}, reversed keys`, REVERSED_LIMIT)),
  ...["Map keys", "filter", "sort", "BigInt sum", "JSON.stringify", "structuredClone"].map(createUsageTarget),
  ...["one row", "one hash"].map(createRetainedTarget),
  ...[0, 200, 50].flatMap((mbits) => [
    {
      title: `first record after the first byte of 6.4 MB, ms, ${formatBandwidth(mbits)}`,
      limit: 10,
      getValue: (results) => findStream(results, mbits)?.firstRecord.median,
    },
    ...["txList()", "txList.all()"].map((call) => ({
      title: `longest main-thread task, ${call}, ms, ${formatBandwidth(mbits)}`,
      limit: 8,
      getValue: (results) => findStream(results, mbits, `address-query, ${call}`)?.longestTask.median,
    })),
  ]),
  {
    title: "whole call of 6.4 MB, txList(), relative to `r.json()`, unthrottled",
    limit: 0.6,
    getValue: (results) => findStream(results, 0, "address-query, txList()")?.ratio.median,
  },
  {
    title: "whole call of one page with 20 ms of server time, relative to `fetch().then(r => r.json())`",
    limit: 1.02,
    getValue: ({ calls }) => calls && findRatio({ contenders: calls.onePage }),
  },
  {
    title: "40 pages with 30 ms latency and 16 ms of work each, relative to the latency bound",
    limit: 1.05,
    getValue: ({ calls }) => calls && findRatio({ contenders: calls.prefetch }),
  },
  ...Object.entries({ even: "evenly spread transactions", sample: "transactions of the sample service" }).map(([key, rows]) => ({
    title: `60,000 ${rows} with 300 ms per window, \`concurrency: 4\`, relative to 1`,
    limit: 0.35,
    getValue: ({ ranges }) => ranges?.[key].find(({ concurrency }) => concurrency === 4).ratio.median,
  })),
  ...[1, 2, 4].map((requests) => ({
    title: `memory of a deep read, \`concurrency: ${requests}\`: 1,000,000 rows, relative to 100,000`,
    limit: 1.1,
    getValue({ ranges }) {
      const getBytes = (count) => {
        const measured = ranges?.memory.find(({ concurrency, records }) => concurrency === requests && records === count);
        return measured && measured.wasm + measured.liveHeap;
      };
      return getBytes(1e6) && getBytes(1e6) / getBytes(1e5);
    },
  })),
  {
    title: "WebAssembly memory after 1,000,000 transfers, relative to that after 10,000",
    limit: 1.5,
    getValue: ({ memory }) => memory && memory.at(-1).wasm / memory[0].wasm,
  },
  {
    title: "heap in use after 1,000,000 transfers, relative to that after 100,000",
    limit: 1.1,
    getValue: ({ memory }) => memory && memory.at(-1).liveHeap / memory.at(-2).liveHeap,
  },
  {
    title: "time per record in a response of 10,000, relative to that in one of 50",
    limit: 1.1,
    getValue({ scaling }) {
      const getUs = ({ contenders }) => contenders.find(({ name }) => name === NAME).us.median;
      return scaling && getUs(scaling.at(-1)) / getUs(scaling[0]);
    },
  },
  {
    title: "time per page relative to `JSON.parse`: the last tenth of 20,000 pages, relative to the second tenth",
    limit: 1.1,
    getValue({ memory }) {
      const getTenth = (index) => memory.at(-1).samples.slice(index * SAMPLES_PER_TENTH, (index + 1) * SAMPLES_PER_TENTH);
      const getTime = (index) => getMedian(getTenth(index).map(({ ms, parse }) => ms / parse));
      return memory && getTime(9) / getTime(1);
    },
  },
];

export function getMedian(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}
