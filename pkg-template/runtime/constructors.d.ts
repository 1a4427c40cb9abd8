// The constructors of all records, from the slots of a frame (see frame.ts). Generated as constructors.js.

/** Creates the record of a slot: null for 0, or the record at the position `slot - 1` of `slots`. `strings` are the long strings. */
export type RecordConstructor = (slots: Int32Array, strings: readonly string[], slot: number) => object;

/** The constructors, by number of the record. */
export declare const constructors: readonly RecordConstructor[];
