import { inject } from "vitest";

/**
 * Mutation testing goes without tests that take many seconds: each mutant that nothing notices has every test run that
 * reaches it. What only they would notice is to have a quick test of its own.
 */
export const QUICK_ONLY = inject("oneLedger") === true;
