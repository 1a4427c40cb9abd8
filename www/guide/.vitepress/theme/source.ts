// The source that all examples read from, until the page is reloaded. Nothing is stored, so that a key stays in memory.
import { reactive } from "vue";
import type { ExampleSource } from "../../runner/messages.ts";

/** An address with a moderate history: its first page is enough for most examples. */
const DEFAULT_ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";

export const source: ExampleSource = reactive({ chainId: null, apiKey: "", address: DEFAULT_ADDRESS });
