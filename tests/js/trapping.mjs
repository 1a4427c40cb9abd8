// A client whose module traps in the middle of its own work.
import { readFileSync } from "node:fs";
import { bind } from "../../target/parts/bindings.js";
import { Client } from "../../target/parts/client.js";
import { Loader } from "../../target/parts/loader.js";
import { BASE } from "./support.mjs";

const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));
const UNREACHABLE = Buffer.from("0061736d0100000001040160000003020100070801047472617000000a05010300000b", "hex");

export const compile = () => WebAssembly.compile(WASM);

/** The trap happens when the module hands over a page: on the pages that `traps` names, counted from 1. */
export function trapping(traps, fetch, options) {
  const { trap } = new WebAssembly.Instance(new WebAssembly.Module(UNREACHABLE)).exports;
  let pages = 0;
  const loader = new Loader(bind, compile, (module, imports) => {
    for (const [name, functions] of Object.entries(imports)) {
      imports[name] = { ...functions };
      for (const [key, made] of Object.entries(functions)) {
        if (!/\b(pageOf|rowsOf)\(/.test(made)) continue;
        imports[name][key] = (...given) => {
          if (traps.includes((pages += 1))) trap();
          return made(...given);
        };
      }
    }
    return WebAssembly.instantiate(module, imports);
  });
  return new Client({ baseUrl: BASE, fetch, ...options }, loader);
}
