import { inject, it } from "vitest";

/**
 * For tests that take many seconds: mutation testing goes without them, since each mutant that nothing notices has every
 * test run that reaches it. What only they would notice is to have a quick test of its own.
 */
export const itAtLength = it.skipIf(inject("oneLedger") === true);
