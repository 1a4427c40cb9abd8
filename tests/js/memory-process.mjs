// Run by process.test.mjs with --expose-gc: a server that creates a client for every request, with callbacks that refer to the
// client. Prints how many of the clients, and of their `fetch` functions, were not garbage-collected.
import { setImmediate as runTasks } from "node:timers/promises";
import { AddressClient } from "../../pkg/index.js";
import { BASE, HASH, page } from "./support.mjs";

const clients = [];
const fetches = [];

async function serve() {
  const fetch = async () => new Response(client && page([1]));
  const client = new AddressClient({ baseUrl: BASE, fetch, onEvent: () => client, apiKey: () => client && "proapi_s3cret" });
  clients.push(new WeakRef(client));
  fetches.push(new WeakRef(fetch));
  const { items } = await client.addressWithdrawals({ address_hash: HASH });
  if (items.length !== 1) throw new Error("the page is wrong");
}

async function collectGarbage() {
  // Finalizers run in a later task, and released objects are collected in the next round.
  for (let round = 0; round < 3; round++) {
    gc();
    await runTasks();
  }
}

for (let count = 1; count <= 1000; count++) {
  await serve();
  if (count % 100 === 0) await collectGarbage();
}
const countAlive = (references) => references.filter((reference) => reference.deref() !== undefined).length;
console.log(countAlive(clients), countAlive(fetches));
