// Creates the client for a data source: the sample service inside the page, or a Blockscout instance.
import { showClientEvent } from "./panel.js";
import { AddressClient } from "./pkg/index.js";
import { createSampleService } from "./pkg/testing/index.js";

/** Long enough for the loading state to be visible. */
const SAMPLE_LATENCY_MS = 60;

let sampleService = null;
const getSampleService = () => (sampleService ??= createSampleService({ latencyMs: SAMPLE_LATENCY_MS }));

/** Returns the sample addresses: { hash, label, description }. */
export const getSampleAddresses = () => getSampleService().addresses;

const clients = new Map();

/**
 * `source` is a base URL, or "" for sample data.
 * Each source has one client, because a client tracks the rate limit of its instance.
 */
export function getClient(source) {
  if (!clients.has(source)) {
    const options = source ? { baseUrl: source } : { baseUrl: "https://sample.invalid", fetch: getSampleService().fetch };
    clients.set(source, new AddressClient({ ...options, onEvent: showClientEvent }));
  }
  return clients.get(source);
}
