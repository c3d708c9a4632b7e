import { describe, expect, it } from "vitest";

import { peopleNamed, type NamedPerson } from "../../../src/domain/triggers/trigger-people.ts";
import { MAX_ITEMS } from "../../../src/domain/triggers/trigger-mapping.ts";
import { readTriggerDefinition } from "../../../src/domain/triggers/trigger.ts";

function named(parts: Record<string, unknown>, payload: unknown): NamedPerson[] {
  const reading = readTriggerDefinition({
    name: "one",
    auth: { scheme: "bearer", secret: "crm" },
    ...parts,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return [...peopleNamed(reading.definition, { payload, headers: {}, atMs: Date.UTC(2026, 5, 1) })];
}

const enroll = { sequence: "trial", phone: "item.phone", default_region: "US" };

describe("the people of a delivery", () => {
  it("are all whom its actions name, item by item, whatever a condition says", () => {
    const parts = {
      each: "payload.items",
      when: "item.counts == true",
      enroll,
      event: { name: "referred", phone: "item.by" },
      exit: { sequence: "other", phone: "item.phone", default_region: "US" },
    };
    const items = [
      { phone: "202 555 0101", by: "+12025550102", counts: true },
      { phone: 2025550103, counts: false },
      { by: "+12025550104" },
    ];
    expect(named(parts, { items })).toEqual([
      { phone: "202 555 0101", region: "US" },
      { phone: "+12025550102", region: undefined },
      { phone: "2025550103", region: "US" },
      { phone: "+12025550104", region: undefined },
    ]);
    expect(named({ enroll }, { phone: "+12025550101" })).toEqual([{ phone: "+12025550101", region: "US" }]);
  });

  it("are nobody where there is no list, no value, or more than is taken", () => {
    const parts = { each: "payload.items", enroll };
    expect(named(parts, { items: "none" })).toEqual([]);
    expect(named(parts, {})).toEqual([]);
    expect(named(parts, { items: Array.from({ length: MAX_ITEMS + 1 }, () => ({ phone: "1" })) })).toEqual(
      [],
    );
    const all = Array.from({ length: MAX_ITEMS }, () => ({ phone: "1" }));
    expect(named(parts, { items: all })).toHaveLength(MAX_ITEMS);
    const ofAll = { each: "payload.items", enroll: { ...enroll, phone: "payload.phone" } };
    expect(named(ofAll, { items: "none", phone: "+12025550101" })).toEqual([]);
    expect(named({ enroll }, "text")).toEqual([]);
    const tooLarge = { phone: "+12025550101", more: Array.from({ length: 100_001 }, () => 0) };
    expect(named({ enroll }, tooLarge)).toEqual([]);
  });
});
