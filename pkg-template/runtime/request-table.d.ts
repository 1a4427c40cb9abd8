// The requests that can be built before the module is loaded. Generated as request-table.js.

/** URL of the gateway to many chains. */
export declare const gateway: string;

/** By name of the method: the path with a placeholder for each required parameter, and the names of optional ones after spaces. */
export declare const requestTable: { readonly [name: string]: string };

/** A value is sent as it is if it matches. In brackets for a parameter that accepts several values. */
export type PlainValues = RegExp | readonly [RegExp];

/** The values of each parameter that are sent as they are. Others are invalid, or sent in another form. */
export declare const plainValues: { readonly [name: string]: PlainValues };
