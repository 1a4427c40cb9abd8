// Types of the platform, so that the declarations compile with and without the DOM library: in browsers, workers and Node.

/** `Request`, if the platform's types declare it. Otherwise the members that a custom `fetch` needs. */
export type FetchRequest = typeof globalThis extends { Request: { prototype: infer Request } }
  ? Request
  : {
      readonly url: string;
      readonly method: string;
      readonly signal: AbortSignalLike;
    };

/** `Response`, if the platform's types declare it. Otherwise the members that this package reads. */
export type FetchResponse = typeof globalThis extends { Response: { prototype: infer Response } }
  ? Response
  : {
      readonly ok: boolean;
      readonly status: number;
      readonly url: string;
      readonly headers: { get(name: string): string | null };
      readonly body: unknown;
      arrayBuffer(): Promise<ArrayBuffer>;
      text(): Promise<string>;
    };

/** The type of the global `fetch`, if the platform's types declare it. Otherwise the type of a custom `fetch`. */
export type Fetch = typeof globalThis extends { fetch: infer Fetch } ? Fetch : (request: FetchRequest) => Promise<FetchResponse>;

/** `AbortSignal`, if the platform's types declare it. Otherwise the members that this package uses. */
export type AbortSignalLike = typeof globalThis extends { AbortSignal: { prototype: infer AbortSignal } }
  ? AbortSignal
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
      removeEventListener(type: "abort", listener: () => void): void;
    };

/** `ReadableStream<Uint8Array>`, if the platform's types declare it. Otherwise the members that a reader of bytes needs. */
export type ByteStream = typeof globalThis extends { Response: { prototype: { body: infer Body } } }
  ? NonNullable<Body>
  : {
      readonly locked: boolean;
      cancel(reason?: unknown): Promise<void>;
      getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }> };
    };

/** `WebAssembly.Module`, if the platform's types declare it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;
