import type { OperationEntry, ResourceName } from "../src/platform/index.ts";
import type { readings } from "../src/platform/decoding.ts";

/** Where the page is, from the root of the checkout. */
export const PAGE: string;

export function platformFieldsPage(parts: {
  operations: readonly OperationEntry[];
  resources: Readonly<Record<ResourceName, { section: string; title: string }>>;
  readings: typeof readings;
}): string;
