// Entry point of `address-query/testing`.

export type {
  BackendVersion,
  FaultKind,
  SampleAddress,
  SampleAddressId,
  SampleEvent,
  SampleFaults,
  SampleService,
  SampleServiceOptions,
  ScriptedFault,
} from "./public-types.js";
export { createSampleService } from "./sample-service.js";
