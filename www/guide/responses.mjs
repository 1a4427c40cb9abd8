// The response that a reference page shows: the first record of the result of its example, on the sample service.
import { readFileSync } from "node:fs";
import { AddressClient } from "address-query";
import { createSampleService } from "address-query/testing";
import { createExampleValues } from "./values.js";

const REQUIRED = new URL("../../target/generated/guide/values.json", import.meta.url);
const AsyncFunction = (async () => {}).constructor;

const service = createSampleService({ backendVersion: 12 });
const client = new AddressClient({ baseUrl: "https://sample.invalid", fetch: service.fetch });
const values = createExampleValues(service, JSON.parse(readFileSync(REQUIRED, "utf8")));

/** Returns the first record of the first sample address that has any, as JSON. Null if none has. */
export async function readResponse(page) {
  const [, example] = /^```ts\n([^]*?)^```$/m.exec(page);
  const [code] = example.split("\n\n");
  for (const { hash } of service.addresses) {
    let shown;
    const show = (value) => {
      shown = value;
    };
    const names = { ...values, address_hash: hash, address: hash, client, show };
    const run = new AsyncFunction(...Object.keys(names), code);
    try {
      await run(...Object.values(names));
    } catch (error) {
      if (error.code === undefined) throw error;
      continue;
    }
    const record = Array.isArray(shown) ? shown[0] : (shown?.items?.[0] ?? shown);
    if (record !== undefined && record !== null && !("items" in Object(record))) return JSON.stringify(record, null, 2);
  }
  return null;
}
