// Compiles a WebAssembly module from an HTTP response.
import { createLoadError } from "./errors.js";

const USE_DEFAULT_ENTRY = 'or import "address-query", which includes the module';
const CHECK_FILE = `serve the file client.wasm of this package at this address, ${USE_DEFAULT_ENTRY}`;
const CHECK_CONNECTION = `check the connection, and that the page's connect-src allows the address of client.wasm, ${USE_DEFAULT_ENTRY}`;

/** Returns a promise of the module. `pending` is a response or a promise of one. */
export async function compileResponse(pending: Response | Promise<Response>): Promise<WebAssembly.Module> {
  const response = await Promise.resolve(pending).catch((cause: unknown) => {
    throw createLoadError((cause as Error | undefined)?.message ?? String(cause), CHECK_CONNECTION, cause, true);
  });
  if (!response.ok)
    throw createLoadError(`status ${response.status} of ${response.url}`, CHECK_FILE, undefined, response.status >= 500);
  // Browsers compile a module during the download only if it has this content type. Otherwise, read the whole body first.
  const type = response.headers.get("content-type") ?? "missing";
  if (type.trim().toLowerCase() === "application/wasm" && WebAssembly.compileStreaming) {
    try {
      return await WebAssembly.compileStreaming(response);
    } catch (error) {
      // A Response of another implementation, such as happy-dom's, is rejected before its body is read.
      if (response.bodyUsed) throw error;
    }
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (String.fromCharCode(...bytes.subarray(0, 4)) !== "\0asm") {
    throw createLoadError(`${response.url} is not a WebAssembly module, its content type is ${type}`, CHECK_FILE);
  }
  return WebAssembly.compile(bytes);
}
