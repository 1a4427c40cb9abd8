// Entry address-query/store: a local copy of histories.
export { type DatabaseChange, memoryDatabase, type StoreDatabase } from "./database.js";
export { indexedDatabase } from "./indexed-db.js";
