import fs from "node:fs";
import path from "node:path";
import { createHash } from "node:crypto";
import { describe, expect, it, test } from "vitest";

import { announceSystem } from "../../src/cli/announced-system.ts";
import { checkList, findList, glanceAtList, readMap } from "../../src/cli/contact-list.ts";
import { reportFolder } from "../../src/cli/campaigns/run/report-files.ts";
import { findRunningSystem } from "../../src/cli/running-system.ts";
import { readSpecFile } from "../../src/cli/campaigns/run/spec-file.ts";
import { readConfig } from "../../src/config.ts";
import { validateContacts } from "../../src/contacts/validate-contacts.ts";
import type { CampaignSpec } from "../../src/domain/campaigns/campaign-spec.ts";
import { temporaryFolder, writeFile } from "./support.ts";

const READING = { map: {}, defaultRegion: undefined };

const EXAMPLES = path.resolve(import.meta.dirname, "../../examples");

/** With the window of a campaign that names none. */
const SPEC: CampaignSpec = {
  ...readSpecFile(path.join(EXAMPLES, "spring-renewal.yaml")),
  window: { weekdays: ["09:00-18:00"] },
};

describe("a campaign file", () => {
  it("names everything that is wrong with it, by field", () => {
    const file = writeFile(
      temporaryFolder(),
      "c.yaml",
      "name: x\nconcurrency: 0\nfrom_numbers: []\ncolour: red\n",
    );
    expect(() => readSpecFile(file)).toThrow(
      /has 4 problems:[^]*agent_id[^]*concurrency[^]*from_numbers[^]*colour/,
    );
  });

  it("is told where it is not YAML, or no campaign at all", () => {
    const folder = temporaryFolder();
    expect(() => readSpecFile(writeFile(folder, "a.yaml", "name: [\n"))).toThrow(/a\.yaml:2: is not YAML: /);
    expect(() => readSpecFile(writeFile(folder, "b.yaml", "just words\n"))).toThrow("holds no campaign");
    expect(() => readSpecFile(writeFile(folder, "c.yaml", "x".repeat(2_000_000)))).toThrow("too large");
  });

  test("every example is one", () => {
    for (const name of fs.readdirSync(EXAMPLES).filter((file) => file.endsWith(".yaml"))) {
      expect(readSpecFile(path.join(EXAMPLES, name)).name).toBe(path.basename(name, ".yaml"));
    }
  });
});

describe("a list", () => {
  it("is known by the digest of its bytes", async () => {
    const text = "phone\n+12025550143\n";
    const list = await findList(writeFile(temporaryFolder(), "list.csv", text));
    expect(list).toMatchObject({
      name: "list.csv",
      bytes: text.length,
      digest: createHash("sha256").update(text).digest("hex"),
    });
  });

  it("is refused before anything is written: no file, no rows, nobody to call, a fault at its end", async () => {
    const folder = temporaryFolder();
    const of = (text: string) => findList(writeFile(folder, "list.csv", text));
    await expect(findList(folder)).rejects.toThrow("is no file");
    await expect(glanceAtList(await of("phone\n"), READING)).rejects.toThrow("has a header and no rows");
    await expect(glanceAtList(await of("name\nx\n"), READING)).rejects.toThrow(
      "No column looks like the phone number",
    );
    await expect(checkList(await of("phone\nnobody\n"), READING, SPEC, false)).rejects.toThrow(
      /nobody in list.csv can be called.*line 2/,
    );
    const cut = await of('phone,note\n+12025550143,x\n+12025550144,"never closed\n');
    await expect(checkList(cut, READING, SPEC, false)).rejects.toThrow(/quote/i);
    await expect(checkList(cut, READING, SPEC, true)).resolves.toEqual([]);
  });

  it("is told of whom it can never call, before anything is written", async () => {
    const list = await findList(
      writeFile(temporaryFolder(), "list.csv", "phone\n+79161234567\n+79161234568\n+12025550143\n"),
    );
    const lines = await checkList(list, READING, SPEC, false);
    expect(lines[0]).toContain("2 contacts can never be called under the window of campaign");
    expect(lines[1]).toMatch(/2 {2}RU: .*12 time zones, whose clocks are 10 h apart/);
    expect(lines[2]).toContain("remedy: give a time_zone");
    await expect(checkList(list, READING, { ...SPEC, window: "always" }, false)).resolves.toEqual([]);
  });

  it("of the demo has what the demo says", async () => {
    const validation = await validateContacts(fs.createReadStream(path.join(EXAMPLES, "demo-contacts.csv")), {
      defaultRegion: "US",
    });
    expect(validation.rows).toEqual({ read: 520, ok: 500, rejected: 8, duplicate: 12 });
    expect(Object.keys(validation.regions).length).toBeGreaterThanOrEqual(5);
    expect(validation.zoneSets.every(({ zones }) => zones.length > 0)).toBe(true);
  });
});

describe("--map", () => {
  it("names a column for a role or a variable", () => {
    expect(readMap(["phone=Mobile No.", "first_name = Vor=name"])).toEqual({
      phone: "Mobile No.",
      first_name: "Vor=name",
    });
  });

  it("is refused where it says nothing, or twice", () => {
    for (const wrong of [["phone"], ["=x"], ["phone="], ["__proto__=x"], ["phone=a", "phone=b"]]) {
      expect(() => readMap(wrong)).toThrow("--map");
    }
  });
});

describe("a data folder", () => {
  it("leads to the system that runs on it, while its process lives", () => {
    const dataDir = temporaryFolder();
    const config = readConfig({ OUTDIAL_DATA_DIR: dataDir });
    expect(findRunningSystem(config)).toBeUndefined();
    const record = {
      pid: process.pid,
      bootId: "b",
      since: "now",
      closed: false,
      address: "http://127.0.0.1:1",
      token: "t",
    };
    writeFile(dataDir, "ledger.lock", JSON.stringify(record));
    expect(findRunningSystem(config)).toEqual({ by: "lock", url: "http://127.0.0.1:1", token: "t" });
    writeFile(dataDir, "ledger.lock", JSON.stringify({ ...record, closed: true }));
    expect(findRunningSystem(config)).toBeUndefined();
    // No process has this number: it is above every system's limit.
    writeFile(dataDir, "ledger.lock", JSON.stringify({ ...record, pid: 2 ** 30 }));
    expect(findRunningSystem(config)).toBeUndefined();
  });

  it("that the command line names has everything that lies in one, unless a setting puts it elsewhere", () => {
    const environment = { OUTDIAL_DATA_DIR: "/usual", OUTDIAL_LISTS_DIR: "/srv/lists" };
    expect(readConfig(environment, { dataDir: "/other" })).toMatchObject({
      dataDir: "/other",
      dataDirGiven: true,
      recordingsDir: "/other/recordings",
      lists: { dir: "/srv/lists", spoolDir: "/other/spool" },
    });
    expect(readConfig({}, { dataDir: "/other" }).lists.dir).toBe("/other/lists");
    expect(readConfig(environment, { dataDir: undefined }).recordingsDir).toBe("/usual/recordings");
  });

  it("is passed over where the system is somewhere else", () => {
    const config = readConfig({
      OUTDIAL_API_URL: "http://10.0.0.1:8480",
      OUTDIAL_API_TOKEN: "0123456789abcdef",
    });
    expect(findRunningSystem(config)).toEqual({
      by: "name",
      url: "http://10.0.0.1:8480",
      token: "0123456789abcdef",
    });
    const shared = readConfig({ DATABASE_URL: "postgres://db/outdial" });
    expect(findRunningSystem(shared)).toEqual({ by: "port", url: "http://127.0.0.1:8480", token: undefined });
  });

  it("leads to a run that keeps its ledger in a database, too, while that one lives", () => {
    const dataDir = temporaryFolder();
    const config = readConfig({ OUTDIAL_DATA_DIR: dataDir, DATABASE_URL: "postgres://me:pw@db/outdial" });
    const usual = { by: "port", url: "http://127.0.0.1:8480", token: undefined };
    expect(findRunningSystem(config)).toEqual(usual);
    const announced = announceSystem(config, { url: "http://127.0.0.1:41234", token: "t" });
    expect(findRunningSystem(config)).toEqual({ by: "port", url: "http://127.0.0.1:41234", token: "t" });
    // What the settings name goes first, and nobody is told of another database's.
    const elsewhere = { OUTDIAL_DATA_DIR: dataDir, DATABASE_URL: "postgres://me:pw@db/other" };
    expect(findRunningSystem(readConfig(elsewhere))).toEqual(usual);
    const named = { OUTDIAL_DATA_DIR: dataDir, DATABASE_URL: "postgres://me:pw@db/outdial" };
    expect(findRunningSystem(readConfig({ ...named, OUTDIAL_API_PORT: "9000" }))?.url).toBe(
      "http://127.0.0.1:9000",
    );
    const [file = ""] = fs.readdirSync(path.join(dataDir, "systems"));
    const inside = path.join(dataDir, "systems", file);
    const text = fs.readFileSync(inside, "utf8");
    expect(text).not.toMatch(/pw|postgres/);
    expect(fs.statSync(inside).mode & 0o777).toBe(0o600);
    announced.end();
    expect(findRunningSystem(config)).toEqual(usual);
    // Left by one that was killed: no process has this number.
    fs.writeFileSync(inside, text.replace(`"pid":${process.pid}`, `"pid":${2 ** 30}`));
    expect(findRunningSystem(config)).toEqual(usual);
    announceSystem(config, { url: "http://127.0.0.1:41235", token: undefined });
    expect(fs.readdirSync(path.join(dataDir, "systems"))).toHaveLength(1);
  });

  it("keeps the reports of each run of each brand apart", () => {
    expect(reportFolder("/d", { brand: "default", name: "spring", run: 2 })).toBe(
      path.join("/d", "reports", "spring-2"),
    );
    expect(reportFolder("/d", { brand: "acme", name: "spring", run: 2 })).toBe(
      path.join("/d", "reports", "acme", "spring-2"),
    );
  });
});
