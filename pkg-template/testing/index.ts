// Entry point of `address-query/testing`.

export type {
  BackendVersion,
  FaultKind,
  SampleAddress,
  SampleAddressId,
  SampleFaults,
  SampleService,
  SampleServiceOptions,
} from "./public-types.js";
export { createSampleService } from "./sample-service.js";
