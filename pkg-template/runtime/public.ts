// The exports that all entries share, besides their client.
export type { RangedAction, Rows } from "./account.js";
export type { ChainLike, ClientOptions } from "./chain.js";
export { checksumAddress, requireChecksums } from "./checksum.js";
export type { CallPlan } from "./call-plan.js";
export type { ClientLimits, RequestParams } from "./client.js";
export type { ClientSource } from "./client-source.js";
export type * from "./codes.js";
export type * from "./endpoints.js";
export { AddressQueryError, isAddressQueryError, type NewErrorDetails } from "./errors.js";
export type { Collected } from "./iteration.js";
export { keyOf, type KeyedRecord } from "./keys.js";
export type { ListCall, ListPlan, Page } from "./list.js";
export type { NameRecord } from "./name-record.js";
export type {
  BadRecord,
  ClientEvent,
  Credits,
  Drift,
  ErrorDetails,
  IncompleteBlock,
  InstanceInfo,
  Omitted,
  OmittedPlace,
  RangeReport,
  UnprocessedRange,
} from "./objects.js";
export type * from "./options.js";
export type { ClientOptions as ClientOptionMembers } from "./options.js";
export type * from "./platform.js";
export type { RangeCall, RangeParams } from "./range.js";
export type * from "./records.js";
export { type AmountRecord, fiatValue, formatAmount, formatUnits, parseUnits, sumDecimals } from "./units.js";
