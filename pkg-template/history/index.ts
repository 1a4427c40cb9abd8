// Entry address-query/history: all events of an address, in order. It uses only the public interface of a client.
export { activitySpan } from "./activity-span.js";
export { activities } from "./activities.js";
export { ACTIVITY_RULES } from "./activity-rules.js";
export type { ActivityFact, ActivityKind, ActivityRule, ActivityRuleId } from "./activity-rules.js";
export type * from "./activity-types.js";
export { auditBalance } from "./audit.js";
export type * from "./audit-types.js";
export type * from "./event.js";
export { toCsv, toNdjson } from "./export.js";
export type * from "./export-types.js";
export { history } from "./history.js";
export { mergeHistories } from "./merge-histories.js";
export type * from "./merged-types.js";
export type * from "./public-types.js";
export { saveFile } from "./save-file.js";
export type * from "./span-types.js";
export { watch } from "./watch.js";
