import { describe, expect, it } from "vitest";

import { ruleChanges } from "../../../src/domain/campaigns/rule-changes.ts";
import { specWith } from "./spec-with.ts";

const BUSY = { key: "line", equals: "busy", disposition: "busy" };
const GONE = { key: "do_not_call", equals: true, disposition: "opted_out" };
const tags = (id: string, tag: string) => ({
  id,
  when: "analysis.interested",
  actions: [{ tag: { tag } }],
});

const PLAIN = specWith({});

describe("rules in which two specs differ", () => {
  it("are none where both say the same, whatever else they say", () => {
    const rules = { analysis: { rules: [BUSY] }, follow_ups: [tags("warm", "hot")] };
    expect(ruleChanges(PLAIN, specWith({ concurrency: 9 }))).toEqual([]);
    expect(ruleChanges(specWith(rules), specWith({ ...rules, concurrency: 9 }))).toEqual([]);
  });

  it("are those that come to be, with nothing before, and those that go, with nothing after", () => {
    const ruled = specWith({ analysis: { rules: [BUSY] }, follow_ups: [tags("warm", "hot")] });
    const [busy] = ruled.analysis?.rules ?? [];
    const [warm] = ruled.follow_ups ?? [];
    expect(ruleChanges(PLAIN, ruled)).toEqual([
      { rule: "analysis.rules[0]", before: null, after: busy },
      { rule: "follow_ups.warm", before: null, after: warm },
    ]);
    expect(ruleChanges(ruled, PLAIN)).toEqual([
      { rule: "analysis.rules[0]", before: busy, after: null },
      { rule: "follow_ups.warm", before: warm, after: null },
    ]);
  });

  it("are told by place where the first that fits decides: two that change places are two changes", () => {
    const [before, after] = [
      [BUSY, GONE],
      [GONE, BUSY],
    ].map((rules) => specWith({ analysis: { rules } }));
    expect(before && after && ruleChanges(before, after)).toEqual([
      { rule: "analysis.rules[0]", before: BUSY, after: GONE },
      { rule: "analysis.rules[1]", before: GONE, after: BUSY },
    ]);
  });

  it("are told by their ids where they follow a call: places are nothing there, and one among others is told alone", () => {
    const before = specWith({ follow_ups: [tags("warm", "hot"), tags("cold", "ice")] });
    expect(ruleChanges(before, specWith({ follow_ups: [tags("cold", "ice"), tags("warm", "hot")] }))).toEqual(
      [],
    );
    expect(
      ruleChanges(before, specWith({ follow_ups: [tags("warm", "hot"), tags("cold", "snow")] })),
    ).toEqual([
      {
        rule: "follow_ups.cold",
        before: expect.objectContaining({ actions: [expect.objectContaining({ tag: { tag: "ice" } })] }),
        after: expect.objectContaining({ actions: [expect.objectContaining({ tag: { tag: "snow" } })] }),
      },
    ]);
  });

  it("are told without the values of secrets that a spec of old may hold", () => {
    const webhook = (key: string) =>
      specWith({
        follow_ups: [
          {
            id: "warm",
            when: "true",
            actions: [{ webhook: { url: `https://crm.example.test/in?api_key=${key}` } }],
          },
        ],
      });
    const told = ruleChanges(webhook("5up3r-s3cr3t"), webhook("0th3r-s3cr3t"));
    expect(told.map(({ rule }) => rule)).toEqual(["follow_ups.warm"]);
    expect(JSON.stringify(told)).not.toMatch(/s3cr3t/);
    expect(JSON.stringify(told)).toContain("https://crm.example.test/in");
  });
});
