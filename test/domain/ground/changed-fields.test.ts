import { describe, expect, it } from "vitest";

import { changedFields } from "../../../src/domain/ground/changed-fields.ts";

describe("what the audit has of a document that changed", () => {
  it("are the fields that differ, as they were and as they are, on the side on which they stand", () => {
    const before = { name: "a", rule: { id: 1, on: ["x"] }, gone: 1, same: [{ a: 1 }] };
    const after = { name: "a", rule: { id: 1, on: ["y"] }, come: null, same: [{ a: 1 }] };
    expect(changedFields(before, after)).toStrictEqual({
      before: { rule: before.rule, gone: 1 },
      after: { rule: after.rule, come: null },
    });
  });

  it("is nothing where nothing did", () => {
    expect(changedFields({ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } })).toEqual({ before: {}, after: {} });
  });

  it("is all of it where there was none", () => {
    expect(changedFields(undefined, { name: "a" })).toEqual({ before: null, after: { name: "a" } });
  });

  it("holds no secret's value, on neither side", () => {
    const addressWith = (secret: string) => ({
      to: { webhook: { url: `https://crm.example.com/?api_key=${secret}` } },
    });
    const told = changedFields(addressWith("sk_live_4f9a8b7c6d5e4f3a2b1c"), {
      ...addressWith("sk_live_other8b7c6d5e4f3a2b"),
      n: 1,
    });
    expect(JSON.stringify(told)).not.toContain("sk_live");
    expect(told.after).toMatchObject({ n: 1 });
    expect(JSON.stringify(changedFields(undefined, addressWith("sk_live_4f9a8b7c6d5e4f3a2b1c")))).toContain(
      "(not shown)",
    );
  });
});
