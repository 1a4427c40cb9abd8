// One sync of an address at a time.
import type { StoreDatabase } from "./database.js";

/** The last task of each key, by database. */
const tasks = new WeakMap<StoreDatabase, Map<string, Promise<unknown>>>();

/** Runs a task when no other has the lock. `name` is the lock of all tabs, where the browser has locks. */
export async function lock<Value>(
  database: StoreDatabase,
  name: string,
  key: string,
  signal: unknown,
  task: () => Promise<Value>,
): Promise<Value> {
  const { locks } = (globalThis.navigator ?? {}) as Partial<Navigator>;
  if (locks !== undefined) {
    let running: Promise<Value> | undefined;
    const start = () => {
      running = task();
      return running;
    };
    try {
      const options = signal instanceof AbortSignal ? { signal } : {};
      return (await locks.request(`address-query ${name}`, options, start)) as Value;
    } catch (error) {
      // A browser that denies storage denies locks, too. The task then says so, or works without.
      if (running || (error as Error).name !== "SecurityError") throw error;
    }
  }
  const own = tasks.get(database) ?? new Map<string, Promise<unknown>>();
  tasks.set(database, own);
  const result = (own.get(key) ?? Promise.resolve()).then(task);
  own.set(
    key,
    result.catch(() => {}),
  );
  return result;
}
