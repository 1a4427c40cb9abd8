// Delivers the file of an export that is kept in parts.
import type { ExportTarget, FileHandleLike } from "./export-types.js";

type Target = FileHandleLike | ExportTarget | ((file: Blob) => void | Promise<void>) | undefined;

/** Whether the file grows with its export. */
export function isTarget(to: Target): to is ExportTarget {
  return typeof (to as Partial<ExportTarget> | undefined)?.append === "function";
}

/** Delivers the parts. Returns the file if there is no target. */
export async function deliverFile(
  to: Target,
  count: number,
  readPart: (index: number) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Blob | undefined> {
  if (isTarget(to)) return undefined;
  let index = 0;
  if (to && typeof to !== "function") {
    const parts = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (index === count) controller.close();
        else controller.enqueue(await readPart(index++));
      },
    });
    await parts.pipeTo(await to.createWritable());
    return undefined;
  }
  // Browsers can move a blob to disk.
  const parts: Blob[] = [];
  while (index < count) parts.push(new Blob([await readPart(index++)]));
  const file = new Blob(parts);
  if (to === undefined) return file;
  await to(file);
  return undefined;
}
