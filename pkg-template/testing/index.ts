// Entry point of `address-query/testing`.

export type {
  BackendVersion,
  FaultKind,
  SampleAddress,
  SampleFaults,
  SampleService,
  SampleServiceOptions,
} from "./public-types.js";
export { createSampleService } from "./sample-service.js";
