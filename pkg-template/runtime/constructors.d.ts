// The constructors of all records, from the slots of a frame (see frame.ts). Generated as constructors.js.

/** Creates the record at the position `at` of `slots`. `strings` are the long strings of the frame. */
export type RecordConstructor = (slots: Int32Array, strings: readonly string[], at: number) => object;

/** The constructors, by number of the record. */
export declare const constructors: readonly RecordConstructor[];
