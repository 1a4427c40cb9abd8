// Imports copies of modules, which share no state with earlier imports.
import { register } from "node:module";

register("./copy-hook.mjs", import.meta.url);
let count = 0;

/** Imports a new copy of a module, and of all modules that it imports. */
export const importCopy = (url) => import(`${url}?copy=${++count}`);

/** Imports a new copy of an entry of the package. */
export const importEntry = (name) => importCopy(new URL(`../../pkg/${name}.js`, import.meta.url));
