import { expect, it } from "vitest";

import { presetLines } from "../../../src/cli/presets/presets.ts";
import { coloursOf } from "../../../src/cli/view/colours.ts";
import { reportJson, reportLines } from "../../../src/cli/view/report.ts";
import { presetNamed } from "../../../src/domain/policy/presets/registry.ts";
import { presetView } from "../../../src/http/wire/preset-view.ts";
import { given } from "../../support/ledgers.ts";
import { reportOf } from "../support.ts";

it("a preset is shown with what each rule says, and where it is from", () => {
  const lines = presetLines(presetView(given(presetNamed("us-states"))));
  expect(lines.slice(0, 2)).toEqual([
    "us-states 2026.1: United States: states that are stricter than the federal rules",
    "  reviewed 2026-11-25; goes with us-federal. Rules as they were read on the day of their review, strictly where in doubt. No legal advice.",
  ]);
  const florida = lines.indexOf("  us-fl.hours");
  expect(lines.slice(florida, florida + 4)).toEqual([
    "  us-fl.hours",
    "    Florida: 08:00-20:00 every day",
    "    Fla. Stat. § 501.616(6), § 501.059(8), 2021-07-01",
    "    https://www.flsenate.gov/Laws/Statutes/2025/501.616",
  ]);
  const rhodeIsland = lines.indexOf("  us-ri.hours");
  expect(lines[rhodeIsland + 1]).toBe(
    "    Rhode Island: Monday to Friday 09:00-18:00, Saturday 10:00-17:00, not on Sundays",
  );
});

it("a report names the rules that its campaign did not keep to", () => {
  const overrides = [{ rule: "us-fl.hours", reason: "existing customers only" }];
  const report = reportOf({ presets: ["us-states@2026.1"], overrides });
  const lines = reportLines(report, coloursOf(false));
  expect(lines).toContain("  rules of presets that did not hold:");
  expect(lines).toContain("    us-fl.hours: existing customers only");
  expect(reportJson(report, undefined)).toMatchObject({ presets: ["us-states@2026.1"], overrides });
  expect(reportLines(reportOf(), coloursOf(false)).join("\n")).not.toContain("presets");
});
