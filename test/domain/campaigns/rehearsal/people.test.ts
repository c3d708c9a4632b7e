import { describe, expect, it } from "vitest";

import { PeopleGatherer } from "../../../../src/domain/campaigns/rehearsal/people.ts";

const IT = { country: "IT", costly: undefined };

describe("people of a list, as they are gathered", () => {
  it("stand in lanes of the same zones, places and priority, and are known by their place", () => {
    const gatherer = new PeopleGatherer();
    const rows = [
      { zones: ["a"] },
      { zones: ["a", "b"] },
      { zones: ["a"], places: ["p"] },
      { zones: ["a"], priority: 3 },
      { zones: ["a"] },
      { zones: ["a"], places: ["p"], priority: 3 },
    ];
    expect(rows.map((row) => gatherer.add({ ...row, kind: IT }))).toEqual([0, 1, 2, 3, 4, 5]);
    const { count, lanes, laneOf } = gatherer.people();
    expect(count).toBe(6);
    expect([...laneOf]).toEqual([0, 1, 2, 3, 0, 4]);
    expect(lanes).toEqual([
      { zones: ["a"], places: [], priority: 0 },
      { zones: ["a", "b"], places: [], priority: 0 },
      { zones: ["a"], places: ["p"], priority: 0 },
      { zones: ["a"], places: [], priority: 3 },
      { zones: ["a"], places: ["p"], priority: 3 },
    ]);
  });

  it("have numbers of a kind: by country, and by what it costs to call them", () => {
    const gatherer = new PeopleGatherer();
    const kinds = [
      IT,
      { country: undefined, costly: undefined },
      { country: "IT", costly: "premium_rate" },
      IT,
      { country: undefined, costly: "premium_rate" },
      { country: "FR", costly: undefined },
      { country: "IT", costly: "satellite" },
    ] as const;
    for (const kind of kinds) gatherer.add({ zones: ["a"], kind });
    const found = gatherer.people();
    expect([...found.kindOf]).toEqual([0, 1, 2, 0, 3, 4, 5]);
    expect(found.kinds).toEqual(kinds.filter((_, nth) => nth !== 3));
  });

  it("are not to be called where the list or somebody later says so, and consented as often as it is said", () => {
    const gatherer = new PeopleGatherer();
    gatherer.add({ zones: ["a"], kind: IT, isSuppressed: true });
    gatherer.add({ zones: ["a"], kind: IT });
    gatherer.add({ zones: ["a"], kind: IT, isSuppressed: false });
    gatherer.suppress(2);
    const [first, second, third] = ["one", "two", "three"].map((word) => ({ word }) as never);
    gatherer.consented(1, first as never);
    gatherer.consented(0, second as never);
    gatherer.consented(1, third as never);
    const { suppressed, consents } = gatherer.people();
    expect([...suppressed]).toEqual([0, 2]);
    expect([...consents]).toEqual([
      [1, [first, third]],
      [0, [second]],
    ]);
  });
});
