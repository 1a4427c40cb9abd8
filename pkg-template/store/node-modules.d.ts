// The parts of Node's modules that `fileDatabase` and `fileTarget` use. The package itself has no types of Node.
declare module "node:fs" {
  export function closeSync(file: number): void;
  export function fsyncSync(file: number): void;
  export function ftruncateSync(file: number, length: number): void;
  export function openSync(path: string, flags: string): number;
  export function readFileSync(path: string | number): Uint8Array<ArrayBuffer>;
  export function renameSync(from: string, to: string): void;
  export function rmSync(path: string, options: { force: boolean }): void;
  export function writeFileSync(path: string, text: string, options: { flag: string }): void;
  export function writeSync(file: number, bytes: Uint8Array, offset: number, length: number, position: number): number;
}

declare module "node:crypto" {
  export function createHash(algorithm: string): { update(bytes: Uint8Array): { digest(): Uint8Array } };
}

declare module "node:path" {
  export function resolve(path: string): string;
}

declare module "node:process" {
  export const pid: number;
  export function kill(pid: number, signal: number): void;
}

declare module "node:v8" {
  export function deserialize(bytes: Uint8Array): unknown;
  export function serialize(value: unknown): Uint8Array;
}

declare module "node:zlib" {
  export function deflateRawSync(bytes: Uint8Array, options: { level: number }): Uint8Array;
  export function inflateRawSync(bytes: Uint8Array): Uint8Array;
}

declare module "node:fs/promises" {
  export interface FileHandle {
    close(): Promise<void>;
    datasync(): Promise<void>;
    read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
    stat(): Promise<{ size: number }>;
    truncate(length: number): Promise<void>;
    write(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesWritten: number }>;
  }
  export function open(path: string, flags: string): Promise<FileHandle>;
}
