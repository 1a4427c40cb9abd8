// A client whose WebAssembly instance traps (crashes) while it reads pages.
import { readFileSync } from "node:fs";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { Loader } from "../../target/parts/loader.js";
import { BASE } from "./support.mjs";

const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));
const UNREACHABLE = Buffer.from("0061736d0100000001040160000003020100070801047472617000000a05010300000b", "hex");

export const compileModule = () => WebAssembly.compile(WASM);

/** Creates a client that traps when it creates one of these pages or results, counted from 1. */
export function createTrappingClient(trapPages, fetch, options) {
  const { trap } = new WebAssembly.Instance(new WebAssembly.Module(UNREACHABLE)).exports;
  let pages = 0;
  const loader = new Loader(bind, compileModule, (module, imports) => {
    for (const [name, functions] of Object.entries(imports)) {
      imports[name] = { ...functions };
      for (const [key, original] of Object.entries(functions)) {
        if (!/\b(createPage|createRows)\(/.test(original)) continue;
        imports[name][key] = (...args) => {
          pages += 1;
          if (trapPages.includes(pages)) trap();
          return original(...args);
        };
      }
    }
    return WebAssembly.instantiate(module, imports);
  });
  return new Client({ baseUrl: BASE, fetch, ...options }, loader);
}
