// Makes the tables and plots of RESULTS.md from target/bench/*.json: what was not measured is left out.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { plot } from "./plot.mjs";
import { SITE, TARGET } from "./site.mjs";
import { median, rateName, TARGETS } from "./targets.mjs";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const SECTIONS = ["decode", "phases", "first", "use", "calls", "cold", "stream", "slices", "memory", "scaling"];
const LIBRARIES = ["zod", "valibot", "typebox", "ky", "openapi-fetch"];

/** Into the repository, or, for measurements that were made in haste, into `folder`. */
export function writeReport(folder = HERE) {
  const results = {};
  const stolen = [];
  let environment;
  for (const name of SECTIONS) {
    const file = `${TARGET}${name}.json`;
    if (!existsSync(file)) continue;
    const section = JSON.parse(readFileSync(file, "utf8"));
    ({ environment, result: results[name] } = section);
    stolen.push(section.stolen);
  }
  const parts = [head(environment, stolen), verdicts(results)];
  for (const name of SECTIONS) if (results[name]) parts.push(sections[name](results[name], folder));
  parts.push(LEFT_OUT);
  writeFileSync(`${folder}RESULTS.md`, `${parts.map((part) => part.trim()).join("\n\n")}\n`);
}

const head = ({ load, cpus, chromium, node }, stolen) => `
# Benchmark

Made by \`make bench\`; do not edit. Chromium ${chromium} (headless), Node ${node}, ${cpus} processors.
The load average was ${load.toFixed(1)} when it began${load > 1.5 * cpus ? ": **the machine was busy with other things, so these figures are rough**" : ""}.
${theft(stolen)}
Contenders: ${[...LIBRARIES.map((name) => `${name} ${version(name)}`), ...crates()].join(", ")}.

All measurements of a table are made in one run, the contenders taking turns in an order that changes from round to round,
after warming up. A turn begins with a run that is not measured; that of an answer of more than a megabyte begins with a
collected heap. A ratio is taken within a round; shown are the median of the rounds and, in brackets, the quartiles.
Answers come from the sample service (version 11). Before anything is timed, every contender's records are compared with the
others', and every checking one must refuse an answer with one damaged hash.`;

/** How much of the processors' time that was wanted the host of a virtual machine gave to others meanwhile. */
function theft(shares) {
  if (shares.includes(undefined)) return "Whether a host took the processors meanwhile is not known.";
  const least = percent(Math.min(...shares));
  const most = percent(Math.max(...shares));
  const rough = Math.max(...shares) > 0.05 ? ": **where it took much, figures are rough**" : "";
  return `Its host took ${least} to ${most} of the processors' time that a section wanted${rough}.`;
}

const percent = (share) => `${(100 * share).toFixed(0)} %`;

function version(name) {
  return JSON.parse(readFileSync(`${HERE}node_modules/${name}/package.json`, "utf8")).version;
}

function crates() {
  const lock = readFileSync(`${HERE}rust/Cargo.lock`, "utf8");
  return ["serde-wasm-bindgen", "serde_json"].map((name) => `${name} ${new RegExp(`name = "${name}"\nversion = "(.*)"`).exec(lock)[1]}`);
}

function verdicts(results) {
  const rows = TARGETS.map(({ what, limit, value }) => {
    const measured = value(results);
    if (measured === undefined) return [what, `≤ ${limit}`, "", "not measured"];
    return [what, `≤ ${limit}`, round(measured), measured <= limit ? "met" : "**missed**"];
  });
  return `## Targets\n\nIn Chromium.\n\n${table(["what", "target", "measured", "verdict"], rows)}`;
}

const sections = {
  decode({ chromium, node }) {
    const known = (payloads) => payloads.filter(({ name }) => !name.includes("foreign"));
    const foreign = (payloads) => payloads.filter(({ name }) => name.includes("foreign"));
    return `## From bytes to records

Time relative to \`JSON.parse(new TextDecoder().decode(bytes))\`. The column "gives": *unchecked*; *sent*: the answer's own
objects, every field's type and format checked; *given*: checked, and in the documented shape, with older names and versions
absorbed. The schemas of zod, valibot and typebox and the hand-written checks are made from the declarations in \`src/types\`.
The two serde contenders read into this crate's own structs, which are as lenient as the decoder; serde-wasm-bindgen leaves
free JSON as text.

### Chromium

${decoded(known(chromium))}

### Chromium, keys in foreign order

Every object's members in reverse order.

${decoded(foreign(chromium))}

### Node

${decoded(known(node))}

### Node, keys in foreign order

${decoded(foreign(node))}`;
  },

  phases(payloads) {
    const rows = payloads.map(({ name, contenders }) => {
      const [parse, read, texts, whole] = contenders.map(({ ms }) => ms.median);
      const share = (ms) => round(ms / parse);
      return [name, round(parse), share(read), share(texts - read), share(whole - texts), share(whole)];
    });
    return `## Where the decoder's time goes

In Chromium, as shares of the time that \`JSON.parse\` takes: bytes are copied into the module, read and checked there; the
engine decodes and parses the texts, each distinct one once, and free JSON; records are made of them.

${table(["answer", "`JSON.parse`, ms", "bytes read and checked", "texts", "records", "all"], rows)}`;
  },

  first(payloads) {
    const rows = payloads.flatMap(({ name, contenders }) => {
      const total = (ms) => ms.reduce((sum, ms) => sum + ms, 0);
      const base = median(contenders[0].ms.map(total));
      return contenders.map(({ name: contender, ms }, i) => [
        i === 0 ? name : "",
        contender,
        round(median(ms.map((ms) => ms[0]))),
        round(median(ms.map((ms) => ms[9]))),
        round(median(ms.map(total)) / base),
      ]);
    });
    return `## The first ten calls

In a page that has done nothing else; schemas are built and modules compiled before.

${table(["answer", "contender", "first call, ms", "tenth call, ms", "all ten, of `JSON.parse`"], rows)}`;
  },

  use({ chromium, retained }) {
    const used = chromium.map(({ name, contenders: [parse, ours] }) => [name, round(parse.ms.median), round(ours.ms.median), ratio(ours.ratio)]);
    const kept = retained.map(({ name, bytes }) => {
      const [parse, same, ours] = Object.values(bytes).map(median);
      return [name, Math.round(parse), Math.round(same), Math.round(ours), round(ours / same)];
    });
    return `## Use of the records

10,000 rows of \`txlist\`, fresh for each use, against those of \`JSON.parse\`.

${table(["use", "`JSON.parse`, ms", "ours, ms", "ratio"], used)}

Bytes in use after garbage collection for each of 200 answers of 50 transfers of which only this is kept:

${table(["kept", "`JSON.parse`", "`JSON.parse`, same members", "ours", "ratio to the latter"], kept)}

Ours have every documented member, null where the answer has none; the engine's own objects with the same members are what
they are compared with.`;
  },

  calls({ one, prefetch }) {
    return `## Whole calls

One page of 50 transfers over HTTP on loopback, from a server that has the answer ready:

${table(["contender", "ms", "ratio"], one.map(({ name, ms, ratio: r }) => [name, round(ms.median), ratio(r)]))}

40 pages, each 30 ms away, and a caller who is busy for 16 ms after each. The latency bound is measured in the same round: the
same 40 answers, one after the other, not read, and 16 ms.

${table(["contender", "ms", "of the latency bound"], prefetch.map(({ name, ms, ratio: r }) => [name, round(ms.median), ratio(r)]))}`;
  },

  cold(measured) {
    const names = { fetch: "fetch, r.json()", zod: "fetch, zod", ours: "address-query" };
    const rows = Object.entries(names).map(([way, name]) => {
      const bytes = readFileSync(`${SITE}cold/${way}.js`);
      const ms = measured.map(({ ways }) => ways.find(({ name }) => name === way).ms);
      return [name, brotliCompressSync(bytes).length, ...ms.map((ms) => spreadOf(ms))];
    });
    return `## Cold start

From the import of one minified script, in a new browser context, to the first transfer of a page: script, module, schema and
request included. Loopback, so that bytes cost next to nothing.

${table(["way", "script, brotli bytes", ...measured.map(({ throttle }) => `ms at ${throttle}x CPU throttle`)], rows)}`;
  },

  stream(measured) {
    const rows = measured.flatMap(({ rate, ways }) =>
      ways.map(({ name, first, whole, slice, ratio: r }, i) => [
        i > 0 ? "" : rateName(rate),
        name,
        spreadText(first),
        spreadText(whole),
        ratio(r),
        spreadText(slice),
      ]),
    );
    return `## One large answer

9,999 rows, 6.4 MB. First record: after the first bytes had come. Slice: the longest time between two turns of the event loop.

${table(["rate", "way", "first record, ms", "whole call, ms", "of `r.json()`", "longest slice, ms"], rows)}`;
  },

  slices(measured) {
    const rows = measured.flatMap(({ rate, ways }) =>
      ways.map(({ name, slices }, i) => {
        const middle = slices.toSorted((a, b) => a.whole - b.whole)[Math.floor(slices.length / 2)];
        const { whole, script, collecting, browser } = middle;
        return [i > 0 ? "" : rateName(rate), name, ...[whole, script, collecting, browser].map(round)];
      }),
    );
    return `## What the longest slices hold

The middle one of three, told by the browser's trace, which makes everything slower: the figures above are others. Script:
the package, the caller's loop and what they call; collecting: the engine's garbage collector; browser: the rest, such as the
loader that takes bytes out of the network's process.

${table(["rate", "way", "longest slice, ms", "script", "collecting", "browser"], rows)}`;
  },

  memory(measured, folder) {
    const mega = (bytes) => (bytes / 1e6).toFixed(1);
    const rows = measured.map(({ records, wasm, peakHeap, liveHeap }) => [records.toLocaleString("en"), mega(wasm), mega(peakHeap), mega(liveHeap)]);
    const { samples } = measured.at(-1);
    const points = (of) => samples.map((sample) => ({ x: sample.page, y: sample[of] }));
    const series = [["parse", "JSON.parse"], ["ms", "address-query"]].map(([of, name]) => ({ name, points: points(of) }));
    const svg = plot({ title: "Time per page of an iteration", x: "page", y: "ms", series });
    writeFileSync(`${folder}pages.svg`, svg);
    return `## Iterating over very many

\`for await\` over the transfers of one list, 50 a page, made by a \`fetch\` in the page. The heap's peak holds garbage that the
engine has not collected yet; what is in use at the end is told after a collection. The module's memory holds a digest of
every cursor that was followed, 8 bytes a page, to notice a service that leads in a circle; it doubles when it is full. The
plot has what \`JSON.parse\` took for such a page meanwhile, too.

${table(["transfers", "wasm memory, MB", "peak of the heap, MB", "heap in use at the end, MB"], rows)}

![Time per page](pages.svg)`;
  },

  scaling(measured, folder) {
    const names = measured[0].contenders.map(({ name }) => name);
    const us = (size, wanted) => size.contenders.find(({ name }) => name === wanted).us;
    const series = names.map((name) => ({
      name,
      points: measured.map((size) => ({ x: size.size, y: us(size, name).median, ...us(size, name) })),
    }));
    writeFileSync(`${folder}records.svg`, plot({ title: "Time per record of an answer", x: "records in the answer", y: "µs", series }));
    const rows = measured.map((size) => [size.size.toLocaleString("en"), ...names.map((name) => spreadText(us(size, name)))]);
    return `## Scaling

Microseconds per record of \`txlist\` answers.

${table(["records", ...names.map((name) => `${name}, µs`)], rows)}

![Time per record](records.svg)`;
  },
};

const LEFT_OUT = `
## Left out

- **ethers, viem**: neither reads the lists of an address. What they share with this package is one native balance, by
  \`eth_getBalance\` over a node's JSON-RPC; the sample service has no JSON-RPC, so there is nothing to call.
- **The published specification** of the service: openapi-fetch takes types from it and nothing at run time, so it is
  measured without it.
`;

/** A row per contender, a column per answer. */
function decoded(payloads) {
  const header = ["contender", "gives", ...payloads.map(({ name }) => name.replace(", foreign order", ""))];
  const bytes = ["*bytes*", "", ...payloads.map(({ bytes }) => bytes.toLocaleString("en"))];
  const base = ["*`JSON.parse`, ms*", "", ...payloads.map(({ contenders }) => round(contenders[0].ms.median))];
  const rows = payloads[0].contenders.map(({ name, shape }, i) => [name, shape, ...payloads.map(({ contenders }) => ratio(contenders[i].ratio))]);
  return table(header, [bytes, base, ...rows]);
}

function table(header, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

const round = (value) => (value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2));
const spreadText = ({ median, low, high }) => `${round(median)} [${round(low)}–${round(high)}]`;
const ratio = (spread) => (spread.low === spread.high ? round(spread.median) : spreadText(spread));

function spreadOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const quarter = (sorted.length - 1) / 4;
  return spreadText({ median: median(values), low: sorted[Math.round(quarter)], high: sorted[Math.round(3 * quarter)] });
}
