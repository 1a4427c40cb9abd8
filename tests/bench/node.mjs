// Runs functions of the bundle in Node: a list of `[name, ...arguments]` comes in, their results go out.
import { readFile } from "node:fs/promises";
import { argv, stdin, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const site = pathToFileURL(argv[2]);
const bench = await import(new URL("bench.js", site).href);
const assets = bench.assetsAt(site, async (path) => new Uint8Array(await readFile(new URL(path, site))));

const jobs = JSON.parse(Buffer.concat(await stdin.toArray()).toString());
const results = [];
for (const [name, ...rest] of jobs) results.push(await bench[name](assets, ...rest));
stdout.write(JSON.stringify(results));
