// Loads the module, once, when it is first needed.
import { AddressQueryError } from "./errors.js";
import { base64 } from "./module.js";
import init, * as wasm from "./wasm.js";

let loading;

/** The module's exports. A failed attempt is not remembered: the next call tries again. */
export function load() {
  loading ??= start().catch((cause) => {
    loading = undefined;
    throw loadError(cause);
  });
  return loading;
}

async function start() {
  await init({ module_or_path: bytes() });
  return wasm;
}

function bytes() {
  if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const decoded = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) decoded[i] = text.charCodeAt(i);
  return decoded;
}

function loadError(cause) {
  const reason = cause instanceof Error ? cause.message : String(cause);
  let remedy = "try again, or report this with the name of the browser";
  if (typeof WebAssembly === "undefined") {
    remedy = "this browser has no WebAssembly, or has it switched off";
  } else if (/unsafe-eval|Content.Security.Policy|disallowed by embedder/i.test(reason)) {
    remedy = "the page's Content-Security-Policy forbids WebAssembly: add 'wasm-unsafe-eval' to its script-src";
  }
  return new AddressQueryError("load", `the WebAssembly module could not be loaded (${reason}); ${remedy}`, undefined, cause);
}
