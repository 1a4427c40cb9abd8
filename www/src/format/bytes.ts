// Formats sizes of files and of stored data.
import { lazy } from "./lazy.js";

const [kilobyteFormat, megabyteFormat] = ["kilobyte", "megabyte"].map((unit) =>
  lazy(() => new Intl.NumberFormat(undefined, { style: "unit", unit, maximumFractionDigits: 1 })),
);

/** "12.3 kB" or "1.2 MB". */
export const formatBytes = (bytes: number): string | undefined =>
  bytes < 1e6 ? kilobyteFormat?.().format(bytes / 1e3) : megabyteFormat?.().format(bytes / 1e6);
