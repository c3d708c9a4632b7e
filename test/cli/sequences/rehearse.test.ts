import { describe, expect, it } from "vitest";

import { AGENT, outdial, temporaryFolder, writeFile } from "../support.ts";

const SEQUENCE = `name: trial-welcome
agent_id: ${AGENT}
from_numbers: ["+12025550100"]
default_region: US
steps:
  - id: morning
    wait: { until: "10:00", days: weekdays }
  - id: first
    call: { retry: { max_attempts: 2, delays: { no_answer: 2h } } }
    on: { answered: thanks, unknown: later, otherwise: later }
  - id: later
    exit: { outcome: not_reached }
  - id: thanks
    exit: { outcome: reached }
`;

function files(person: object, sequence = SEQUENCE) {
  const folder = temporaryFolder();
  return [
    writeFile(folder, "sequence.yaml", sequence),
    "--person",
    writeFile(folder, "person.json", JSON.stringify(person)),
    "--from",
    "2026-11-27T20:00:00Z",
  ];
}

describe("outdial sequence rehearse", () => {
  it("walks a person through a sequence, with the dates by their clocks", async () => {
    const said = await outdial(["sequence", "rehearse", ...files({ phone: "(312) 555-0143" })]);
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout.split("\n")).toEqual([
      "trial-welcome, rehearsed for +13125550143, enrolled Fri 2026-11-27 14:00; all times by the clocks of America/Chicago",
      "  Fri 2026-11-27 14:00  morning: waits (until Mon 2026-11-30 10:00)",
      "  Mon 2026-11-30 10:00  first: calls",
      "    if answered: called Mon 2026-11-30 10:00",
      "      Mon 2026-11-30 10:01  ends: reached (step thanks)",
      "    if no answer: called Mon 2026-11-30 10:00, Mon 2026-11-30 12:00",
      "      Mon 2026-11-30 12:01  ends: not_reached (step later)",
      "    if unknown: called Mon 2026-11-30 10:00",
      "      Mon 2026-11-30 10:01  ends: not_reached (step later)",
      "",
      "3 ends",
      "not walked at first: voicemail, busy, failed, invalid_number, opted_out, callback_requested (--assume first=voicemail walks one)",
      "no blackouts are kept: no system runs on the data folder",
      "",
    ]);
  });

  it("takes what is assumed, and says the same as one object", async () => {
    const args = files({ phone: "+13125550143", time_zone: "Asia/Tokyo" });
    const said = await outdial(["sequence", "rehearse", ...args, "--assume", "first=busy", "--json"]);
    expect(JSON.parse(said.stdout)).toMatchObject({
      phone: "+13125550143",
      zones: ["Asia/Tokyo"],
      way: {
        fork: {
          step: "first",
          at: "2026-11-30T01:00:00.000Z",
          ways: [{ when: ["busy"], tries: ["2026-11-30T01:00:00.000Z"], end: { outcome: "not_reached" } }],
        },
      },
    });
  });

  it("calls nobody whom presets let nobody call without consent, and later at the next window who gave it", async () => {
    const sequence = SEQUENCE.replace("steps:", "presets: [us-federal, us-states]\nsteps:").replace(
      "{ no_answer: 2h }",
      "{ no_answer: next_window }",
    );
    const toldOf = async (person: object) => {
      const args = files({ phone: "+13055550143", state: "FL", ...person }, sequence);
      const said = await outdial(["sequence", "rehearse", ...args, "--assume", "first=no_answer"]);
      expect(said).toMatchObject({ code: 0, stderr: "" });
      return said.stdout;
    };
    expect(await toldOf({})).toContain("no_consent");
    const told = await toldOf({ consent: { basis: "express", at: "2026-01-05" } });
    expect(told).not.toContain("no_consent");
    expect(told).toContain("if no answer: called Mon 2026-11-30 10:00, Tue 2026-12-01 ");
  });

  it("refuses a person, a step or an outcome that can't be, and says what there is", async () => {
    const good = files({ phone: "+13125550143" });
    const refused = async (args: readonly string[]) => {
      const { code, stderr } = await outdial(["sequence", "rehearse", ...args]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused(files({ phone: "12" }))).toContain("give the full number");
    expect(await refused(files({ name: "Ada" }))).toContain("phone");
    expect(await refused([...good, "--assume", "second=busy"])).toContain("morning, first, later, thanks");
    expect(await refused([...good, "--assume", "first=maybe"])).toContain("answered, voicemail");
    expect(await refused([...good, "--assume", "later=done"])).toContain("nothing is open at step later");
  });
});
