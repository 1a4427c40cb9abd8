// Kinds of fault of the sample service, for tests with random failures.

/** Each request recovers from these with retries, without a timeout. */
export const TRANSIENT_FAULTS = [
  "network_error",
  "rate_limited_reset",
  "rate_limited_no_headers",
  "internal_server_error",
  "bad_gateway",
  "truncated_body",
  "connection_reset_in_body",
];

/** All kinds that a later call recovers from. Drift changes records, so it is tested separately. */
export const RECOVERABLE_FAULTS = [
  ...TRANSIENT_FAULTS,
  "no_response",
  "stalled_body",
  "null_body",
  "duplicate_cursor_keys",
  "repeated_cursor",
];
