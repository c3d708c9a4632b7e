/*
 * The `traceparent` of W3C Trace Context (https://www.w3.org/TR/trace-context/): which trace something belongs to, and
 * under which of its spans. It is what the ledger keeps where work leaves one process for another.
 */

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  /** Whoever began it records it. */
  readonly isSampled: boolean;
}

/** What anybody sent or the ledger kept; undefined where it is none, as the standard has it. Later versions are read as far as they are this one. */
export function readTraceParent(text: string | undefined): TraceParent | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = FORM.exec(text ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function writeTraceParent({ traceId, spanId, isSampled }: TraceParent): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}
