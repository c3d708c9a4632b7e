import { describe, expect, it } from "vitest";

import { AGENT, outdial, temporaryFolder, writeFile } from "../support.ts";

const SPEC = `name: spring
agent_id: ${AGENT}
from_numbers: ["+12025550100"]
concurrency: 3
default_region: US
retry: { max_attempts: 2, delays: { no_answer: 30m, busy: 10m } }
window: { weekdays: ["09:00-18:00"] }
`;

function numbers(count: number): string {
  return Array.from({ length: count }, (_, n) => `+1212555${String(1_000 + n)},Ann`).join("\n");
}

function files(list = numbers(60), spec = SPEC) {
  const folder = temporaryFolder();
  return {
    folder,
    campaign: writeFile(folder, "campaign.yaml", spec),
    list: writeFile(folder, "list.csv", `phone,first_name\n${list}\n`),
  };
}

const FROM = ["--from", "2026-11-30T12:00:00Z"];

describe("outdial rehearse", () => {
  it("says when a campaign ends, what it costs, when it calls and whom it never calls", async () => {
    const { campaign, list } = files(`${numbers(60)}\n12,Zed\n+19005551234,Cost\n+12125551000,Twice`);
    const said = await outdial([
      "rehearse",
      campaign,
      "--contacts",
      list,
      ...FROM,
      "--time-zone",
      "America/New_York",
      "--cost-per-minute",
      "0.1",
    ]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("spring, rehearsed over list.csv: 61 contacts, 1 rejected, 1 duplicate");
    expect(said.stdout).toContain("with 3 lines; 10 runs, seeds 1 to 10");
    expect(said.stdout).toMatch(/ {2}end +Mon 2026-11-30 (?:09|10|11|12):\d\d America\/New_York/);
    expect(said.stdout).toMatch(/cost +USD \d\.\d\d /);
    expect(said.stdout).toMatch(/Mon 2026-11-30 09:00 +\d+ +█+/);
    expect(said.stdout).toContain('1 contact can never be called under the window of campaign "spring"');
    expect(said.stdout).toContain("1 row of the list makes no contact: phone_short_code 1");
    expect(said.stdout).toContain("no system runs on the data folder");
  });

  it("leaves out whom presets let nobody call without consent, by the state and the consent of each row", async () => {
    const folder = temporaryFolder();
    const list = writeFile(
      folder,
      "list.csv",
      `phone,state,consent_basis,consent_at,score
+12125551000,FL,express,2026-01-05,1
+12125551001,FL,,,5
+12125551002,FL,legitimate_interest,2026-01-05,3
+12125551003,FL,,,9
+12125551003,FL,express,2026-01-06,2
`,
    );
    const campaign = writeFile(
      folder,
      "campaign.yaml",
      `${SPEC.replace(/window.*/, "presets: [us-federal, us-states]")}canary: 20
breaker: { failed: 0.5 }
caller_ids: { per_hour: 10 }
contact_priority: { column: score, first: 9, last: 0 }
`,
    );
    const args = ["rehearse", campaign, "--contacts", list, ...FROM, "--json"];
    const said = JSON.parse((await outdial(args)).stdout);
    expect(said).toMatchObject({
      rows: { ok: 4, duplicate: 1 },
      excluded_reasons: { no_consent: { low: 2, median: 2, high: 2 } },
      open: { high: 0 },
    });
    expect(said.excluded_details.no_consent).toMatch(/, by us-/);
    expect(said.not_known).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^consent /),
        expect.stringMatching(/^earlier calls to these numbers/),
        "canary: it pauses after 20 calls until they are approved, here at once",
        expect.stringMatching(/^breaker: /),
        expect.stringMatching(/^caller_ids: /),
      ]),
    );
  });

  it("says the same as one object, and the same again for the same seed", async () => {
    const { campaign, list } = files();
    const args = ["rehearse", campaign, "--contacts", list, ...FROM, "--json", "--seed", "5", "--runs", "3"];
    const [one, two] = [await outdial(args), await outdial(args)];
    const read = (text: string) => ({ ...JSON.parse(text), took_ms: 0 });
    expect(read(one.stdout)).toEqual(read(two.stdout));
    expect(read(one.stdout)).toMatchObject({
      campaign: "spring",
      from: "2026-11-30T12:00:00.000Z",
      runs: 3,
      seed: 5,
      lines: 3,
      rows: { read: 60, ok: 60 },
      cost_usd: null,
      end_by: null,
      open: { low: 0, median: 0, high: 0 },
    });
  });

  it("finds the lines for an end that is wished for, or says that there are none", async () => {
    const { campaign, list } = files(numbers(400));
    const args = ["rehearse", campaign, "--contacts", list, ...FROM];
    const found = await outdial([...args, "--end-by", "2026-11-30T17:00:00Z"]);
    expect(found.stdout).toMatch(
      /through by Mon 2026-11-30 17:00 UTC: \d+ lines? \((?:9|10) of 10 runs in time\)/,
    );
    const none = await outdial([...args, "--end-by", "2026-11-30T14:10:00Z"]);
    expect(none.stdout).toMatch(
      /through by Mon 2026-11-30 14:10 UTC: with no number of lines; the earliest end is Mon 2026-11-30 14:\d\d; .*people wait for/,
    );
  });

  it("keeps to a list of whom not to call, and to the lines and the rate of the settings", async () => {
    const { campaign, folder, list } = files();
    const suppressed = writeFile(folder, "dnc.csv", "phone\n+12125551000\n+12125551001\n");
    const said = await outdial(
      ["rehearse", campaign, "--contacts", list, ...FROM, "--suppressed", suppressed, "--json"],
      { OUTDIAL_CONCURRENCY: "2", OUTDIAL_CALLS_PER_SECOND: "0.01" },
    );
    const object = JSON.parse(said.stdout);
    expect(object).toMatchObject({ lines: 2, excluded_reasons: { suppressed: { median: 2 } } });
    // A call in a hundred seconds: 58 people at least take longer than an hour and a half.
    expect(Date.parse(object.end.low)).toBeGreaterThan(Date.parse("2026-11-30T15:34:00Z"));
  });

  it("takes outcomes from a file, and refuses what is none with each line", async () => {
    const { campaign, folder, list } = files();
    const args = ["rehearse", campaign, "--contacts", list, ...FROM, "--json", "--outcomes"];
    const all = writeFile(
      folder,
      "all.yaml",
      "shares: { answered: 1 }\ninvalid_numbers: 0\nuncertainty: 0\n",
    );
    const said = JSON.parse((await outdial([...args, all])).stdout);
    expect(said.attempt_dispositions).toEqual({ answered: { low: 60, median: 60, high: 60 } });
    const wrong = writeFile(folder, "wrong.yaml", "shares: { answered: 1 }\ninvalid_numbers: 3\n");
    const refused = await outdial([...args, wrong]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("line 2: invalid_numbers");
    expect((await outdial([...args, all, "--like", "x"])).stderr).toContain("give one of them");
  });

  it("refuses a list in which nobody can be called, a zone that is none, and a list that is not there", async () => {
    const { campaign, list } = files("12,Zed");
    const nobody = await outdial(["rehearse", campaign, "--contacts", list]);
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toContain("nobody in list.csv can be called (line 2:");
    const zone = await outdial(["rehearse", campaign, "--contacts", list, "--time-zone", "Mars/Base"]);
    expect(zone.stderr).toContain('"Mars/Base" is no time zone');
    expect((await outdial(["rehearse", campaign, "--contacts", `${list}x`])).code).not.toBe(0);
  });
});
