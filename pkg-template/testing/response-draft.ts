// The draft of a response, which faults can change before it is sent.

import { CORS_HEADERS } from "./cors.js";
import type { Headers } from "./api-error.js";
import type { Cursor } from "./rest/order.js";
import type { RestPage } from "./rest/rest-module.js";

/** A response. Its body is one of `page`, `json` and `body`. */
export interface ResponseDraft {
  readonly status: number;
  readonly headers?: Headers;
  readonly omitDefaultHeaders?: boolean;
  /** Without CORS headers, a web page of another origin cannot read the response. */
  readonly omitCorsHeaders?: boolean;
  /** A page of a REST list. */
  readonly page?: RestPage | undefined;
  /** Another value to send as JSON. */
  readonly json?: unknown;
  /** The cursor that a GraphQL request continues after. */
  readonly graphqlCursor?: unknown;
  /** A string or stream to send unchanged. */
  readonly body?: string | ReadableStream<Uint8Array>;
  /** Other values of keys that the cursor of the page has twice, and whether they come first. */
  readonly duplicateKeys?: { readonly values: Cursor; readonly first: boolean };
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
  const allEntries = entries.flatMap(([name, value]) => {
    const pair = Object.hasOwn(values, name)
      ? [
          [name, value],
          [name, values[name]],
        ]
      : [[name, value]];
    return first ? pair.reverse() : pair;
  });
  const members = allEntries.map(
    ([name, value]) => `${JSON.stringify(name)}:${typeof value === "bigint" ? serializeBigInt(value) : JSON.stringify(value)}`,
  );
  return `${JSON.stringify(envelope).slice(0, -1)},"next_page_params":${cursor && `{${members}}`}}`;
}

/** Writes multiples of 10^18 with an exponent, as version 8 does. */
function serializeBigInt(value: bigint): string {
  const weiPerEther = 10n ** 18n;
  return value !== 0n && value % weiPerEther === 0n ? `${value / weiPerEther}E+18` : String(value);
}
