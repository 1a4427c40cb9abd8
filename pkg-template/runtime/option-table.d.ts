// The tables that check the options of a client and its calls. Generated as option-table.js.
import type { OptionTable } from "./arguments.js";

export declare const clientOptions: OptionTable;
export declare const actionOptions: OptionTable;
export declare const listOptions: OptionTable;
export declare const balancesOptions: OptionTable;
export declare const rangeOptions: OptionTable;
