import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import type { TraceParent } from "../../src/tracing/trace-parent.ts";
import {
  doWork,
  linkWork,
  noteWork,
  traceToKeep,
  Work,
  workFields,
  workInHand,
  type SpanAttributes,
  type SpanBegin,
  type Tracer,
} from "../../src/tracing/work.ts";

interface Seen extends SpanBegin {
  own: TraceParent;
  attributes: SpanAttributes | undefined;
  failure: string | undefined;
  linked: TraceParent[];
}

/** Keeps what is begun and ended; ids are counted. */
function watching(): Tracer & { spans: Seen[] } {
  const spans: Seen[] = [];
  return {
    spans,
    begin(span) {
      const nth = String(spans.length + 1);
      const own = {
        traceId: span.parent?.traceId ?? nth.padStart(32, "a"),
        spanId: nth.padStart(16, "b"),
        isSampled: true,
      };
      const seen: Seen = { ...span, own, attributes: undefined, failure: undefined, linked: [...span.links] };
      spans.push(seen);
      return {
        traceParent: own,
        link: (trace) => seen.linked.push(trace),
        end(_endedAtMs, attributes, failure) {
          seen.attributes = attributes;
          seen.failure = failure;
        },
      };
    },
  };
}

const traceOf = (letter: string) => `00-${letter.repeat(32)}-${letter.repeat(16)}-01`;
const internal = { name: "step", kind: "internal", begins: true } as const;

describe("work in hand", () => {
  it("has no span without a tracer, and its ids stand in the log all the same", async () => {
    await doWork({ ...internal, ids: { batchId: "b" } }, async () => {
      noteWork({ campaignId: "c", enrolmentId: undefined }, traceOf("c"));
      await delay(1);
      expect(workFields()).toEqual({ batchId: "b", campaignId: "c" });
      expect(traceToKeep()).toBeNull();
    });
    expect(workInHand()).toBeUndefined();
    expect(workFields()).toEqual({});
  });

  it("is part of the trace that the ledger names, which it learns after it has begun", async () => {
    const tracer = watching();
    await doWork({ ...internal, tracer }, async () => {
      // A line of the log is not to begin another trace.
      expect(workFields()).toEqual({});
      noteWork({ batchId: "b" }, traceOf("c"));
      expect(workFields()).toMatchObject({ trace_id: "c".repeat(32), batchId: "b" });
      expect(traceToKeep()).toBe(`00-${"c".repeat(32)}-${"1".padStart(16, "b")}-01`);
    });
    expect(tracer.spans).toHaveLength(1);
    expect(tracer.spans[0]).toMatchObject({
      parent: { traceId: "c".repeat(32), spanId: "c".repeat(16) },
      attributes: { "outdial.batch.id": "b" },
    });
  });

  it("links what it is done for beside its own trace: once a trace, and sixteen at most", async () => {
    const tracer = watching();
    await doWork({ ...internal, tracer, traceParent: traceOf("1") }, async () => {
      noteWork({}, traceOf("2"));
      linkWork([undefined, "nonsense", traceOf("1"), traceOf("2"), traceOf("3")]);
      traceToKeep();
      linkWork(
        Array.from({ length: 100 }, (_, n) => `00-${String(n).padStart(32, "d")}-${"e".repeat(16)}-01`),
      );
    });
    expect(tracer.spans[0]?.parent?.traceId).toBe("1".repeat(32));
    expect(tracer.spans[0]?.links.map(({ traceId }) => traceId[0])).toEqual(["2", "3"]);
    expect(tracer.spans[0]?.linked).toHaveLength(16);
  });

  it("of a step that begins a trace and asked nobody leaves no span; one that failed does", async () => {
    const tracer = watching();
    await doWork({ ...internal, tracer }, async () => {});
    expect(tracer.spans).toEqual([]);
    const failing = async () => {
      throw new RangeError("call +12025550123 later");
    };
    await expect(doWork({ ...internal, tracer }, failing)).rejects.toThrow(RangeError);
    expect(tracer.spans[0]).toMatchObject({ failure: "RangeError" });
    expect(JSON.stringify(tracer.spans)).not.toContain("2025550123");
  });

  it("that is to begin no trace has a span in another's alone", async () => {
    const tracer = watching();
    const row = { name: "process campaign", kind: "consumer", begins: false, tracer } as const;
    await doWork(row, async () => {
      workInHand()?.tell({ ...request, failure: undefined });
      expect(traceToKeep()).toBeNull();
    });
    expect(tracer.spans).toEqual([]);
    await doWork({ ...row, traceParent: traceOf("c") }, async () => {
      workInHand()?.tell({ ...request, failure: "503" });
    });
    expect(tracer.spans.map(({ name, kind, failure }) => [name, kind, failure])).toEqual([
      ["process campaign", "consumer", undefined],
      ["GET /v1/agents", "client", "503"],
    ]);
    expect(tracer.spans[1]?.parent).toEqual(tracer.spans[0]?.own);
  });

  it("goes on within work that it has others do, and ends once", async () => {
    const tracer = watching();
    const outer = new Work({ ...internal, tracer, traceParent: traceOf("c"), ids: { campaignId: "c" } });
    await outer.run(() =>
      doWork({ ...internal, name: "inner", tracer, ids: { batchId: "b" } }, async () => {}),
    );
    outer.end("first");
    outer.end("second");
    expect(tracer.spans.map(({ name }) => name)).toEqual(["step", "inner"]);
    expect(tracer.spans[0]?.failure).toBe("first");
    expect(tracer.spans[1]).toMatchObject({
      parent: tracer.spans[0]?.own,
      attributes: { "outdial.campaign.id": "c", "outdial.batch.id": "b" },
    });
    // Behind its end nothing is begun any more.
    expect(outer.traceParent).toEqual(tracer.spans[0]?.own);
  });
});

it("a tracer that breaks keeps nothing from being done, and makes nothing that was done a failure", async () => {
  const breaks = () => {
    throw new Error("the tracer broke");
  };
  const warned: unknown[] = [];
  const note = (warning: unknown) => void warned.push(warning);
  process.on("warning", note);
  for (const tracer of [
    { begin: breaks },
    {
      begin: () => ({
        traceParent: { traceId: "a".repeat(32), spanId: "b".repeat(16), isSampled: true },
        link: breaks,
        end: breaks,
      }),
    },
  ]) {
    const result = await doWork({ ...internal, tracer, traceParent: traceOf("c") }, async () => {
      traceToKeep();
      linkWork([traceOf("d")]);
      workInHand()?.tell({ ...request, failure: undefined });
      return "done";
    });
    expect(result).toBe("done");
  }
  await delay(1);
  process.off("warning", note);
  expect(warned.length).toBeGreaterThan(3);
});

const request = {
  name: "GET /v1/agents",
  kind: "client",
  startedAtMs: 1,
  endedAtMs: 2,
  attributes: {},
} as const;
