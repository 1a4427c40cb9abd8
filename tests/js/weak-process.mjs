// Run by process.test.mjs with --expose-gc: garbage is collected while a call waits that nobody else refers to.
import { setImmediate as turn } from "node:timers/promises";
import { AddressClient } from "../../pkg/index.js";
import { BASE, HASH, page } from "./support.mjs";

const kinds = [];

function read() {
  const answers = [new Response("", { status: 503, headers: { "retry-after": "0" } }), new Response(page([2], 2)), new Response(page([1]))];
  const fetch = async () => {
    for (let round = 0; round < 3; round++) {
      gc();
      await turn();
    }
    return answers.shift();
  };
  const client = new AddressClient({ baseUrl: BASE, fetch, onEvent: ({ kind }) => kinds.push(kind), apiKey: async () => "proapi_s3cret" });
  return client.addressWithdrawals({ address_hash: HASH }).toArray({ limit: 9 });
}

const items = await read();
console.log(items.map(({ index }) => index).join(" "), kinds.join(" "));
