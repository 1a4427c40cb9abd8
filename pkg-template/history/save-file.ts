// `saveFile`: a stream as a download.
import { createParameterError } from "../entry-support.js";
import type { ByteStream } from "../public.js";

/** The part of the File System Access API that is used. TypeScript does not declare it, because not every browser has it. */
interface FilePicker {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

/**
 * Saves a stream as a file on the user's device. Call it in the handler of a click: browsers require one.
 *
 * @remarks
 * Where the browser has the File System Access API, the user chooses the file, and the stream is written to it chunk by chunk.
 * Elsewhere the stream is collected in a `Blob`, which is then downloaded.
 *
 * It resolves when the file is written, or the download has started. If the user chooses no file, it cancels the stream, which has
 * requested nothing, and rejects with an `AbortError`. If the stream fails, it rejects with the same error, and no file is written.
 *
 * The name loses invisible characters, such as marks of direction, which disguise its extension. A path separator becomes `_`.
 *
 * @example
 * ```ts
 * import { history, saveFile, toCsv } from "address-query/history";
 *
 * const save = () => saveFile(toCsv(history(client, { address_hash })), "history.csv");
 * document.querySelector("button")?.addEventListener("click", save);
 * ```
 * @throws {AddressQueryError} `invalid_parameter` without a document, as in a worker or on a server.
 */
export async function saveFile(stream: ByteStream, name: string): Promise<void> {
  const { showSaveFilePicker } = globalThis as FilePicker;
  const suggestedName = String(name).replace(/\p{C}/gu, "").replace(/[/\\]/g, "_");
  try {
    if (showSaveFilePicker === undefined) {
      if (typeof document !== "undefined") return download(await new Response(stream).blob(), suggestedName);
      throw createParameterError("stream", "only a page saves files: elsewhere, write its chunks");
    }
    const file = await showSaveFilePicker({ suggestedName });
    await stream.pipeTo(await file.createWritable());
  } catch (error) {
    if (!stream.locked) await stream.cancel(error);
    throw error;
  }
}

function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
