// The request to the gateway, and its response as it arrives, without the API key.
import { createErrorResponse } from "./refusal.js";

type Bytes = Uint8Array<ArrayBuffer>;

/** A response, and its body without the key. */
type StreamedResponse = readonly [response: Response, stream: ReadableStream<Bytes> | null];

/**
 * Sends a request. It is aborted when the visitor leaves, that is when the signal is aborted or the stream is cancelled, and when the
 * service has sent nothing for `timeoutMs`. Throws the response to the visitor if the service does not respond.
 */
export async function sendRequest(
  url: string,
  init: RequestInit,
  key: string,
  timeoutMs: number,
  visitor: AbortSignal,
  onError: (error: unknown) => void,
): Promise<StreamedResponse> {
  const controller = new AbortController();
  const { signal } = controller;
  let hasLeft = false;
  const leave = () => {
    hasLeft = true;
    controller.abort();
  };
  visitor.addEventListener("abort", leave);
  if (visitor.aborted) leave();

  /** Waits for the service. */
  const wait = <T>(promise: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => controller.abort(new Error(`the service sent nothing for ${timeoutMs} ms`)), timeoutMs);
    return promise
      .catch((error) => {
        if (!hasLeft) onError(error);
        throw error;
      })
      .finally(() => clearTimeout(timer));
  };

  const response = await wait(fetch(url, { ...init, redirect: "manual", signal })).catch(() => {
    throw createErrorResponse(signal.aborted ? 504 : 502, "the service did not respond", "upstream");
  });
  const reader = response.body?.getReader();
  const replaceKey = createReplacer(key);
  const stream = reader
    ? new ReadableStream<Bytes>({
        async pull(sink) {
          let next: ReadableStreamReadResult<Bytes>;
          let part: Bytes;
          // The stream asks again only after it has received something.
          do {
            next = await wait(reader.read());
            part = replaceKey(next.value);
          } while (part.length === 0 && !next.done);
          if (part.length > 0) sink.enqueue(part);
          if (next.done) sink.close();
        },
        cancel(reason) {
          leave();
          return reader.cancel(reason).catch(() => {});
        },
      })
    : null;
  return [response, stream];
}

/** The longest body that is checked as a whole before it is passed on, in bytes. Only the beginning of longer bodies is checked. */
const MAX_CHECKED_BYTES = 1 << 18;

/** Reads a body up to {@link MAX_CHECKED_BYTES}. Returns whether a client would accept it, and the whole body as a stream. */
export async function checkBody(
  body: ReadableStream<Bytes>,
): Promise<{ readonly isAcceptable: boolean; readonly stream: ReadableStream<Bytes> }> {
  const reader = body.getReader();
  const parts: Bytes[] = [];
  let length = 0;
  let isComplete = false;
  while (!isComplete && length <= MAX_CHECKED_BYTES) {
    const { done, value } = await reader.read().catch(() => {
      throw createErrorResponse(502, "the response of the service broke off", "upstream");
    });
    if (value) parts.push(value);
    length += value?.length ?? 0;
    isComplete = done;
  }
  const text = await new Blob(parts).text();
  const stream = new ReadableStream<Bytes>({
    start(sink) {
      for (const part of parts.splice(0)) sink.enqueue(part);
      if (isComplete) sink.close();
    },
    async pull(sink) {
      const { done, value } = await reader.read();
      if (done) sink.close();
      else sink.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { isAcceptable: isComplete ? isAccepted(text) : /^\s*[[{]/.test(text), stream };
}

/** Whether a client accepts this body with status 200: JSON that is neither null nor the message of a refusal. */
function isAccepted(text: string): boolean {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  if (typeof body !== "object" || body === null) return false;
  const { items, result, status, error, errors, message } = body as Record<string, unknown>;
  const isRefusal = status === "0" || (error ?? errors ?? message) != null;
  return Array.isArray(items ?? result) || status === "1" || !isRefusal;
}

/** Removes the key from a string. */
export const redact = (value: string, key: string): string => value.replaceAll(key, "***");

/**
 * Returns a function that removes the key from the parts of a body, also where it spans several. The last part is undefined. Only
 * what may be the beginning of the key waits for the next part.
 */
function createReplacer(key: string): (part: Bytes | undefined) => Bytes {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  return (part) => {
    const text = redact(held + decoder.decode(part, { stream: !!part }), key);
    let end = part ? Math.max(0, text.length - key.length + 1) : text.length;
    while (!key.startsWith(text.slice(end))) end += 1;
    held = text.slice(end);
    return new TextEncoder().encode(text.slice(0, end));
  };
}
