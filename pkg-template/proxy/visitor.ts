// Who may use the proxy: pages on the proxy's origin, and on the origins in its options.
import { refuse } from "./refusal.js";

/** Returns the origin if CORS allows it, or undefined for the proxy's own origin. Throws the refusal of a request of any other site. */
export function checkOrigin(headers: Headers, host: string, origins: readonly string[]): string | undefined {
  const origin = headers.get("origin");
  if (origin !== null && origins.includes(origin)) return origin;
  const site = headers.get("sec-fetch-site");
  const sender = origin ?? headers.get("referer");
  // `none` is an address that the user entered. A server that terminates TLS may have replaced the scheme of the URL.
  const isOwn = site ? /^(same-origin|none)$/.test(site) : sender === null || /^https?:\/\/([^/]+)/.exec(sender)?.[1] === host;
  if (!isOwn) throw refuse(403, "requests of other sites; see option origins");
  return undefined;
}
