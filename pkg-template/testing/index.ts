// Entry point of `address-query/testing`.

export { createPageFetch } from "./cors.js";
export type { SampleGateway, SampleGatewayOptions, SamplePlan } from "./public-types.js";
export { createSampleGateway } from "./gateway/sample-gateway.js";
export type {
  BackendVersion,
  ChainType,
  FaultKind,
  SampleActivityKind,
  SampleAddress,
  SampleAddressId,
  SampleApproval,
  SampleEvent,
  SampleFaults,
  SampleRateLimit,
  SampleRoute,
  SampleService,
  SampleServiceChanges,
  SampleServiceOptions,
  SampleSocketFault,
  SampleSockets,
  ScriptedFault,
} from "./public-types.js";
export { createSampleService } from "./sample-service.js";
