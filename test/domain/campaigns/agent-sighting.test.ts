import { describe, expect, it } from "vitest";

import {
  changeText,
  isOtherVersion,
  problemText,
  sightingOf,
  type AgentStanding,
} from "../../../src/domain/campaigns/agent-sighting.ts";

const SAYS_ALL = {
  greeting_message: "Hello, I am an AI assistant calling from Harbour Dental.",
  system_prompt: "If they ask not to be called again, say that you will take them off the list.",
};

describe("what the platform shows of an agent", () => {
  it("is its published version, however that is told", () => {
    const told = sightingOf("a1", {
      agent_name: "Sales",
      is_published: true,
      published_version: 3,
      ...SAYS_ALL,
    });
    expect(told).toMatchObject({ state: "published", version: 3, name: "Sales", missing: [] });
    // Some show it in the history alone, and some call it otherwise there.
    const versions = [
      { version: 2, is_published: false, ...SAYS_ALL },
      { version: 3, is_published: true, ...SAYS_ALL },
    ];
    expect(sightingOf("a1", { is_published: true, versions })).toMatchObject({ version: 3, name: "a1" });
    const numbered = [{ version_number: 4, is_published: true, ...SAYS_ALL }];
    expect(sightingOf("a1", { versions: numbered })).toMatchObject({ state: "published", version: 4 });
  });

  it("is no version where the platform says none, or none that is a number of one", () => {
    for (const published_version of [undefined, null, 1.5, -1, 2 ** 31, 1e300, Number.NaN])
      expect(sightingOf("a1", { is_published: true, published_version })).toMatchObject({
        state: "published",
        version: undefined,
      });
  });

  it("is the first version, or the last that the ledger can hold, as well as any other", () => {
    for (const published_version of [0, 2 ** 31 - 1])
      expect(sightingOf("a1", { published_version }).version).toBe(published_version);
  });

  it("is the version that the history calls published, where the platform names none itself", () => {
    const versions = [
      { version: 1, is_published: false },
      { version: 2, is_published: true, published_by: "ada" },
    ];
    for (const published_version of [undefined, null])
      expect(sightingOf("a1", { published_version, versions })).toMatchObject({
        version: 2,
        origin: "by ada",
      });
  });

  it("is told by whom that very version was published, and not by whom another one was", () => {
    const by = { published_by: "ada", created_by: "grace", updated_by: "joan" };
    for (const field of ["version", "version_number"])
      expect(
        sightingOf("a1", {
          published_version: 2,
          versions: [
            { [field]: 1, published_by: "nobody" },
            { [field]: 2, ...by },
          ],
        }).origin,
      ).toBe("by ada");
  });

  it("says when and by whom it was published, as far as that is there, in one line", () => {
    const versions = [
      {
        version: 3,
        created_at: "2026-11-01T10:00:00Z",
        created_by: "ada\n@example.test",
        version_description: "a shorter greeting",
      },
    ];
    expect(sightingOf("a1", { published_version: 3, versions }).origin).toBe(
      'saved at 2026-11-01T10:00:00Z by ada @example.test "a shorter greeting"',
    );
    const published = [
      { version: 3, published_at: "2026-11-02T10:00:00Z", created_at: "2026-11-01T10:00:00Z" },
    ];
    expect(sightingOf("a1", { published_version: 3, versions: published }).origin).toBe(
      "published at 2026-11-02T10:00:00Z",
    );
    expect(sightingOf("a1", { published_version: 3, versions: [{ version: 3 }] }).origin).toBeUndefined();
  });

  it("is a draft or gone where it can't call", () => {
    const draft = sightingOf("a1", { agent_name: "Sales", is_published: false, published_version: 3 });
    expect(draft).toMatchObject({ state: "draft", version: undefined, missing: [] });
    expect(sightingOf("a1", undefined)).toMatchObject({ state: "gone", name: "a1", missing: [] });
    expect(problemText(draft)).toBe("agent Sales (a1) is not published any more");
    expect(problemText(sightingOf("a1", undefined))).toBe("the platform has no agent a1 any more");
    expect(problemText(sightingOf("a1", { is_published: true }))).toBeUndefined();
  });

  it("tells what its published version lacks, and not what its draft does", () => {
    const versions = [
      { version: 1, ...SAYS_ALL },
      { version: 2, greeting_message: "Hi!", system_prompt: "Sell." },
    ];
    expect(sightingOf("a1", { published_version: 1, versions }).missing).toEqual([]);
    expect(sightingOf("a1", { published_version: 2, versions }).missing).toHaveLength(3);
  });

  it("keeps no text that the ledger can't hold", () => {
    const { name } = sightingOf("a1", { agent_name: `\0${"x".repeat(99)}\u{1F600}` });
    expect(name.isWellFormed()).toBe(true);
    expect(name).not.toContain("\0");
  });

  it.each([
    ["\tSales\r\nEast ", "Sales East"],
    ["x".repeat(101), "x".repeat(100)],
    [" \n ", "a1"],
    ["", "a1"],
  ])("keeps a name in one line, and its identifier where that is empty: %j", (agent_name, name) => {
    expect(sightingOf("a1", { agent_name }).name).toBe(name);
  });
});

describe("another version", () => {
  const is = (version: number | undefined, state: AgentStanding["state"] = "published"): AgentStanding => ({
    state,
    version,
  });

  it.each([
    [is(3), is(4), true],
    [is(4), is(3), true],
    [is(3), is(3), false],
    [is(undefined), is(3), false],
    [is(3), is(undefined), false],
    [is(3), is(undefined, "gone"), false],
    [is(3), is(4, "draft"), false],
  ])("from %j to %j: %s", (before, now, other) => {
    expect(isOtherVersion(before, now)).toBe(other);
  });

  it("is told with both", () => {
    const now = sightingOf("a1", { agent_name: "Sales", published_version: 4 });
    expect(changeText(now, is(3))).toBe("agent Sales (a1) was version 3 and is version 4 now");
    expect(changeText({ ...now, origin: "by ada" }, is(3))).toBe(
      "agent Sales (a1) was version 3 and is version 4 now (by ada)",
    );
  });
});
