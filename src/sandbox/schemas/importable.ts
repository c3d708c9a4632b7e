import { z } from "zod";

/** Bodies that were exported before, and come back as JSON or as the file of a form. */
export const importable = z.registry<{ readonly asForm: true }>();
