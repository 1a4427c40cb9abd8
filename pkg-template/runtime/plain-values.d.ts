// The values that are sent as they are. Generated as plain-values.js.

/** URL of the gateway to many chains. */
export declare const gateway: string;

/** The values of each parameter that are sent as they are, as JSON. Others are invalid, or sent in another form. */
export declare const plainValues: { readonly [name: string]: RegExp };
