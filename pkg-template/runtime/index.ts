// Entry address-query: reads blockchain addresses from the Blockscout API. module.js contains the WebAssembly module as a string.
import { bind } from "./bindings.js";
import type { ClientOptions } from "./chain.js";
import { Client } from "./client.js";
import { Loader } from "./loader.js";
import { decodeModule } from "./module-codec.js";
import { encoded, size } from "./module.js";

export * from "./public.js";

const loader = /* @__PURE__ */ new Loader(bind, () => {
  // Throws where there is no WebAssembly, before the first request is sent.
  const { compile } = WebAssembly;
  // The first request is sent before the module is decoded, which takes some milliseconds.
  return Promise.resolve().then(() => compile(decodeModule(encoded, size)));
});

/**
 * A client of one Blockscout instance.
 *
 * @remarks
 * Creating a client sends nothing. The first call loads the WebAssembly module.
 *
 * @example
 * ```ts
 * const client = new AddressClient({ baseUrl: "https://eth.blockscout.com" });
 * const page = await client.addressLogs({ address_hash: "0x00000000219ab540356cBB839Cbe05303d7705Fa" });
 * ```
 */
export class AddressClient extends Client {
  /**
   * Creates a client. The first call validates the contents of `baseUrl` and `apiKey`, and rejects if they are invalid.
   *
   * @throws {AddressQueryError} `invalid_parameter` for an option that is unknown, missing or of a wrong type.
   */
  constructor(options: ClientOptions) {
    super(options, loader);
  }
}
