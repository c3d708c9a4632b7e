import type { z } from "zod";

import type { OperationEntry, ResourceName } from "../src/platform/index.ts";

/** Where the page is, from the root of the checkout. */
export const PAGE: string;

/** An OpenAPI document, as far as it is read. */
export interface ApiDescription {
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export function scopesIn(description: ApiDescription): Map<string, string | undefined>;

export function platformOperationsPage(parts: {
  operations: readonly OperationEntry[];
  resources: Readonly<Record<ResourceName, { section: string; title: string }>>;
  kebab: (name: string) => string;
  description: ApiDescription;
  toJsonSchema: (rules: z.ZodType) => object;
}): string;
