// Checks an instance over the network: node tests/live/run.mjs https://eth.blockscout.com. The gateway needs BLOCKSCOUT_API_KEY, and a
// base URL with the id of a chain. RATE is the number of requests per second. The exit status is 1 if anything breaks.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv, env, exit } from "node:process";
import { checkInstance } from "./check.mjs";
import { removePrivate } from "./privacy.mjs";

const [, , address, target = "target/live"] = argv;
if (!URL.canParse(address ?? "")) {
  console.error("usage: make live URL=https://eth.blockscout.com");
  exit(1);
}
const isGateway = /\/\d+\/?$/.test(address);
const apiKey = isGateway ? env.BLOCKSCOUT_API_KEY : undefined;
if (isGateway && !apiKey) {
  console.error("the gateway needs BLOCKSCOUT_API_KEY");
  exit(1);
}
const { rows, breaks, responses } = await checkInstance({
  url: address.replace(/\/$/, ""),
  apiKey,
  rate: Number(env.RATE ?? 2),
  print: console.log,
});
const folder = join(target, new URL(address).host.replace(":", "-"));
rmSync(folder, { recursive: true, force: true });
responses.forEach(({ folder: kind, body }, i) => {
  const file = join(folder, kind, `${String(i + 1).padStart(3, "0")}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(removePrivate(parse(body), [apiKey]), null, 2)}\n`);
});
const drifts = rows.reduce((count, { drift }) => count + drift.length, 0);
const refused = rows.filter(({ refused }) => refused).length;
console.log(`\n${rows.length} operations, ${drifts} differences, ${refused} refused, ${breaks.length} break`);
for (const message of breaks) console.log(`BREAKS ${message}`);
if (responses.length > 0) console.log(`${responses.length} responses are in ${folder}: make conformance DIR=${folder}`);
exit(breaks.length > 0 ? 1 : 0);

/** Parses a body. One that is not JSON becomes a string. */
function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
