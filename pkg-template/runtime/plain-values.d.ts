// The values that need no encoding. Generated as plain-values.js.

/** URL of the gateway to many chains. */
export declare const gateway: string;

/** The values of each parameter that need no encoding, as JSON. Other values are invalid, or sent in another form. */
export declare const plainValues: { readonly [name: string]: RegExp };
