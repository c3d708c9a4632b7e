import { describe, expect, it } from "vitest";

import { readTraceParent, writeTraceParent } from "../../src/tracing/trace-parent.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";

/** What the ledger keeps of it. */
function keptTraceParent(text: string | undefined): string | undefined {
  const read = readTraceParent(text);
  return read && writeTraceParent(read);
}

describe("a traceparent", () => {
  it("is read and written as W3C has it", () => {
    const text = `00-${TRACE}-${SPAN}-01`;
    expect(readTraceParent(text)).toEqual({ traceId: TRACE, spanId: SPAN, isSampled: true });
    expect(keptTraceParent(text)).toBe(text);
    expect(readTraceParent(`00-${TRACE}-${SPAN}-00`)?.isSampled).toBe(false);
    // Flags that are not known yet are not handed on.
    expect(keptTraceParent(`00-${TRACE}-${SPAN}-ff`)).toBe(`00-${TRACE}-${SPAN}-01`);
    expect(writeTraceParent({ traceId: TRACE, spanId: SPAN, isSampled: false })).toBe(
      `00-${TRACE}-${SPAN}-00`,
    );
  });

  it("of a later version is read as far as it is this one", () => {
    expect(keptTraceParent(`01-${TRACE}-${SPAN}-01-what-is-new`)).toBe(`00-${TRACE}-${SPAN}-01`);
  });

  it.each([
    undefined,
    "",
    "00",
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
    "+12025550123",
  ])("%j is none", (text) => {
    expect(readTraceParent(text)).toBeUndefined();
    expect(keptTraceParent(text)).toBeUndefined();
  });
});
