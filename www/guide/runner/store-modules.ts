// The entries of a store for the examples: a frame has no storage, and no files.
import * as entry from "address-query/store";

/** The entry with a database in memory. */
export const store = {
  ...entry,
  createStore: (options?: entry.StoreOptions) => entry.createStore({ database: options?.database ?? entry.memoryDatabase() }),
};

/** The entry for Node.js with a database and files in memory. `show` shows a file whenever something is appended. */
export const createNodeStore = (show: (...values: unknown[]) => void) => ({
  fileDatabase: entry.memoryDatabase,
  fileTarget: (path: string): entry.ExportTarget => {
    let text = "";
    return {
      async open() {
        text = "";
        return true;
      },
      async append(bytes) {
        text += new TextDecoder().decode(bytes);
        show(`${path} has ${text.length} characters:`, text);
      },
      async close() {},
    };
  },
});
