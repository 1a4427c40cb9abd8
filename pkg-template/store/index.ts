// Entry address-query/store: local copies of histories.
export { type DatabaseChange, memoryDatabase, type StoreDatabase } from "./database.js";
export { indexedDatabase } from "./indexed-db.js";
export type * from "./public-types.js";
export { createStore } from "./store.js";
export { sync } from "./sync.js";
export { syncedHistory } from "./synced-history.js";
