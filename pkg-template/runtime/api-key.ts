// Where the API key is sent, and a warning where visitors can read it.
import { PROXY_PAGE } from "./limits.js";
import type { ClientOptions } from "./options.js";

declare const process: { env: { NODE_ENV?: string } };

let hasWarned = false;

/** Whether this is a page or one of its workers, where a header costs a preflight request. The module decides likewise. */
export const isPage = (): boolean => globalThis.location !== undefined;

/** Warns once of an API key in a page, in development builds. */
export function warnOfKeyInPage({ apiKey, allowKeyInPage }: Partial<ClientOptions>): void {
  try {
    // Bundlers replace the condition. Without a bundler there is no `process`.
    if (process.env.NODE_ENV !== "production" && apiKey != null && !allowKeyInPage && !hasWarned && isPage()) {
      hasWarned = true;
      console.warn(
        `address-query: visitors of this page can read its apiKey. Keep it on your server (${PROXY_PAGE}), or set allowKeyInPage if it is the visitor's own.`,
      );
    }
  } catch {
    // Not a build.
  }
}
