// The request to the gateway, and its response as it arrives, without the API key.
import { createErrorResponse } from "./refusal.js";

const PLACEHOLDER = "***";

/** A response, whose body is to be read from `stream`. */
interface StreamedResponse {
  readonly response: Response;
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>> | null;
}

/** When to give up a request. */
interface Limits {
  /** Aborted when the visitor leaves. */
  readonly signal: AbortSignal;
  /** How long to wait for the service. */
  readonly timeoutMs: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends a request. It is aborted when the visitor leaves, that is when the signal is aborted or the stream is cancelled, and when the
 * service has sent nothing for `timeoutMs`. Throws the response to the visitor if the service does not respond.
 */
export async function sendRequest(
  url: string,
  init: RequestInit,
  key: string,
  { signal, timeoutMs, onError }: Limits,
): Promise<StreamedResponse> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    signal.removeEventListener("abort", abort);
  };
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();

  /** Waits for the service. */
  const wait = async <T>(promise: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => controller.abort(new Error(`the service sent nothing for ${timeoutMs} ms`)), timeoutMs);
    try {
      return await promise;
    } catch (error) {
      if (!hasEnded && !signal.aborted) onError(error);
      end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  const response = await wait(fetch(url, { ...init, redirect: "manual", signal: controller.signal })).catch(() => {
    const isLate = controller.signal.aborted;
    throw createErrorResponse(isLate ? 504 : 502, `the service did not respond${isLate ? " in time" : ""}`, "upstream");
  });
  const reader = response.body?.getReader();
  const replaceKey = createReplacer(key);
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(sink) {
      // The stream asks again only after it has received something.
      for (let length = 0; length === 0; ) {
        const { done, value } = reader ? await wait(reader.read()) : { done: true };
        const part = replaceKey(value);
        length = part.length;
        if (length > 0) sink.enqueue(part);
        if (done) {
          end();
          return sink.close();
        }
      }
    },
    async cancel() {
      end();
      abort();
      await reader?.cancel().catch(() => {});
    },
  });
  return { response, stream: reader ? stream : null };
}

/** Removes the key from a string. */
export function redact(value: string, key: string): string {
  return value.replaceAll(key, PLACEHOLDER);
}

/**
 * Returns a function that removes the key from the parts of a body, also where it spans several. The last part is undefined. Only
 * what may be the beginning of the key waits for the next part.
 */
function createReplacer(key: string): (part: Uint8Array | undefined) => Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let held = "";
  return (part) => {
    const text = redact(held + decoder.decode(part, { stream: part !== undefined }), key);
    let end = part ? Math.max(0, text.length - key.length + 1) : text.length;
    while (!key.startsWith(text.slice(end))) end += 1;
    held = text.slice(end);
    return new TextEncoder().encode(text.slice(0, end));
  };
}
