import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findCallIds } from "../../../src/domain/triggers/find-call-ids.ts";
import { cpuMsOf } from "../../support/cpu.ts";

const A = "6f1c2f0e-8a63-4c51-9b0e-0d6f3f0a1b2c";
const B = "0b7a8f52-1c2d-4e3f-8a9b-1c2d3e4f5a6b";
const OTHER = "ffffffff-1111-4222-8333-444444444444";

describe("the calls that a webhook names", () => {
  it.each([
    ["by their field", { event: "call_ended", call_id: A }],
    ["in another spelling", { callId: A }],
    ["in the call's own record", { type: "call_ended", data: { call: { id: A, status: "ended" } } }],
    ["as the record of an event about a call", { event: "call.ended", data: { id: A } }],
    ["as a bare id under `call`", { call: A }],
    ["as an event whose own id is the call's", { event: "call_started", id: A }],
    ["in a list of calls", { calls: [{ id: A, duration: 4 }] }],
    ["in a list of ids", { call_ids: [A] }],
    ["with more around it", { call_id: ` ${A}\n` }],
    ["beside other ids", { id: OTHER, event: "call_ended", agent: { id: OTHER }, call_id: A }],
    ["as the `uuid` of an event about a call", { event: "call_ended", uuid: A }],
    [
      "beside ids of other things in an event about a call",
      { event: "call_ended", id: A, agent: { id: OTHER }, agent_id: OTHER },
    ],
    ["in a list of ids that holds other things", { call_ids: [` ${A} `, 7, null, { id: OTHER }] }],
    [
      "as the record of what says so in as many letters as any does",
      { type: `call_${"x".repeat(95)}`, id: A },
    ],
    ["in a list of events", [{ event: "call_ended", call_id: A }]],
  ])("are found %s", (_name, body) => {
    expect(findCallIds(body)).toEqual([A]);
  });

  it("are found in the order in which they stand, each once", () => {
    expect(findCallIds([{ call_id: B }, { call_id: A }, { call_id: B }])).toEqual([B, A]);
  });

  it("are found under `calls` as bare ids", () => {
    expect(findCallIds({ calls: [A, B] })).toEqual([A, B]);
  });

  it.each([
    ["texts of other lists", { tags: [A, "vip"] }],
    ["ids of calls that are no list", { call_ids: { a: A } }],
    ["a list of records of nobody knows what", [{ id: A }]],
    ["an id of an event about a call that no platform gives", { event: "call_ended", id: "7" }],
    ["what is no id under `call`", { call: "yes" }],
    ["a record whose other fields speak of calls", { status: "call_ended", id: A }],
    ["a record that says in a list what it is", { type: ["call"], id: A }],
    ["a record that says nothing of what it is", { type: null, id: A }],
    ["a record that says at length what it is", { type: `call_${"x".repeat(96)}`, id: A }],
    ["nothing", undefined],
    ["a text", A],
    ["a number", 4],
    ["records of other things", { agent: { id: A }, batch: { id: B }, id: OTHER }],
    ["an id that no platform gives", { call_id: "../../etc/passwd" }],
    ["an empty id", { call_id: "" }],
    ["an id of a thousand letters", { call_id: "a".repeat(1_000) }],
    ["an id that is no text", { call_id: { $ne: null } }],
    ["ids of a prototype", JSON.parse(`{"__proto__": {"polluted": "${A}"}}`) as unknown],
  ])("are none in %s", (_name, body) => {
    expect(findCallIds(body)).toEqual([]);
  });

  it("are fifty at most, however many there are", () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => ({ call_id: `call-${index}` }));
    expect(findCallIds(ids)).toHaveLength(50);
    expect(findCallIds({ call_ids: ids.map(({ call_id: id }) => id) })).toHaveLength(50);
    const likely = ids.slice(0, 60).map((_, at) => ({ id: `${A.slice(0, -2)}${at + 10}` }));
    expect(findCallIds({ calls: likely })).toHaveLength(50);
  });

  it("are looked for as deep as webhooks go, and quickly in what is meant to be deep", () => {
    let deep: unknown = { call_id: A };
    for (let depth = 0; depth < 11; depth += 1) deep = { data: deep };
    expect(findCallIds(deep)).toEqual([A]);
    for (let depth = 0; depth < 60; depth += 1) deep = { data: deep };
    expect(findCallIds(deep)).toEqual([]);
    const wide = Array.from({ length: 200_000 }, () => [[], {}]);
    expect(cpuMsOf(() => expect(findCallIds(wide)).toEqual([]))).toBeLessThan(2_000);
  });

  it("are looked for in twenty thousand objects, whatever else there is", () => {
    const behind = (count: number) =>
      findCallIds([...Array.from({ length: count }, () => ({})), { call_id: A }]);
    expect(behind(19_998)).toEqual([A]);
    expect(behind(19_999)).toEqual([]);
    for (const filler of ["text", null, 7]) {
      const body = { filler: Array.from({ length: 20_000 }, () => filler), data: { call: { id: A } } };
      expect(findCallIds(body), String(filler)).toEqual([A]);
    }
  });

  it("make no fuss about any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        expect(findCallIds(body).length).toBeLessThanOrEqual(50);
      }),
    );
  });
});
