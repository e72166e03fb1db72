/** A client for Talon: operations typed by the interface's description, retries, live streams. */

export { type Item, type Schemas, Talon, type View } from "./talon.js";
export { type Problem, Refused, StreamEnded, ok } from "./refusals.js";
export { patient } from "./retries.js";
export type { paths } from "./schema.js";
