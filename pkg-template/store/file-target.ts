// `fileTarget`: a file that grows with its export.
import { type FileHandle, open } from "node:fs/promises";
import { createParameterError } from "../entry-support.js";
import type { ExportTarget } from "./export-types.js";

/**
 * A file for the option `to` of `resumableExport`, which replaces its contents when the export starts.
 *
 * @remarks
 * Each part is on disk (`fdatasync`) before the store has the progress after it. When the export continues, what an interrupted write has
 * left is cut off. If the file is gone, the export starts over. If it is another file, or shorter, the export rejects and changes nothing:
 * delete or move the file to start over.
 */
export function fileTarget(path: string): ExportTarget {
  let file: FileHandle | undefined;
  let length = 0;
  return {
    async open(bytes, tail) {
      try {
        file = await open(path, bytes === 0 ? "w" : "r+");
      } catch (error) {
        if (bytes > 0 && (error as { code?: string }).code === "ENOENT") return false;
        throw error;
      }
      const found = new Uint8Array(tail.length);
      await file.read(found, 0, found.length, bytes - found.length);
      const { size } = await file.stat();
      if (size < bytes || found.some((byte, i) => byte !== tail[i]))
        throw createParameterError("to", `${path} is not the file that the export has written; delete or move it to start over`);
      await file.truncate(bytes);
      length = bytes;
      return true;
    },
    async append(bytes) {
      const opened = file as FileHandle;
      const { size } = await opened.stat();
      if (size !== length) throw createParameterError("to", `another process has written to ${path}`);
      for (let done = 0; done < bytes.length; ) {
        const { bytesWritten } = await opened.write(bytes, done, bytes.length - done, length + done);
        done += bytesWritten;
      }
      await opened.datasync();
      length += bytes.length;
    },
    async close() {
      await file?.close();
      file = undefined;
    },
  };
}
