// The browser's storage of small values. Without it, as where it is denied, they last until the page is closed.

type StorageName = "localStorage" | "sessionStorage";

/** Returns a stored value, of any type. Null: there is none. */
export function load(storage: StorageName, key: string): unknown {
  try {
    return JSON.parse(globalThis[storage].getItem(key) ?? "null");
  } catch {
    return null;
  }
}

export function save(storage: StorageName, key: string, value: unknown): void {
  try {
    globalThis[storage].setItem(key, JSON.stringify(value));
  } catch {
    // See above.
  }
}
