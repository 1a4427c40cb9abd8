// The sample service, which responds inside the page.
import type { Fetch } from "address-query";
import { clock } from "../format/clock.js";
import { load, save } from "../settings/storage.js";
import { createSampleService, type FaultKind, type SampleAddress } from "address-query/testing";

/**
 * Faults of the sample service: their share of the requests, from 0 to 1, and their kinds. No kinds: all kinds that a retry
 * recovers from.
 */
export interface Faults {
  rate: number;
  kinds: readonly FaultKind[];
}

/** Long enough for the loading state to be visible. */
const LATENCY_MS = 60;
/** The time between two blocks of the sample chain. */
const BLOCK_TIME_MS = 12_000;
/** The browser keeps the faults until the tab is closed, so that they survive a reload. */
const FAULTS_KEY = "address-query-faults";

const createService = ({ rate, kinds }: Faults) =>
  createSampleService({ latencyMs: LATENCY_MS, faults: { rate, ...(kinds.length > 0 ? { kinds } : {}) } });

function readFaults(): Faults {
  try {
    const { rate, kinds } = load("sessionStorage", FAULTS_KEY) as Faults;
    const faults = { rate, kinds };
    createService(faults); // throws if they are invalid
    return faults;
  } catch {
    return { rate: 0, kinds: [] };
  }
}

export let faults: Faults = readFaults();
let service = createService(faults);

export const sampleFetch: Fetch = (url, init) => service.fetch(url, init);

/** Returns the class of the sockets of the sample service. */
export const getSampleSocket = () => service.sockets.WebSocket;

export const sampleAddresses: readonly SampleAddress[] = service.addresses;

/** Adds a block to the sample chain. */
export function growSample(): void {
  service.grow();
  clock.sample += BLOCK_TIME_MS;
}

/** Replaces the service with one that has the same data and other faults. Added blocks are lost. */
export function setFaults(next: Faults): void {
  service = createService(next);
  faults = next;
  save("sessionStorage", FAULTS_KEY, next);
}
