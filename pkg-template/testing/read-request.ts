// The request of a call of `fetch`. It is apart from the public functions, whose types must compile without the DOM.

/** Creates the request of a call of `fetch`, and returns the caller's signal. `origin` is for a URL that is only a path. */
export function readRequest(input: RequestInfo | URL, init: RequestInit | undefined, origin: string) {
  const isRequest = typeof input === "object" && "url" in input;
  const request = new Request(isRequest ? input : new URL(input, origin), init);
  return { request, signal: init?.signal ?? (isRequest ? input.signal : request.signal) };
}
