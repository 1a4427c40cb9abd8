// Responses: errors of the service, refusals of a proxy, and the draft of a response, which faults can change before it is sent.

import { CORS_HEADERS } from "./cors.js";
import type { Random } from "./random.js";

export type Headers = Readonly<Record<string, string>>;

/** An error response. Thrown anywhere while a request is handled; `body` is sent as JSON. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Headers = {},
  ) {
    super(`${status} ${JSON.stringify(body)}`);
  }
}

export type InvalidParameter = readonly [name: string, detail: string];

export function createValidationError(invalidParameters: readonly InvalidParameter[]): ApiError {
  const errors = invalidParameters.map(([name, detail]) => ({ detail, source: { pointer: `/${name}` }, title: "Invalid value" }));
  return new ApiError(422, { errors });
}

/** The bodies of accountCrash and notFound are envelopes of the account module. */
const ERRORS = {
  /** The validation error of version 8. Later versions still send it from checks that run after schema validation. */
  invalidParameter: [422, { message: "Invalid parameter(s)" }],
  restrictedAccess: [403, { message: "Restricted access" }],
  internalServerError: [500, "Internal server error"],
  unservedPage: [500, { message: "Something went wrong." }],
  /** Most paths treat an unknown address like an unused one, which is not an error. */
  missingRecord: [404, { message: "Not found" }],
  unknownAction: [400, { message: "Unknown API v2 action" }],
  notFound: [404, createAccountBody("Not found")],
  accountCrash: [500, createAccountBody("Something went wrong.")],
} as const;
export function createFixedError(name: keyof typeof ERRORS): ApiError {
  const [status, body] = ERRORS[name];
  return new ApiError(status, body);
}

export const TOO_MANY_REQUESTS = "Too many requests. Increase limits now at https://dev.blockscout.com";

export const createTooManyRequestsBody = (isAccountModule: boolean): unknown =>
  isAccountModule ? createAccountBody(TOO_MANY_REQUESTS) : { message: TOO_MANY_REQUESTS };

/** An error in the envelope of the account module, which reports most errors with status 200. */
export const createAccountError = (message: string, status = 200) => new ApiError(status, createAccountBody(message));

function createAccountBody(message: string) {
  return { message, result: null, status: "0" };
}

/** A page as the service sends it. Large integers in the cursor of version 8 are BigInts. */
export interface RestPage {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  readonly next_page_params: Readonly<Record<string, unknown>> | null;
  readonly [member: string]: unknown;
}

/** A response. Its body is one of `page`, `json` and `body`. */
export interface ResponseDraft {
  readonly status: number;
  readonly headers?: Headers;
  readonly omitDefaultHeaders?: boolean;
  /** Without CORS headers, a web page of another origin cannot read the response. */
  readonly omitCorsHeaders?: boolean;
  readonly page?: RestPage | undefined;
  readonly json?: unknown;
  /** The cursor that a GraphQL request continues after. */
  readonly graphqlCursor?: unknown;
  /** A string or stream to send unchanged. */
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Other values of keys that the cursor of the page has twice, and whether they come first. */
  readonly duplicateKeys?: { readonly values: Readonly<Record<string, unknown>>; readonly first: boolean };
}

/** Headers of every response. In the rate limit headers, -1 means no limit. */
const DEFAULT_HEADERS = {
  "bypass-429-option": "no_bypass",
  "content-type": "application/json; charset=utf-8",
  "x-ratelimit-limit": "-1",
  "x-ratelimit-remaining": "-1",
  "x-ratelimit-reset": "-1",
};

export function createResponse(draft: ResponseDraft): Response {
  const { status, headers, omitDefaultHeaders, omitCorsHeaders } = draft;
  // Some statuses, such as 204, allow no body, not even an empty one.
  return new Response(draft.body === "" ? null : (draft.body ?? serializeBody(draft)), {
    status,
    headers: { ...(omitCorsHeaders ? {} : CORS_HEADERS), ...(omitDefaultHeaders ? {} : DEFAULT_HEADERS), ...headers },
  });
}

/** The body of a draft as a string. Keys of the cursor that are also in `duplicateKeys` occur twice. */
export function serializeBody({ body, page, json, duplicateKeys }: ResponseDraft): string {
  if (typeof body === "string") return body;
  return page ? serializePage(page, duplicateKeys) : JSON.stringify(json);
}

/** Serializes a page. Unlike `JSON.stringify`, it writes BigInts in the cursor as numbers and can repeat keys there. */
function serializePage(
  { next_page_params: cursor, ...envelope }: RestPage,
  duplicateKeys: ResponseDraft["duplicateKeys"],
): string {
  const entries = Object.entries(cursor ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const { values, first } = duplicateKeys ?? { values: {}, first: false };
  const write = (value: unknown) => (typeof value === "bigint" ? serializeBigInt(value) : JSON.stringify(value));
  const members = entries.flatMap(([name, value]) => {
    const pair = (Object.hasOwn(values, name) ? [value, values[name]] : [value]).map(
      (value) => `${JSON.stringify(name)}:${write(value)}`,
    );
    return first ? pair.reverse() : pair;
  });
  return `${JSON.stringify(envelope).slice(0, -1)},"next_page_params":${cursor && `{${members}}`}}`;
}

/** Writes multiples of 10^18 with an exponent, as version 8 does. */
function serializeBigInt(value: bigint): string {
  const weiPerEther = 10n ** 18n;
  return value !== 0n && value % weiPerEther === 0n ? `${value / weiPerEther}E+18` : String(value);
}

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
export const createChallengeDraft = (): ResponseDraft => ({ ...createHtmlDraft(403, "Just a moment..."), omitCorsHeaders: true });
