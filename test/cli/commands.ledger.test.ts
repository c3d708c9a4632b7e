import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { openApi as openCliApi } from "../../src/cli/api/client.ts";
import { openList, suppressList } from "../../src/cli/suppressions/import.ts";
import { rows } from "../../src/ledger/ground/connection.ts";
import { createOutbound } from "../../src/outbound/client.ts";
import { askScrubbingService } from "../../src/outbound/scrubbing.ts";
import { openApi, openSandbox, phonesFrom, type TestApi } from "../http/support.ts";
import { describeSomeLedger } from "../support/ledgers.ts";
import { startReceiver } from "../support/receiver.ts";
import { AGENT, outdial, temporaryFolder, writeFile } from "./support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

interface Running {
  api: TestApi;
  url: string;
  folder: string;
  /** Runs a command against the system of this test. */
  run: (...args: string[]) => ReturnType<typeof outdial>;
  spec: (name: string, changes?: string) => string;
}

describeSomeLedger("commands against a running system", (ledger) => {
  async function running(): Promise<Running> {
    const api = await openApi(ledger(), { ...(await openSandbox()), token: TOKEN });
    const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN, OUTDIAL_DATA_DIR: folder };
    return {
      api,
      url,
      folder,
      run: (...args) => outdial(args, environment),
      spec: (name, changes = "") =>
        writeFile(
          folder,
          `${name}.yaml`,
          `name: ${name}\nagent_id: ${AGENT}\nfrom_numbers: ["+12025550100"]\nconcurrency: 5\nwindow: always\n${changes}`,
        ),
    };
  }

  it("creates, starts, shows, exports and explains a campaign", async () => {
    const { run, spec, folder } = await running();
    fs.chmodSync(folder, 0o755);
    const list = writeFile(
      folder,
      "list.csv",
      `phone,name\n${phonesFrom(100, 3).join(",x\n")},x\nnobody,y\n`,
    );
    const created = await run("campaign", "create", spec("cli one"), "--contacts", list);
    expect(created).toMatchObject({ code: 0, stderr: "" });
    expect(created.stdout).toContain('campaign "cli one" created (run 1');
    expect(created.stdout).toContain("list.csv: 4 rows read, 3 contacts taken, 1 rejected, 0 duplicate");

    expect((await run("campaign", "start", "cli one")).stdout).toMatch(
      /^cli one is running\ncost: likely USD [^\n]* for 3 contacts\n/,
    );
    const status = await run("campaign", "status", "cli one");
    expect(status.stdout).toContain("contacts  done 0 · excluded 0 · dialing 0 · waiting 3");
    expect(status.stdout).not.toContain("variant");
    const listed = await run("campaign", "list", "--json");
    expect(JSON.parse(listed.stdout)).toMatchObject({ items: [{ name: "cli one", state: "running" }] });

    const exported = await run("campaign", "export", "cli one");
    const results = path.join(folder, "reports", "cli one-1", "results.csv");
    expect(exported.stdout).toContain(`results  ${results}`);
    expect(fs.readFileSync(results, "utf8").split("\n")).toHaveLength(5);
    expect(fs.readdirSync(path.dirname(results)).sort()).toEqual([
      "rejects.csv",
      "report.json",
      "results.csv",
    ]);

    // The folder around them was made by somebody else, for others to look into.
    const modeOf = (file: string) => fs.statSync(file).mode & 0o777;
    for (const inner of ["reports", path.join("reports", "cli one-1")])
      expect(modeOf(path.join(folder, inner)), inner).toBe(0o700);
    for (const name of ["rejects.csv", "report.json", "results.csv"])
      expect(modeOf(path.join(path.dirname(results), name)), name).toBe(0o600);
    expect(modeOf(folder)).toBe(0o755);
    const shared = temporaryFolder();
    fs.chmodSync(shared, 0o755);
    expect(await run("campaign", "export", "cli one", "--to", shared)).toMatchObject({ code: 0 });
    expect(modeOf(shared)).toBe(0o755);

    const stranger = await run("campaign", "explain", "cli one", "+12025550177");
    expect(stranger.stderr).toMatch(
      /has no contact with this number: `outdial campaign export 'cli one'` writes a rejects\.csv, with the rows of its lists that made no contact, and why\n$/,
    );
    const explained = await run("campaign", "explain", "cli one", "+12025550101");
    expect(explained.stdout).toContain("+12025550101: open, 0 attempts");
  });

  it("clones a campaign, and says who came into it and who did not", async () => {
    const { run, spec, folder } = await running();
    const list = writeFile(folder, "list.csv", `phone\n${phonesFrom(190, 2).join("\n")}\n`);
    await run(
      "campaign",
      "create",
      spec("cli source", "ends_at: 2026-01-01T00:00:00Z\n"),
      "--contacts",
      list,
    );
    const cloneIt = (...args: string[]) => run("campaign", "clone", "cli source", ...args);
    const refused = await cloneIt("--name", "cli copy");
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("ends_at: 2026-01-01T00:00:00Z has passed");
    const none = await cloneIt("--name", "cli copy", "--end-at", "never");
    expect(none).toMatchObject({ code: 0 });
    expect(none.stdout).toContain('campaign "cli copy" created (run 1');
    expect(none.stdout).toContain('cloned from "cli source" (run 1)');
    expect(none.stdout).toContain("no contacts: add a list before it is started");
    const all = await cloneIt("--name", "cli all", "--end-at", "never", "--contacts", "all");
    expect(all.stdout).toContain("2 contacts taken of 2");
    expect(all.stdout).toContain('2 of them are still to be called by "cli source", too');
    const some = await cloneIt(
      "--name",
      "cli some",
      "--end-at",
      "never",
      "--contacts",
      "busy,failed",
      "--json",
    );
    expect(JSON.parse(some.stdout)).toMatchObject({
      name: "cli some",
      people: { looked_at: 2, taken: 0, left_out: { still_open: 2 } },
    });
    const unread = await cloneIt("--contacts", "loud");
    expect(unread.stderr).toContain("It must be none, all, unreached, or dispositions");
  });

  it("shows with a campaign's lists who on them can never be called, and why", async () => {
    const { run, spec, folder } = await running();
    const file = spec("cli never");
    fs.writeFileSync(
      file,
      fs.readFileSync(file, "utf8").replace("window: always", "window: { weekdays: ['09:00-18:00'] }"),
    );
    const list = writeFile(folder, "never.csv", "phone\n+79161234567\n+12025550143\n");
    await run("campaign", "create", file, "--contacts", list);
    const status = await run("campaign", "status", "cli never");
    expect(status.stdout).toMatch(
      /list never\.csv: 2 rows, 2 taken, 0 rejected, 0 duplicate\n1 contact of never\.csv can never be called under the window.*excluded:\n +1 {2}RU: their numbers may be in any of \d+ time zones.*\n +remedy: give a time_zone/,
    );
  });

  it("gives a campaign commands and says what is in flight", async () => {
    const { api, run, spec } = await running();
    await run("campaign", "create", spec("cli two"));
    await run("campaign", "start", "cli two");
    api.inFlight = { batches: 2, callsUp: 7, uncertain: 1 };
    const paused = await run("campaign", "pause", "cli two", "--reason", "lunch", "--json");
    expect(paused.stderr).toBe(
      "cli two is paused\n7 calls up in 2 batches; of 1 more attempt it could not be seen that no call begins\n",
    );
    expect(JSON.parse(paused.stdout)).toMatchObject({ state: "paused", in_flight: { calls_up: 7 } });
    const audit = await rows(
      ledger().db,
      sql`select actor from audit where action = 'campaign.paused' and detail ->> 'reason' = 'lunch'`,
    );
    expect(audit).toEqual([{ actor: "cli" }]);
    const again = await run("campaign", "start", "cli two", "--brand", "nobody");
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("outdial campaign list") });
  });

  it("withdraws people by number and by list, and says what became of each", async () => {
    const { run, spec, folder } = await running();
    const list = writeFile(folder, "people.csv", "phone\n+12025550171\n+12025550172\n+12025550173\n");
    await run("campaign", "create", spec("cli withdrawn"), "--contacts", list);
    const withdraw = (...args: string[]) =>
      run("campaign", "withdraw", "cli withdrawn", "--reason", "renewed", ...args);
    expect(await withdraw("--phone", "(202) 555-0171", "--default-region", "US")).toMatchObject({
      code: 0,
      stdout: "1 contact withdrawn\n",
    });
    const gone = writeFile(folder, "gone.csv", "phone\n+12025550171\n+12025550172\n+12025550179\nnone\n");
    const told = await withdraw("--contacts", gone);
    expect(told.code).toBe(2);
    expect(told.stdout).toMatch(
      /^1 contact withdrawn\n1 was withdrawn before\n1 number is not in the campaign:\n {2}\+12025550179\n1 row with what can't be read:\n {2}line 5: /,
    );
    for (const [name, text] of [
      ["bare.csv", "phone\n"],
      ["nothing.csv", ""],
    ] as const)
      expect(await withdraw("--contacts", writeFile(folder, name, text))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(name),
      });
    const rest = await withdraw("--all-open", "--json");
    expect(JSON.parse(rest.stdout)).toMatchObject({
      excluded: 1,
      ringing: 0,
      unknown: [],
      stopped_batches: 0,
    });
    expect((await run("campaign", "status", "cli withdrawn", "--json")).stdout).toContain('"excluded":3');
    expect((await withdraw()).stderr).toContain("give one of --phone, --contacts and --all-open");
    expect((await withdraw("--all-open", "--phone", "+12025550171")).code).toBe(2);
    expect((await withdraw("--contacts", "nowhere.csv")).stderr).toContain("nowhere.csv");
  });

  it("says of a changed campaign what it needs that is not there", async () => {
    const { run, spec } = await running();
    await run("campaign", "create", spec("cli amended"));
    const changed = spec(
      "cli amended",
      "follow_ups:\n  - id: go-on\n    on: [answered]\n    actions: [{ enroll: { sequence: nowhere } }]\n",
    );
    const amended = await run("campaign", "amend", changed, "--json");
    expect(amended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/warning: follow_ups\[0\].*there is no sequence "nowhere"/),
    });
    expect(JSON.parse(amended.stdout)).toMatchObject({ policy_version: 2, warnings: [expect.anything()] });
    const again = await run("campaign", "amend", changed);
    expect(again.stdout).toMatch(/has this spec already\nwarning: follow_ups\[0\]/);
  });

  it("archives a campaign that is over, lists it apart, and takes that back", async () => {
    const { run, spec } = await running();
    const created = await run("campaign", "create", spec("cli old"), "--json");
    const { id } = JSON.parse(created.stdout) as { id: string };
    const refused = await run("campaign", "archive", "cli old");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("is scheduled") });
    await rows(
      ledger().db,
      sql`update campaigns set state = 'cancelled', ended_at = now(), look_by = null where id = ${id}::uuid`,
    );
    expect((await run("campaign", "archive", "cli old", "--reason", "done")).code).toBe(0);
    expect((await run("campaign", "list")).stdout).not.toContain(id);
    expect((await run("campaign", "list", "--archived")).stdout).toContain(id);
    expect((await run("campaign", "status", "cli old")).code).toBe(0);
    expect((await run("campaign", "unarchive", "cli old")).stdout).toBe("cli old is in the list again\n");
    expect((await run("campaign", "list")).stdout).toContain(id);
  });

  it("says who would be affected by a change, changes nothing, and holds an amendment to what was seen", async () => {
    const { run, spec, folder } = await running();
    const list = writeFile(folder, "seen.csv", "phone\n+12025550181\n+12025550182\n");
    await run("campaign", "create", spec("cli seen"), "--contacts", list);
    const changed = spec("cli seen", "numbers: { countries: [DE] }\nleast_gap: 10m\n");
    const seen = await run("campaign", "amend", changed, "--dry-run");
    expect(seen).toMatchObject({ code: 0, stderr: "" });
    expect(seen.stdout).toContain("nothing is changed; as policy version 2 it would be:\n");
    expect(seen.stdout).toContain(
      "2: may be called now, then excluded (number_not_allowed); such as +12025550181, +12025550182\n",
    );
    expect(seen.stdout).toContain("--if-version 1\n");
    const told: unknown = JSON.parse((await run("campaign", "amend", changed, "--dry-run", "--json")).stdout);
    expect(told).toMatchObject({
      policy_version: 1,
      parts: [{ open: 2, asked: 2, one_in: 1, effects: [{ contacts: 2, contacts_in_all: 2, until: null }] }],
    });
    expect((await run("campaign", "amend", changed, "--dry-run", "--contacts", list)).code).toBe(2);
    const other = spec("cli seen", "least_gap: 20m\n");
    expect((await run("campaign", "amend", other, "--if-version", "1")).code).toBe(0);
    const late = await run("campaign", "amend", spec("cli seen"), "--if-version", "1");
    expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining("policy version 2 is in force") });
    const again = spec("cli seen", "least_gap: 20m\n");
    expect((await run("campaign", "amend", again, "--dry-run")).stdout).toContain("has this spec already");
  });

  it("tells every problem of what it was given, and writes nothing", async () => {
    const { run, spec } = await running();
    const file = spec("cli three", "default_region: XYZ\n");
    expect(await run("campaign", "create", file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("default_region"),
    });
    const other = spec("cli four");
    fs.writeFileSync(other, fs.readFileSync(other, "utf8").replace(AGENT, "unknown").replace("0100", "0999"));
    const refused = await run("campaign", "create", other);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/can't dial for this spec:\n {2}agent_id: .*\n {2}from_numbers\[0\]: /);
    expect((await run("campaign", "status", "cli four")).code).toBe(1);
  });

  it("names what it was given as it was given, not as a request has it", async () => {
    const { run, spec } = await running();
    await run("campaign", "create", spec("cli words"));
    for (const [args, words] of [
      [["suppress", "add", "", "--reason", "x"], "phone: must not be empty\n"],
      [
        ["suppress", "add", "+12025550143", "+12025550144", "--reason", " "],
        "reason: is needed: it is kept for good\n",
      ],
      [
        ["suppress", "add", "+12025550143", "12", "--reason", "x"],
        "nothing was suppressed: phone 2: It is an emergency number",
      ],
      [
        ["suppress", "add", "", "", "--reason", ""],
        "what was given is not as it must be:\n  phone: must not be empty\n  reason: is needed: it is kept for good\n  phone 2: must not be empty\n",
      ],
      [
        ["campaign", "withdraw", "cli words", "--phone", "+12025550143", "--phone", "12", "--reason", "x"],
        "nobody was withdrawn: phone 2: It is an emergency number",
      ],
      [["campaign", "start", "cli words", "--reason", ""], "reason: must say something, or be left out\n"],
      [["campaign", "start", "cli words", "--reason", "a\nb"], "reason: must not hold control characters"],
      [["campaign", "status", "x".repeat(101)], "name or id: may have 100 characters at most\n"],
      [["suppress", "list", "--phone", "x"], "phone: It has letters"],
      [["go-on", "--reason", " "], "reason: is needed"],
    ] as const) {
      const { code, stderr } = await run(...args);
      expect([code, stderr], args.join(" ")).toEqual([2, expect.stringContaining(`outdial: ${words}`)]);
    }
    const json = await run("suppress", "add", "", "--reason", "x", "--json");
    expect(JSON.parse(json.stderr)).toMatchObject({
      error: { message: "phone: must not be empty", errors: [{ field: "entries[0].phone" }] },
    });
  });

  it("keeps a brand from calling on some days, lists them, and takes them back", async () => {
    const { run } = await running();
    const year = new Date().getUTCFullYear() + 1;
    const day = (rest: string) => `${year}-${rest}`;
    const added = await run("blackout", "add", day("12-24"), "--to", day("12-26"), "--name", "Christmas");
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        `^nobody is called on ${day("12-24")} to ${day("12-26")}, for any brand: Christmas \\(blackout \\d+\\)\n$`,
      ),
    });
    const acme = await run("blackout", "add", day("03-02"), "--name", "Fair", "--brand", "acme");
    expect(acme.stdout).toContain(`nobody is called on ${day("03-02")}, for acme: Fair`);
    const again = await run("blackout", "add", day("03-02"), "--name", "Fair", "--brand", "acme");
    expect(again.stdout).toContain("nobody was to be called already on");
    const listed = await run("blackout", "list", "--brand", "umbrella", "--json");
    const { items } = JSON.parse(listed.stdout) as { items: { id: number; name: string }[] };
    expect(items.map(({ name }) => name)).toEqual(["Christmas"]);
    expect((await run("blackout", "list")).stdout).toMatch(/Fair[\s\S]*every brand +Christmas/);
    const removed = await run("blackout", "remove", String(items[0]?.id), "--reason", "moved");
    expect(removed.stdout).toContain(`people may be called again on ${day("12-24")}`);
    const twice = await run("blackout", "remove", String(items[0]?.id), "--reason", "moved");
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining("list them to see which") });
    const wrong = await run("blackout", "add", "christmas", "--name", " ");
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/from: .*day such as[\s\S]*name: /),
    });
  });

  it("makes tokens, says who one is by one, revokes them, and tells who did what", async () => {
    const { run, url, folder } = await running();
    const created = await run(
      "token",
      "create",
      "crm",
      "--role",
      "viewer",
      "--brand",
      "acme",
      "--expires",
      "90d",
    );
    expect(created).toMatchObject({ code: 0, stderr: "" });
    const [told = "", secret = ""] = created.stdout.split("\n");
    expect(told).toMatch(/^token crm: viewer for acme, until \d{4}-.*It is shown this once/);
    expect(secret).toMatch(/^outdial_[\da-f]{32}_[\w-]{43}$/);
    const asCrm = (...args: string[]) =>
      outdial(args, { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: secret, OUTDIAL_DATA_DIR: folder });
    expect((await asCrm("whoami")).stdout).toBe(
      "the token crm: viewer for acme; in the audit token:crm for cli\n",
    );
    expect((await run("whoami")).stdout).toContain("admin for every brand; in the audit cli");
    const refused = await asCrm("blackout", "add", "2099-12-24", "--name", "Christmas");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("this takes operator") });
    expect((await run("token", "list")).stdout).toMatch(/crm +viewer +acme +20\d\d-/);
    const revoked = await run("token", "revoke", "crm", "--reason", "left with the laptop");
    expect(revoked.stdout).toBe("token crm is revoked: nobody gets in by it any more\n");
    expect((await asCrm("whoami")).stderr).toContain("the token crm was revoked at");
    expect((await run("token", "list", "--revoked")).stdout).toContain("left with the laptop");
    const audit = await run("audit", "--action", "token.revoke", "--limit", "1");
    expect(audit.stdout).toMatch(/cli +token\.revoke +.*reason: left with the laptop/);
    const one = await run("audit", "--limit", "1");
    const next = /more: --after (\S+)/.exec(one.stdout)?.[1] ?? "";
    expect((await run("audit", "--after", next, "--limit", "1")).stdout).toContain("token.create");
    const wrong = await run("token", "create", "x", "--role", "viewer", "--expires", "soon");
    expect(wrong.code).toBe(2);
  });

  it("suppresses numbers, lists them, and takes them back", async () => {
    const { run, folder } = await running();
    const added = await run(
      "suppress",
      "add",
      "(202) 555-0777",
      "--reason",
      "asked",
      "--default-region",
      "US",
    );
    expect(added.stdout).toBe("1 number suppressed\n");
    expect((await run("suppress", "list", "--phone", "+12025550777")).stdout).toContain("+12025550777");
    const removed = await run("suppress", "remove", "+12025550777", "--reason", "came back");
    expect(removed.stdout).toBe("taken back: asked (api)\n+12025550777 may be dialed again\n");
    const twice = await run("suppress", "remove", "+12025550777", "--reason", "came back");
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining("not suppressed") });
    const bare = await run("suppress", "import", writeFile(folder, "bare.csv", "phone\n"));
    expect(bare).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "the list bare.csv has a header and no rows, and suppressed nobody: send",
      ),
    });
    const empty = await run("suppress", "import", writeFile(folder, "nothing.csv", ""));
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining("nothing.csv") });
    const list = writeFile(folder, "dnc.csv", "phone\n+12025550778\nnobody\n");
    const imported = await run("suppress", "import", list);
    expect(imported).toMatchObject({ code: 2, stdout: expect.stringContaining("line 3:") });
  });

  it("does not take a number off the list of a source, and says whose list it is and what ends that", async () => {
    const { run, folder } = await running();
    const list = writeFile(folder, "kept.csv", "phone\n+12025550779\n");
    await run("suppress", "source", "put", "kept-cli", "--type", "do_not_call");
    const taken = await run("suppress", "import", list, "--source", "kept-cli", "--replace");
    expect(taken).toMatchObject({ code: 0, stderr: "" });
    expect(await run("suppress", "remove", "+12025550779", "--reason", "a mistake")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(
        "the number is on the list of kept-cli: it is off it once that list is replaced by one without it, or its source removed",
      ),
    });
    expect((await run("suppress", "list", "--phone", "+12025550779")).stdout).toContain("kept-cli");
  });

  it("tries a scrubbing service out with a few numbers, and says what is wrong with it", async () => {
    const service = await startReceiver();
    const outbound = createOutbound({ allow: ["127.0.0.1"] });
    onTestFinished(() => Promise.all([service.close(), outbound.close()]).then(() => {}));
    const ports = { outbound, secrets: { read: () => ["a secret of ours"] }, now: Date.now };
    const api = await openApi(ledger(), {
      token: TOKEN,
      secrets: ports.secrets,
      askScrubber: (asked, phones) => askScrubbingService(ports, asked, phones),
    });
    const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
    const environment = {
      OUTDIAL_API_URL: url,
      OUTDIAL_API_TOKEN: TOKEN,
      OUTDIAL_DATA_DIR: temporaryFolder(),
    };
    const source = (...args: string[]) => outdial(["suppress", "source", ...args], environment);
    const address = ["--scrub-url", service.url, "--secret", "tried-key", "--brand", "tried-cli"];
    expect(await source("put", "tried-cli", "--type", "scrub", ...address)).toMatchObject({ code: 0 });
    const phones = ["+12025550191", "+12025550192", "+12025550193"];
    service.answer = () => ({
      status: 200,
      body: JSON.stringify({ listed: [{ phone: phones[0], reason: "register" }], clear: [phones[1]] }),
    });
    const answered = await source("check", "tried-cli", ...phones);
    expect(answered).toMatchObject({ code: 0, stderr: "" });
    expect(answered.stdout).toMatch(
      /^tried-cli, at http:\S+, signed with tried-key: it answers \(status 200, /,
    );
    expect(answered.stdout).toContain("+12025550191: listed (register): it would be suppressed until ");
    expect(answered.stdout).toContain("+12025550192: clear: ");
    expect(answered.stdout).toContain("+12025550193: nothing said: ");
    service.answer = () => ({ status: 403, body: "who are you?" });
    const refused = await source("check", "tried-cli", "+12025550191");
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(
      /this is for people to mend \(status 403, .*\n.*does not take the signature/,
    );
    expect(refused.stdout).toContain('it said: "who are you?"');
    expect((await source("show", "tried-cli")).stdout).toContain("not asked yet");
  });

  it("says of a list of numbers that it changed while it was sent", async () => {
    const { url, folder } = await running();
    const file = writeFile(folder, "changing.csv", "phone\n+12025550771\n+12025550772\n");
    const api = openCliApi({ url, token: TOKEN });
    onTestFinished(() => api.close());
    const opened = await openList(file);
    fs.writeFileSync(file, "phone\n+12025550771\n");
    const sent = suppressList(api, file, opened, { map: [] });
    await expect(sent).rejects.toMatchObject({ code: "digest_mismatch" });
    expect((await api.suppressions.list({ phone: "+12025550771" })).total).toBe(1);
  });

  it("stops everything, and goes on with a reason", async () => {
    const { run } = await running();
    const stopped = await run("stop-all", "--reason", "wrong list");
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining("everything is stopped") });
    const shown = await run("doctor", "--json");
    expect(JSON.parse(shown.stdout)).toMatchObject({ ok: false });
    expect((await run("go-on", "--reason", "corrected")).stdout).toBe("dialing goes on\n");
    expect((await run("go-on", "--reason", "corrected")).stdout).toContain("nothing was stopped");
  });

  it("stops everything whatever its reason looks like", async () => {
    const { run, api } = await running();
    const forms = [
      ["--reason", ""],
      ["--reason"],
      ["--reason", "wrong\nlist"],
      ["--reason", "x".repeat(600)],
    ];
    const kept = ["outdial stop-all", "outdial stop-all", "wrong list", "x".repeat(500)];
    for (const [index, form] of forms.entries()) {
      const stopped = await run("stop-all", ...form);
      expect(stopped, stopped.stderr).toMatchObject({ code: 0 });
      const { body } = await api.app.inject({
        url: "/v1/system",
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      expect(JSON.parse(body)).toMatchObject({ stopped: { reason: kept[index] } });
    }
    expect(await run("go-on", "--reason", "corrected")).toMatchObject({ code: 0 });
  });

  it("recovers only when told of the suppressions and withdrawals that a backup does not have", async () => {
    const { run, folder } = await running();
    const unsaid = await run("recover");
    expect(unsaid).toMatchObject({ code: 2, stderr: expect.stringContaining("--suppressions-complete") });
    expect(unsaid.stderr, "both at once").toContain("--withdrawals-complete");
    const half = await run("recover", "--suppressions-complete");
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining("`outdial campaign withdraw`") });
    const said = await run("recover", "--suppressions-complete", "--withdrawals-complete");
    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 batch with 5 attempts booked as dialed"),
    });
    expect(said.stdout).toContain("2 numbers dialed that are no contacts here");
    expect(said.stdout).toContain("runs of 3 schedules were passed over, since they may have been made");

    const torn = writeFile(folder, "torn.csv", "phone\n+12025550781\nnobody\n");
    const refused = await run("recover", "--suppressions", torn, "--withdrawals-complete");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("dialing stays held") });
    expect(refused.stdout).not.toContain("dialing may go on");

    const list = writeFile(folder, "dnc.csv", "phone\n+12025550782\n");
    const listed = await run("recover", "--suppressions", list, "--withdrawals-complete");
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining("1 number suppressed") });
    expect((await run("suppress", "list", "--phone", "+12025550782")).stdout).toContain("+12025550782");
    const nowhere = path.join(folder, "nowhere.csv");
    expect((await run("recover", "--suppressions", nowhere, "--withdrawals-complete")).code).toBe(2);
  });

  it("says that the token is wrong", async () => {
    const { url } = await running();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: "another-token-0123456789" };
    const refused = await outdial(["campaign", "list"], environment);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("OUTDIAL_API_TOKEN") });
  });

  it("shows where variants stand that are compared, before anybody was called, too", async () => {
    const { run, spec } = await running();
    const variants = "variants: [{ name: control, weight: 1 }, { name: warm, weight: 1 }]\n";
    await run("campaign", "create", spec("cli compared", variants));
    const { stdout } = await run("campaign", "status", "cli compared");
    expect(stdout).toContain(
      "  variant  called  reached  share, 95 % interval\n  control       0        0  nobody was called\n",
    );
    const told = JSON.parse((await run("campaign", "status", "cli compared", "--json")).stdout);
    expect(told).toMatchObject({ variants: [{ name: "control", reached_share: null }, { name: "warm" }] });
  });

  it("shows the numbers that a campaign calls from", async () => {
    const { run, spec } = await running();
    await run("campaign", "create", spec("cli numbers", "caller_ids: { per_hour: 7 }\n"));
    const shown = await run("campaign", "caller-ids", "cli numbers");
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(
      /^ {2}number +last hour +last day +may begin +answered\n {2}\+12025550100 .* none noted\n$/,
    );
    const told = JSON.parse((await run("campaign", "caller-ids", "cli numbers", "--json")).stdout);
    expect(told).toMatchObject({
      name: "cli numbers",
      items: [{ number: "+12025550100", newest: 0, rests_until: null }],
    });
    expect((await run("campaign", "caller-ids", "cli nobers")).code).toBe(1);
  });

  it("lists who did what, the newest first, of a campaign or of an action", async () => {
    const { run, spec } = await running();
    await run("campaign", "create", spec("cli audited"));
    await run("campaign", "amend", spec("cli audited", "weight: 2\n"), "--reason", "more of it");
    const listed = await run("audit", "--campaign", "cli audited");
    expect(listed.code).toBe(0);
    const words = listed.stdout.split("\n").filter((line) => line.includes(" campaign."));
    expect(words).toEqual([
      expect.stringMatching(/cli +campaign\.amend .*more of it/),
      expect.stringMatching(/cli +campaign\.create/),
    ]);
    const one = await run("audit", "--campaign", "cli audited", "--limit", "1", "--json");
    const page = JSON.parse(one.stdout);
    expect(page).toMatchObject({ items: [{ action: "campaign.amend", actor: "cli" }] });
    const older = await run("audit", "--campaign", "cli audited", "--after", page.next_after);
    expect(older.stdout).toContain("campaign.create");
    expect(older.stdout).not.toContain("campaign.amend");
    expect((await run("audit", "--action", "nothing.such")).stdout).toBe("nothing of that kind was done\n");
    expect((await run("audit", "--campaign", "cli audted")).code).toBe(1);
  });
});
