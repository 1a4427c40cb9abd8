// The types of the sample gateway.

import type { Fetch } from "../../index.js";
import type { SampleService } from "../public-types.js";

export interface SampleGatewayOptions {
  /** The sample service of each chain, by chain id. */
  chains: Readonly<Record<number, SampleService>>;
  /** The plan of each API key. */
  keys: Readonly<Record<string, SamplePlan>>;
  /**
   * Whether a page of another origin can read the responses. For the real gateway, this is not documented. The header with the
   * remaining credits is never exposed. Default: true.
   */
  cors?: boolean | undefined;
}

/** The plan of an API key. */
export interface SamplePlan {
  /** Credits at the beginning. Default: 100,000. */
  credits?: number | undefined;
  /** Maximum number of requests per second. Default: no limit. */
  requestsPerSecond?: number | undefined;
}

export interface SampleGateway {
  /**
   * Responds to a request as the gateway would. A drop-in replacement of the global `fetch`, bound to this gateway. The origin does
   * not matter, so any base URL works.
   */
  readonly fetch: Fetch;

  /**
   * Returns the remaining credits of a key. They can be negative, because the gateway serves a request as long as any credits
   * remain.
   *
   * @throws RangeError if the key is unknown
   */
  getCredits(key: string): number;

  /**
   * Sets the credits of a key, as a renewal of its plan does.
   *
   * @throws RangeError if the key is unknown, or if `credits` is not a non-negative integer
   */
  setCredits(key: string, credits: number): void;
}
