export { bind } from "./bindings.js";
