// A process that exports a history to a file, for resumable-export-node.test.mjs. It kills itself before, within or after its n-th
// request or write: `node export-process.mjs FOLDER N`.
import { open } from "node:fs/promises";
import { join } from "node:path";
import { argv, kill, pid } from "node:process";
import { AddressClient } from "../../pkg/index.js";
import { history } from "../../pkg/history/index.js";
import { resumableExport } from "../../pkg/store/index.js";
import { fileDatabase, fileTarget } from "../../pkg/store/node.js";
import { createSampleService } from "../../pkg/testing/index.js";

const [, , folder, last] = argv;
let operations = 0;
const dieIfLast = () => ++operations === Number(last) && kill(pid, "SIGKILL");

/** Writes half of the bytes when the process is about to die. */
const path = join(folder, "history.csv");
const probe = await open(path, "a");
const prototype = Object.getPrototypeOf(probe);
await probe.close();
const { write } = prototype;
prototype.write = async function (bytes, offset, length, position) {
  dieIfLast();
  if (operations + 1 === Number(last)) await write.call(this, bytes, offset, length >> 1, position);
  dieIfLast();
  return write.call(this, bytes, offset, length, position);
};

const database = fileDatabase(join(folder, "store"));
const writeChange = async (change) => {
  dieIfLast();
  await database.write(change);
  dieIfLast();
};

const service = createSampleService();
const fetch = async (request) => {
  dieIfLast();
  return service.fetch(request);
};
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch, maxPerSecond: 1000 });
const address_hash = service.addresses.find(({ id }) => id === "quiet").hash;
const pad = { name: "pad", value: ({ block_number }) => "x".repeat(block_number % 8 === 0 ? 66_000 : 100) };
const result = await resumableExport(history(client, { address_hash, order: "asc" }), {
  store: { database: { ...database, write: writeChange } },
  to: fileTarget(path),
  columns: ["key", "amount", pad],
});
console.log(JSON.stringify({ ...result, operations }));
