import { z } from "zod";

import { DECLARED_KINDS, type DeclaredKind } from "../../domain/declared/documents.ts";
import { pageOf } from "./page.ts";

/*
 * What is declared, what would change, and what is there, as the API shows it.
 */

const declaredKindSchema = z.enum(DECLARED_KINDS);

/** Kinds that are read as documents; suppressions are read from their own list, page by page. */
export const EXPORTED_KINDS = [
  "attention-route",
  "event-webhook",
  "automation",
  "suppression-source",
  "campaign",
  "sequence",
  "trigger",
  "schedule",
] as const satisfies readonly DeclaredKind[];

export type ExportedKind = (typeof EXPORTED_KINDS)[number];

const keySchema = z.object({
  kind: declaredKindSchema,
  /** Empty where the kind belongs to no brand. */
  brand: z.string(),
  name: z.string(),
});

const changesSchema = z.object({
  /** Where it would be, or was, changed. */
  fields: z.array(
    z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  /** What it needs and is not there yet, each with its field: secrets, hosts, automations, sequences, campaigns. */
  warnings: z.array(z.string()),
});

export const declaredDifferenceSchema = z.object({
  ...keySchema.shape,
  ...changesSchema.shape,
  change: z.enum(["create", "change", "same", "refused"]),
  /** Why it is refused, and what to do; of others what there is to know. */
  reason: z.string().nullable(),
});

export const declaredDiffSchema = z.object({
  /** In the order of the documents. */
  items: z.array(declaredDifferenceSchema),
});

export const declaredAppliedSchema = z.object({
  ...keySchema.shape,
  ...changesSchema.shape,
  change: z.enum(["created", "changed", "none"]),
});

export const declarationSchema = z.object({
  ...keySchema.shape,
  digest: z.string(),
  actor: z.string(),
  applied_at: z.iso.datetime(),
  /** What pruning it comes to, in words. */
  removal: z.string(),
  /** refused: as long as it is as it is. never: suppression lists and sources stay. */
  prunable: z.enum(["yes", "refused", "never"]),
});

export const declarationListSchema = z.object({ items: z.array(declarationSchema) });

/** Documents, each with its kind, defaults filled in. */
export const declaredDocumentsSchema = pageOf(z.record(z.string(), z.unknown())).extend({
  /** Left out, since a secret's value stands in these fields of them. */
  withheld: z.array(z.object({ ...keySchema.shape, fields: z.array(z.string()) })),
});

export const declaredPrunedSchema = z.object({ ...keySchema.shape, removal: z.string() });

export type DeclaredDifferenceWire = z.output<typeof declaredDifferenceSchema>;
export type DeclaredAppliedWire = z.output<typeof declaredAppliedSchema>;
export type DeclarationWire = z.output<typeof declarationSchema>;
