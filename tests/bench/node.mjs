// Runs functions of the bundle in Node. Reads jobs from stdin as JSON, `[name, ...arguments]` each; writes their results to stdout.
import { readFile } from "node:fs/promises";
import { argv, stdin, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const site = pathToFileURL(argv[2]);
const bench = await import(new URL("bench.js", site).href);
const assets = bench.createAssets(site, async (path) => new Uint8Array(await readFile(new URL(path, site))));

const jobs = JSON.parse(Buffer.concat(await stdin.toArray()).toString());
const results = [];
for (const [name, ...args] of jobs) results.push(await bench[name](assets, ...args));
stdout.write(JSON.stringify(results));
