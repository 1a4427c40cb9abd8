// Where the records come from: the sample service inside the page, or a Blockscout service by its base URL.
import { AddressClient } from "./pkg/index.js";
import { createSampleService } from "./pkg/testing/index.js";
import { showWait } from "./results.js";

// Enough to see the loading state, little enough not to wait for it.
const SAMPLE_LATENCY_MS = 60;

let service = null;
const sample = () => (service ??= createSampleService({ latencyMs: SAMPLE_LATENCY_MS }));

/** The sample addresses: { hash, label, description }. */
export const sampleAddresses = () => sample().addresses;

const clients = new Map();

/** The client for a source; one per base URL, because a client keeps the pace the service asks for. */
export function clientFor(source) {
  if (!clients.has(source)) {
    const options = source ? { baseUrl: source } : { baseUrl: "https://sample.invalid", fetch: sample().fetch };
    clients.set(source, new AddressClient({ ...options, onEvent: showWait }));
  }
  return clients.get(source);
}
