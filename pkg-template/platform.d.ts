// Types of the platform, for programs with or without the DOM library: browsers, workers, Node.

/** `Request` where the platform's types declare it. Elsewhere the members that a custom `fetch` needs. */
export type FetchRequest = typeof globalThis extends { Request: { prototype: infer Request } } ? Request : {
  readonly url: string;
  readonly method: string;
  readonly signal: AbortSignalLike;
};

/** `Response` where the platform's types declare it. Elsewhere the members that this package reads. */
export type FetchResponse = typeof globalThis extends { Response: { prototype: infer Response } } ? Response : {
  readonly ok: boolean;
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: unknown;
  arrayBuffer(): Promise<ArrayBuffer>;
  text(): Promise<string>;
};

/** The type of the global `fetch` where the platform's types declare it. Elsewhere what a custom `fetch` must be. */
export type Fetch = typeof globalThis extends { fetch: infer Fetch } ? Fetch : (request: FetchRequest) => Promise<FetchResponse>;

/** `AbortSignal` where the platform's types declare it. Elsewhere the members that this package uses. */
export type AbortSignalLike = typeof globalThis extends { AbortSignal: { prototype: infer AbortSignal } } ? AbortSignal : {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
};

/** `WebAssembly.Module` where the platform's types declare it. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : object;
