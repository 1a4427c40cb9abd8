// Files in memory. They replace `node:fs/promises` for the examples that write a file.

interface FileHandle {
  truncate(length: number): Promise<void>;
  appendFile(data: Uint8Array): Promise<void>;
}

/** Returns the module. `show` shows a file whenever something is appended. */
export function createFileModule(show: (...values: unknown[]) => void): object {
  const files = new Map<string, Uint8Array>();
  const encoder = new TextEncoder();
  const read = (path: string) => files.get(path) ?? new Uint8Array();
  const open = async (path: string): Promise<FileHandle> => ({
    truncate: async (length) => void files.set(path, read(path).slice(0, length)),
    appendFile: async (data) => {
      const before = read(path);
      const after = new Uint8Array(before.length + data.length);
      after.set(before);
      after.set(data, before.length);
      files.set(path, after);
      show(`${path} has ${after.length} bytes:`, new TextDecoder().decode(after));
    },
  });
  return {
    open,
    readFile: async (path: string) => {
      const file = files.get(path);
      if (!file) throw new Error(`no such file: ${path}`);
      return new TextDecoder().decode(file);
    },
    writeFile: async (path: string, text: string) => void files.set(path, encoder.encode(text)),
    rename: async (from: string, to: string) => {
      files.set(to, read(from));
      files.delete(from);
    },
    rm: async (path: string) => void files.delete(path),
  };
}
