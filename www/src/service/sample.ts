// The sample service, which answers inside the page.
import type { Fetch } from "address-query";
import { createSampleService, type SampleAddress } from "address-query/testing";

/** Long enough for the loading state to be visible. */
const LATENCY_MS = 60;

const service = createSampleService({ latencyMs: LATENCY_MS });

export const sampleFetch: Fetch = (url, init) => service.fetch(url, init);

export const sampleAddresses: readonly SampleAddress[] = service.addresses;
