// Run by process.test.mjs with --expose-gc: collects garbage during a call whose client has no other reference.
import { setImmediate as runTasks } from "node:timers/promises";
import { AddressClient } from "../../pkg/index.js";
import { BASE, HASH, page } from "./support.mjs";

const kinds = [];

function read() {
  const responses = [
    new Response("", { status: 503, headers: { "retry-after": "0" } }),
    new Response(page([2], 2)),
    new Response(page([1])),
  ];
  const fetch = async () => {
    for (let round = 0; round < 3; round++) {
      gc();
      await runTasks();
    }
    return responses.shift();
  };
  const client = new AddressClient({
    baseUrl: BASE,
    fetch,
    onEvent: ({ kind }) => kinds.push(kind),
    apiKey: async () => "proapi_s3cret",
  });
  return client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 });
}

const items = await read();
console.log(items.map(({ index }) => index).join(" "), kinds.join(" "));
