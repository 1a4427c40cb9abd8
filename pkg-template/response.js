// Compiles a module that is fetched.
import { notLoaded } from "./errors.js";

const ELSE = 'or import "address-query", which brings it along';
const ANSWER = `let the server answer with the client.wasm of this package, ${ELSE}`;
const REACH = `check the connection, and that the page's connect-src allows the address of client.wasm, ${ELSE}`;

/** A promise of the module; `fetched` is a response or the promise of one. */
export async function compileResponse(fetched) {
  const response = await Promise.resolve(fetched).catch((cause) => {
    throw notLoaded(cause?.message ?? String(cause), REACH, cause, true);
  });
  if (!response.ok) throw notLoaded(`status ${response.status} of ${response.url}`, ANSWER, undefined, response.status >= 500);
  // Only this type is compiled while it arrives; a server that sends another one is waited for.
  const type = response.headers.get("content-type") ?? "nothing";
  if (type.trim().toLowerCase() === "application/wasm" && WebAssembly.compileStreaming) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      // A Response that is not the platform's own, such as happy-dom's, is refused before it is read.
      if (response.bodyUsed) throw error;
    }
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "\0asm") {
    throw notLoaded(`${response.url} is no module, but ${type}`, ANSWER);
  }
  return WebAssembly.compile(bytes);
}
