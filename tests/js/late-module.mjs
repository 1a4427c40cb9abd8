// Clients whose module is still loading when they are called.
import { readFileSync } from "node:fs";
import { importEntry } from "./copies.mjs";
import { createDeferred } from "./support.mjs";

export const WASM = readFileSync(new URL("../../pkg/client.wasm", import.meta.url));

/** Imports a new copy of the entry `slim`, which has sent no early requests yet. */
export const importSlim = () => importEntry("slim");

/** Imports a new copy of the entry `slim`. Its module arrives with `arrive`, or fails with `fail`. */
export async function loadLate() {
  const { AddressClient, init } = await importSlim();
  const module = createDeferred();
  init({ module: module.promise }).catch(() => {});
  return { AddressClient, init, arrive: (bytes = WASM) => module.resolve(bytes), fail: module.reject };
}
