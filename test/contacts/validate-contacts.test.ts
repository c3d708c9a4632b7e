import { describe, expect, it } from "vitest";
import { zoneData } from "../../src/contacts/zones.ts";
import { policyOf, type CampaignSpecInput } from "../../src/domain/campaigns/campaign-spec.ts";
import { windowOf } from "../../src/domain/campaigns/window-spec.ts";
import { validateContacts } from "../../src/contacts/validate-contacts.ts";
import { specOf } from "../ledger/support/scenario.ts";
import { generatedContacts } from "./support/generated-contacts.ts";
import { pieces } from "./support/rows.ts";

/** A Monday. */
const NOW_MS = Date.UTC(2026, 10, 23, 12);

const A = "+12015550123";
const B = "+4915112345678";

describe("validating a list", () => {
  it("says what an import would say", async () => {
    const text = `phone,name,tz\n${A},Ann,\n${B},Bo,Asia/Tokyo\n+1 (201) 555-0123,Ann again,\n911,Cy,\n${A},Dee,Nowhere\n+80012345678,Eve,\n`;
    const result = await validateContacts(pieces(text));
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      layout: {
        format: "csv",
        encoding: "utf-8",
        delimiter: ",",
        headerLine: 1,
        columns: [
          { name: "phone", role: "phone" },
          { name: "name", role: "variable", variable: "name" },
          { name: "tz", role: "time_zone" },
        ],
      },
      rows: { read: 6, ok: 3, rejected: 2, duplicate: 1 },
      rejectedByCode: { phone_short_code: 1, time_zone_invalid: 1 },
      regions: { US: 1, DE: 1, "non-geographic": 1 },
      zoneSets: [
        { zones: ["America/New_York"], contacts: 1 },
        { zones: ["Asia/Tokyo"], contacts: 1 },
        { zones: [], contacts: 1 },
      ],
      timeZoneGiven: 1,
      placedBy: { number: 2, time_zone: 1 },
      unreadPlaces: [],
      neverDialed: [
        {
          reason: "no_time_zone",
          region: null,
          zones: [],
          contacts: 1,
          why: expect.stringContaining("nothing tells a time zone"),
          remedy: expect.stringContaining("time_zone"),
        },
      ],
      withoutConsent: [],
      problems: [
        { kind: "rejected", line: 5, code: "phone_short_code", reason: expect.any(String), raw: "911,Cy," },
        {
          kind: "rejected",
          line: 6,
          code: "time_zone_invalid",
          reason: expect.any(String),
          raw: `${A},Dee,Nowhere`,
        },
      ],
      stopped: null,
      warnings: [],
      duplicateCheckBytes: 32_768,
    });
  });

  it.each<readonly [string, string, string]>([
    ["all numbers are national", "phone\n2015550123\n2015550124\n", "no default region"],
    ["a spreadsheet ate digits", `phone\n${A}\n4.9E+11\n`, "format the phone column as Text"],
    ["there is only a header", "phone,name\n", "no rows"],
    ["everyone is at UTC", `phone,tz\n${A},UTC\n`, "UTC, where nobody lives"],
    ["the delimiter is wrong", `phone\n${A};x,y\n${B};x,y\n`, "check the delimiter"],
  ])("warns when %s", async (_what, text, warning) => {
    const { warnings } = await validateContacts(pieces(text));
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });

  it("does not say that a list has no rows where its first one can't be read", async () => {
    const result = await validateContacts(pieces(`phone,note\n${A},${"x".repeat(300_000)}\n`));
    expect(result).toMatchObject({ stopped: { line: 2 }, warnings: [] });
  });

  it("says who can never be called under the campaign's window, why, and what would help", async () => {
    const text =
      "phone,tz\n+79161234567,\n+79161234568,\n+77012345678,\n+79161234569,Europe/Moscow\n+12015550123,\n";
    const campaign = { window: windowOf({ weekdays: ["09:00-18:00"] }), isStrict: false, nowMs: NOW_MS };
    const { neverDialed } = await validateContacts(pieces(text), { campaign });
    expect(neverDialed).toMatchObject([
      { reason: "no_common_window", region: "RU", contacts: 2 },
      { reason: "no_common_window", region: "KZ", contacts: 1 },
    ]);
    expect(neverDialed[0]?.why).toMatch(/may be in any of 12 time zones, whose clocks are 10 h apart/);
    expect(neverDialed[0]?.remedy).toContain("country and state");
    const long = { ...campaign, window: windowOf({ weekdays: ["08:00-20:00"] }) };
    expect((await validateContacts(pieces(text), { campaign: long })).neverDialed).toEqual([]);
  });

  it("says who has not the consent that the campaign asks for, by their row and by rules of where they may be", async () => {
    const columns = "phone,state,consent_basis,consent_at,consent_expires_at";
    const text = `${columns}\n+12015550123,,,,\n+12015550124,,express,2026-11-02,\n+12015550125,,express_written,2026-11-02,\n${[
      1, 2,
    ]
      .map((day) => `+1201555013${day},,express_written,2026-11-02,2026-11-2${day}`)
      .join("\n")}\n${B},,,,\n`;
    const under = async (changes: Partial<CampaignSpecInput>) => {
      const spec = specOf({ window: "always", ...changes });
      const campaign = {
        window: windowOf("always"),
        isStrict: false,
        consent: policyOf(spec, 1),
        nowMs: NOW_MS,
      };
      return (await validateContacts(pieces(text), { campaign })).withoutConsent;
    };
    expect(await under({})).toEqual([]);
    expect(await under({ consent: { require: "express_written" } })).toEqual([
      { contacts: 2, why: "no consent is known for the number" },
      { contacts: 2, why: "consent that ended, or ends within minutes, or is older than it may be" },
      { contacts: 1, why: "consent is express, and express_written is asked for" },
    ]);
    const federal = await under({ presets: ["us-federal"] });
    expect(federal).toEqual([
      { contacts: 2, why: "consent that ended, or ends within minutes, or is older than it may be" },
      { contacts: 1, why: expect.stringMatching(/^no consent is known for the number, by us-federal/) },
    ]);
    const lifted = [{ rule: "us.consent", reason: "reviewed by counsel" }];
    expect(await under({ presets: ["us-federal"], override: lifted })).toEqual([]);
  });

  it("says what it could not make of the columns that tell where people are", async () => {
    const text = "phone,state,zip\n+12015550123,new,07030\n+12015550124,won,n/a\n+12015550125,NJ,\n";
    const { unreadPlaces, placedBy, warnings } = await validateContacts(pieces(text));
    expect(placedBy).toEqual({ postal_code: 1, number: 1, state: 1 });
    expect(unreadPlaces).toEqual([
      { column: "state", contacts: 2, examples: ["new", "won"] },
      { column: "postal_code", contacts: 1, examples: ["n/a"] },
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/state of 2 contacts is not understood \("new", "won"\).*--map state=/),
      expect.stringMatching(/postal_code of 1 contact .*"n\/a"/),
    ]);
  });

  it("judges a strict campaign's list by the zones that it would be held to", async () => {
    const campaign = { window: windowOf({ weekdays: ["09:00-18:00"] }), isStrict: true, nowMs: NOW_MS };
    const { zoneSets } = await validateContacts(pieces("phone\n+12125550100\n"), { campaign });
    expect(zoneSets[0]?.zones).toEqual(zoneData().ofCountry("US"));
  });

  it("counts the rows before a fault, and names it", async () => {
    const result = await validateContacts(pieces(`phone,n\n${A},1\n${B},"2\n`));
    expect(result.rows).toMatchObject({ read: 1, ok: 1 });
    expect(result.stopped).toMatchObject({ code: "unterminated_quote", line: 3 });
  });

  it("hands back no more problems than asked for, but counts all", async () => {
    const result = await validateContacts(pieces(`phone\n${"x\n".repeat(50)}`), { maxProblems: 3 });
    expect(result.problems.map(({ line }) => line)).toEqual([2, 3, 4]);
    expect(result.rows.rejected).toBe(50);
  });

  it("reads a long list of 30 countries and accounts for every row", async () => {
    const { rows, regions, rejectedByCode, duplicateCheckBytes } = await validateContacts(
      generatedContacts({ rows: 20_000, seed: 7 }),
    );
    expect(rows.read).toBe(20_000);
    expect(rows.ok + rows.rejected + rows.duplicate).toBe(20_000);
    expect(rejectedByCode.phone_too_short).toBeGreaterThanOrEqual(100);
    expect(Object.keys(regions)).toHaveLength(30);
    expect(duplicateCheckBytes).toBeLessThanOrEqual(rows.ok * 32);
  });
});
