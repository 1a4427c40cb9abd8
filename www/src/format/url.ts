// Checks untrusted URLs.

const MAX_URL_LENGTH = 2000;

/** Returns an untrusted URL in normalized form if it is https and has no credentials, else null. */
export function toSafeLink(value: unknown): string | null {
  if (typeof value !== "string" || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return null;
  const url = new URL(value);
  return url.protocol === "https:" && !url.username && !url.password ? url.href : null;
}
