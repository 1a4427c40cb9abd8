// Run by process.test.mjs with --expose-gc: a server that makes a client for every request, each with functions of its own that
// refer to the client. Prints how many of the clients are left at the end, and how many of the `fetch` functions.
import { setImmediate as turn } from "node:timers/promises";
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
  // Finalizers run in a turn of their own, and free what they free for the next collection.
  for (let round = 0; round < 3; round++) {
    gc();
    await turn();
  }
}

for (let count = 1; count <= 1000; count++) {
  await serve();
  if (count % 100 === 0) await collectGarbage();
}
const left = (references) => references.filter((reference) => reference.deref() !== undefined).length;
console.log(left(clients), left(fetches));
