import { describe, expect, it } from "vitest";

import { isOldZoneData, releaseDayOf, zoneDataText } from "../../../src/domain/time/zone-age.ts";

const CHANGELOG = `### \`0.6.6\` _2026-10-29_
* Updated data to IANA TZDB \`2026f\`. [#1169](https://example.com/1169)
* Fixed several functions.

### \`0.6.5\` _2026-10-02_
* Updated data to IANA TZDB \`2026e\`. [#1165](https://example.com/1165)

### \`0.6.4\` _2026-09-30_
* Fixed calendar arithmetic around time zone gaps.

### \`0.6.3\` _2026-09-15_
* Updated data to IANA TZDB \`2026d\`.

### \`0.6.2\` _someday_
* Updated data to IANA TZDB \`2026b\`.

### \`0.6.1\` _2026-99-99_
* Updated data to IANA TZDB \`2026a\`.
`;

describe("the day of a release of zone data", () => {
  it("is that of the package that brought it", () => {
    expect(releaseDayOf("2026f", CHANGELOG)).toBe("2026-10-29");
    expect(releaseDayOf("2026e", CHANGELOG)).toBe("2026-10-02");
    expect(releaseDayOf("2026d", CHANGELOG)).toBe("2026-09-15");
  });

  it("is that of the first one, where a later package names the release again", () => {
    const again = `### \`0.6.7\` _2027-02-01_\n* Fixed IANA TZDB \`2026f\` links.\n\n${CHANGELOG}`;
    expect(releaseDayOf("2026f", again)).toBe("2026-10-29");
  });

  it("is told by the headings alone", () => {
    const words = "Like `0.5.0` _2026-01-01_ of IANA TZDB `2026f`.\n\n";
    const cited = CHANGELOG.replace(
      "* Fixed several",
      "* As ### `0.6.0` _2026-01-01_ of IANA TZDB `2026f`: several",
    );
    expect(releaseDayOf("2026f", `${words}${cited}`)).toBe("2026-10-29");
  });

  it.each(["2026c", "2026b", "2026a", "2026", ""])("is not known of %j", (version) => {
    expect(releaseDayOf(version, CHANGELOG)).toBeUndefined();
  });
});

describe("zone data is old", () => {
  const zones = { version: "2026f", releasedOn: "2026-10-29", folder: undefined };

  it("half a year after its release", () => {
    expect(isOldZoneData(zones, Date.parse("2027-04-29T23:00Z"))).toBe(false);
    expect(isOldZoneData(zones, Date.parse("2027-04-30T00:00Z"))).toBe(false);
    expect(isOldZoneData(zones, Date.parse("2027-04-30T00:00Z") + 1)).toBe(true);
  });

  it("half a year after its year began, where its day is not known", () => {
    const unknown = { ...zones, releasedOn: undefined };
    expect(isOldZoneData(unknown, Date.parse("2026-06-30T00:00Z"))).toBe(false);
    expect(isOldZoneData(unknown, Date.parse("2026-07-05T00:00Z"))).toBe(true);
  });

  it("says so with its day and where it is from", () => {
    expect(zoneDataText(zones)).toBe("2026f of 2026-10-29");
    expect(zoneDataText({ version: "2027a", releasedOn: undefined, folder: "/etc/zones" })).toBe(
      "2027a, from /etc/zones",
    );
  });
});
