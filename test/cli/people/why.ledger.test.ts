import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

import type { StoryWire } from "../../../src/http/wire/people.ts";
import { openApi } from "../../http/support.ts";
import { freshPhones } from "../../ledger/support/scenario.ts";
import { liveInFlorida, liveThrough, SECOND_CALL_MS } from "../../ledger/support/story-life.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { outdial, temporaryFolder } from "../support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

describeSomeLedger("outdial why", (ledger) => {
  async function running() {
    const api = await openApi(ledger(), { token: TOKEN, now: () => SECOND_CALL_MS + 86_400_000 });
    const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN, OUTDIAL_DATA_DIR: folder };
    return { folder, why: (...args: string[]) => outdial(["why", ...args], environment) };
  }

  const [phone] = freshPhones(1) as [string];
  let lived: Promise<unknown> | undefined;
  const live = () => (lived ??= liveThrough(ledger(), phone));

  it("tells the story of a number by the person's clocks, with what allowed each call, in lines that fit", async () => {
    await live();
    const { why } = await running();
    const { code, stdout, stderr } = await why(phone);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines[0]).toBe(`${phone}: 2 campaigns, 2 calls, 1 enrolment`);
    expect(lines).toContain(
      "2026-03-06 10:01:30 America/Phoenix to 12:01:30 America/New_York (17:01:30 UTC)",
    );
    expect(lines).toContain(
      "2026-03-09 10:01:30 America/Phoenix to 13:01:30 America/New_York (17:01:30 UTC)",
    );
    expect(lines).toContain("  called from +12025550100: no_answer, 20 s");
    expect(lines).toContain("  every rule that the ledger can show allowed it when its start was permitted:");
    expect(lines).toContain("    yes  frequency: 1 attempt of the brand in the 7d before it, 2 at most");
    expect(stdout.replaceAll(/\n {6}/g, " ")).toContain(
      "    yes  money: USD 0.20 was held for it; it is taken to have cost USD 0.07: the platform has not told",
    );
    expect(stdout).toMatch(/\n {2}was not called: frequency \(until/);
    expect(stdout).not.toMatch(/T\d\d:\d\d:\d\d\.\d{3}Z/);
    const tooLong = lines.filter((line) => line.length > 80 && line.trim().includes(" "));
    expect(tooLong).toEqual([]);
  });

  it("says where the person may be by the rules of places, and which of them, and whose consent, allowed a call", async () => {
    const [inFlorida] = freshPhones(1) as [string];
    await liveInFlorida(ledger(), inFlorida, "florida");
    const { why, folder } = await running();
    const { code, stdout } = await why(inFlorida);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines).toContain("  places: US-FL");
    expect(lines).toContain("    yes  no consent: consent had been given (any is asked for)");
    expect(stdout.replaceAll(/\n +/g, " ")).toContain("3 at most, by us-states 2026.1: Florida, 3 calls");
    expect(lines).toContain("  was taken out of this campaign: moved away");
    expect(lines.filter((line) => line.length > 80 && line.trim().includes(" "))).toEqual([]);

    const name = path.join(folder, "florida");
    expect((await why(inFlorida, "--output", name)).code).toBe(0);
    expect(fs.readFileSync(`${name}.html`, "utf8")).toMatch(/Places<\/th>\s*<td>US-FL</);
  });

  it("gives a program one object, and only what was asked for", async () => {
    await live();
    const { why } = await running();
    const { code, stdout } = await why(phone, "--json", "--until", "2026-03-06T17:00:00Z");
    expect(code).toBe(0);
    const story = JSON.parse(stdout) as StoryWire;
    expect(story).toMatchObject({ phone, until: "2026-03-06T17:00:00.000Z", next_after: null });
    expect(story.entries.map(({ kind }) => kind)).not.toContain("called");
  });

  it("says what it left out, and goes on there", async () => {
    await live();
    const { why } = await running();
    const whole = JSON.parse((await why(phone, "--json")).stdout) as StoryWire;
    const begun = await why(phone, "--limit", "3");
    const [, after] =
      /not the whole story: .* --after "(.+)"\n$/s.exec(begun.stdout.replaceAll("\n    ", " ")) ?? [];
    const rest = JSON.parse((await why(phone, "--json", "--after", after ?? "")).stdout) as StoryWire;
    expect(rest.entries).toEqual(whole.entries.slice(3));
  });

  it("writes a page and a document to be handed on, says their digests, and writes over neither", async () => {
    await live();
    const { why, folder } = await running();
    const name = path.join(folder, "complaint-4711");
    const written = await why(phone, "--output", name);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    const digestOf = (file: string) => createHash("sha256").update(fs.readFileSync(file)).digest("hex");
    expect(written.stdout).toBe(
      `${digestOf(`${name}.html`)}  ${name}.html\n${digestOf(`${name}.json`)}  ${name}.json\n`,
    );
    const page = fs.readFileSync(`${name}.html`, "utf8");
    expect(page).toContain(digestOf(`${name}.json`));
    expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(page).not.toMatch(/<script|<img|<link|\son\w+=|(?:src|href)="(?!#)|url\(/i);
    expect(page).not.toMatch(/\+12025550199|hush/);
    expect(fs.statSync(`${name}.html`).mode & 0o777).toBe(0o600);
    const story = JSON.parse(fs.readFileSync(`${name}.json`, "utf8")) as StoryWire;
    expect(story.entries.length).toBeGreaterThan(15);

    const again = await why(phone, "--output", `${name}.html`);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain(`${name}.html is there already`);
    fs.rmSync(`${name}.html`);
    expect((await why(phone, "--output", name)).stderr).toContain(`${name}.json is there already`);
    // Half of the two is not left behind.
    expect(fs.existsSync(`${name}.html`)).toBe(false);
  });

  it("knows nobody of a number that nobody ever had, and asks for a country where there is none", async () => {
    const { why } = await running();
    const unknown = await why("+12025550178");
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toContain("nothing is known of +12025550178");
    const national = await why("2025550178");
    expect(national).toMatchObject({ code: 2, stdout: "" });
    expect(national.stderr).toContain("default region");
    expect((await why("(202) 555-0178", "--default-region", "US")).stderr).toContain(
      "nothing is known of +12025550178",
    );
  });
});
