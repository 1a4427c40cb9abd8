// Entry point of `address-query/testing`.

export { createPageFetch } from "./cors.js";
export { createSampleGateway } from "./gateway/sample-gateway.js";
export * from "./public-types.js";
export { createSampleService } from "./sample-service.js";
