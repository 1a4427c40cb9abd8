// Decides which untrusted URLs of pictures are loaded, and from where.
import { toSafeLink } from "./url.js";

/** Longer data URLs are not shown: a list of them would fill the memory. */
const MAX_DATA_URL_LENGTH = 200_000;
const DATA_URL = /^data:image\/[a-z0-9.+-]+[;,]/i;
const IPFS_URL = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9]+)((?:\/[^?#]*)?)/i;

/** Why a picture is not loaded. */
export type PictureProblem = "none" | "ipfs" | "unsafe" | "too large";

export type PictureUrl = { url: string } | { problem: PictureProblem };

/** Returns the URL of a picture at `gateway`, such as `https://ipfs.io/ipfs/…`. "" means no gateway. */
function toGatewayUrl(value: string, gateway: string): PictureUrl {
  const base = toSafeLink(gateway);
  if (!base) return { problem: "ipfs" };
  const [, cid = "", path = ""] = IPFS_URL.exec(value) ?? [];
  const segments = path.split("/").filter(Boolean);
  // The path must stay inside the content identifier.
  if (!cid || segments.some((segment) => segment === "." || segment === "..")) return { problem: "unsafe" };
  return { url: [new URL(base).origin, "ipfs", cid, ...segments.map(encodeURIComponent)].join("/") };
}

/**
 * Checks the URL of a picture. Only `https:` URLs and pictures inside `data:` URLs are loaded. An `ipfs:` URL is loaded from
 * the gateway that the user chose.
 */
export function toPictureUrl(value: unknown, gateway: string): PictureUrl {
  if (typeof value !== "string" || value === "") return { problem: "none" };
  if (DATA_URL.test(value)) return value.length > MAX_DATA_URL_LENGTH ? { problem: "too large" } : { url: value };
  if (/^ipfs:/i.test(value)) return toGatewayUrl(value, gateway);
  const url = toSafeLink(value);
  return url ? { url } : { problem: "unsafe" };
}
