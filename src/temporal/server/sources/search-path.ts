import type { ExecutableSource } from "../executables.ts";
import { findExecutables } from "../process.ts";

/** Every `temporal` on PATH: an old one may hide a newer one. */
export const searchPathSource: ExecutableSource = {
  name: "`temporal` on PATH",
  candidates: ({ searchPath }) => findExecutables("temporal", searchPath),
};
