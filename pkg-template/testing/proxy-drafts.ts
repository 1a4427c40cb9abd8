// Responses of a proxy, firewall or CDN in front of the service.

import type { Random } from "./random.js";
import type { ResponseDraft } from "./response-draft.js";

/** A response of a proxy or firewall in front of the service, which does not send the service's headers. */
export const createProxyDraft = (status: number, contentType: string, body: string): ResponseDraft => ({
  status,
  body,
  omitDefaultHeaders: true,
  headers: { "content-type": contentType },
});

export const createHtmlDraft = (status: number, title: string) =>
  createProxyDraft(
    status,
    "text/html",
    `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
  );

/** A refusal by the CDN, which the service never sees. It has no CORS headers. */
export const createCdnForbiddenDraft = (random: Random): ResponseDraft => ({
  ...random.pick([
    createHtmlDraft(403, "Attention Required! | Cloudflare"),
    createProxyDraft(403, "text/plain", "error code: 1010"),
    createProxyDraft(403, "text/plain", ""),
  ]),
  omitCorsHeaders: true,
});

/** The challenge of the CDN for a client that it takes for a bot. It has no CORS headers. */
export const createChallengeDraft = (): ResponseDraft => ({
  ...createHtmlDraft(403, "Just a moment..."),
  omitCorsHeaders: true,
});
