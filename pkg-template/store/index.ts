// Entry address-query/store: local copies of histories, and exports that continue.
export { type DatabaseChange, memoryDatabase, type StoreDatabase } from "./database.js";
export type * from "./export-types.js";
export { indexedDatabase } from "./indexed-db.js";
export type * from "./public-types.js";
export { forgetExport, listExports, resumableExport } from "./resumable-export.js";
export { createStore } from "./store.js";
export { sync } from "./sync.js";
export { syncedHistory } from "./synced-history.js";
