// The credits that the gateway charges for a request. Generated as estimate/prices.js.

/** The credits of a request of most methods. */
export declare const DEFAULT_CREDITS: number;
/** The credits of a request of the other methods, by the path or the name of their calls. */
export declare const credits: Readonly<Record<string, number>>;
