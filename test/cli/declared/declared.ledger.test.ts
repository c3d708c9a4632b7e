import { sql } from "drizzle-orm";
import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { projectFolder } from "../../docs/support/documents.ts";
import { openApi, openSandbox } from "../../http/support.ts";
import { withLedger } from "../../support/ledgers.ts";
import { outdial, temporaryFolder, writeFile } from "../support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

it("tells every problem of every file with its line before anything is sent", async () => {
  const folder = temporaryFolder();
  writeFile(
    folder,
    "a.yaml",
    "kind: trigger\nname: lead\nauth: { scheme: bearer, secret: crm }\nevent: { name: seen, phone: payload.phone }\n---\nkind: schedule\nname: nightly\nrun: { automation: x }\ncron: nonsense\n",
  );
  fs.mkdirSync(path.join(folder, "more"));
  const copy = fs.readFileSync(path.join(folder, "a.yaml"), "utf8").split("---")[0] ?? "";
  writeFile(path.join(folder, "more"), "b.yml", copy);
  writeFile(folder, "c.json", '{"name": "no kind"}');
  writeFile(folder, "d.yaml", "kind: [unclosed\n");
  writeFile(
    folder,
    "e.yaml",
    `a: &a [1, 1, 1, 1]\n${Array.from("bcdefghi", (name, nth) => `${name}: &${name} [${`*${"abcdefgh"[nth] ?? ""}, `.repeat(4)}]`).join("\n")}\n`,
  );
  writeFile(folder, ".hidden.yaml", "kind: [");
  for (const command of ["apply", "diff", "prune"]) {
    const { code, stderr, stdout } = await outdial([command, "-f", folder]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("5 problems, and nothing was sent");
    expect(stderr).toContain(`a.yaml:9 (document 2): cron:`);
    expect(stderr).toContain("b.yml:1: name: trigger lead is declared in");
    expect(stderr).toContain("c.json:1: kind: is missing");
    expect(stderr).toContain("d.yaml:2: is not YAML:");
    expect(stderr).toMatch(/e\.yaml:\d: repeats parts of itself \(\*\w\) too often/);
  }
  const empty = temporaryFolder();
  expect(await outdial(["prune", "-f", empty])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("no document"),
  });
  expect(await outdial(["apply", "-f", path.join(empty, "absent")])).toMatchObject({ code: 2 });
});

it("prints the schema of each kind", async () => {
  expect(JSON.parse((await outdial(["schema", "trigger"])).stdout)).toMatchObject({ title: "trigger" });
  expect((await outdial(["schema", "nothing"])).code).toBe(2);
});

withLedger((ledger) => {
  const open = async () => {
    const { platform } = await openSandbox();
    const { app } = await openApi(ledger(), {
      token: TOKEN,
      platform,
      secrets: { read: () => ["a-secret"] },
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN };
    return (...args: string[]) => outdial(args, environment);
  };

  it("applies the examples, goes on where it failed, exports what is there, and prunes what is declared no more", async () => {
    const run = await open();
    const folder = temporaryFolder();
    fs.cpSync(path.join(projectFolder, "examples/declared"), folder, { recursive: true });
    writeFile(folder, "list.csv", "phone\n+12025550150\n+12025550151\n");
    const list = (file: string) =>
      `kind: suppression-list\nname: from-file\nbrand: default\nreason: on the list\nfile: ${file}\n`;
    writeFile(folder, "from-file.yaml", list("list.csv"));

    const before = await run("diff", "-f", folder);
    expect(before.code).toBe(3);
    expect(before.stdout).toContain(
      "+ event-webhook crm-events\n+ automation crm-sync\n+ suppression-source ftc-dnc\n+ suppression-list do-not-call\n",
    );
    expect(before.stdout).toContain("10 to create, 0 to change, 0 the same");

    // A sequence that the platform would not call for: what stands before it is applied, what stands behind it is not.
    const trial = path.join(folder, "trial.yaml");
    const right = fs.readFileSync(trial, "utf8");
    fs.writeFileSync(
      trial,
      right.replace("11111111-1111-4111-8111-111111111111", "99999999-9999-4999-8999-999999999999"),
    );
    const failed = await run("apply", "-f", folder);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain("+ suppression-list from-file created");
    expect(failed.stdout).toMatch(/! sequence trial-welcome \(.*trial\.yaml:3 \(document 1\)\) failed:/);
    expect(failed.stdout).toContain(
      "not applied: sequence trial-welcome, campaign spring-renewal, trigger trial-started, schedule nightly-sync",
    );
    fs.writeFileSync(trial, right);
    const goneOn = await run("apply", "-f", folder);
    expect(goneOn).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("4 created, 0 changed, 6 the same"),
    });
    expect(await run("apply", "-f", folder)).toMatchObject({
      code: 0,
      stdout: "0 created, 0 changed, 10 the same\n",
    });
    expect(await run("diff", "-f", folder)).toMatchObject({
      code: 0,
      stdout: "0 to create, 0 to change, 10 the same\n",
    });
    expect((await run("suppress", "list", "--json")).stdout).toContain("+12025550151");

    const exported = path.join(temporaryFolder(), "out");
    expect((await run("export", "--to", exported)).stdout).toContain("10 documents in");
    expect(fs.readdirSync(exported)).toContain("suppression-list-do-not-call.yaml");
    expect(fs.readFileSync(path.join(exported, "trigger-trial-started.yaml"), "utf8")).toMatch(
      /^kind: trigger\n/,
    );
    expect((await run("diff", "-f", exported, "--all")).stdout).toContain(
      "0 to create, 0 to change, 10 the same",
    );
    fs.appendFileSync(path.join(exported, "campaign-spring-renewal.yaml"), "# mine\n");
    expect(await run("export", "--to", exported)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--overwrite"),
    });

    // A change, and a refusal that leaves everything as it is.
    const spring = path.join(folder, "spring-renewal.yaml");
    const slow = fs.readFileSync(spring, "utf8");
    fs.writeFileSync(spring, slow.replace("concurrency: 20", "concurrency: 30"));
    expect((await run("diff", "-f", folder)).stdout).toContain(
      "~ campaign spring-renewal\n    concurrency: 20 -> 30\n",
    );
    fs.writeFileSync(spring, slow.replace("+12025550100", "+12025550199"));
    const refused = await run("apply", "-f", folder);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("! campaign spring-renewal: can't be amended in from_numbers"),
    });
    expect(refused.stderr).toContain("nothing was applied");
    fs.writeFileSync(spring, slow);

    // A list with a row that suppresses nobody is not done.
    writeFile(folder, "list.csv", "phone\n+12025550150\nnobody\n+12025550152\n");
    const halfList = await run("apply", "-f", folder);
    expect(halfList).toMatchObject({ code: 1, stdout: expect.stringContaining("suppressed nobody") });
    expect((await run("suppress", "list", "--json")).stdout).toContain("+12025550152");

    for (const file of ["automations.yaml", "from-file.yaml", "do-not-call.yaml", "spring-renewal.yaml"])
      fs.rmSync(path.join(folder, file));
    fs.rmSync(path.join(folder, "crm-sync.json"));
    const shown = await run("prune", "-f", folder);
    expect(shown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Nobody can be asked here: add --yes"),
    });
    expect(shown.stdout).toContain("- schedule nightly-sync: removed");
    expect(shown.stdout).toContain("- suppression-list do-not-call: stays");
    const pruned = await run("prune", "-f", folder, "--yes", "--json");
    expect(pruned.code).toBe(0);
    expect(
      (JSON.parse(pruned.stdout) as { pruned: { kind: string }[] }).pruned.map(({ kind }) => kind).toSorted(),
    ).toEqual(["automation", "campaign", "schedule"]);
    expect((await run("prune", "-f", folder, "--yes")).stdout).toContain("nothing to prune");
    expect((await run("suppress", "list", "--json")).stdout).toContain("+12025550143");
  });

  it("leaves a campaign as it is whose filter is said by a schedule of the same folder", async () => {
    const run = await open();
    const folder = temporaryFolder();
    const campaign =
      'kind: campaign\nname: daily\nagent_id: 11111111-1111-4111-8111-111111111111\nfrom_numbers: ["+12025550100"]\nconcurrency: 2\ncontacts: { file: daily.csv }\n';
    writeFile(folder, "campaign.yaml", `${campaign}not_called_within: 7d\n`);
    expect((await run("apply", "-f", folder)).code).toBe(0);
    await rows(
      ledger().db,
      sql`update campaigns set state = 'running', started_at = now() where name = 'daily'`,
    );
    writeFile(folder, "campaign.yaml", campaign);
    writeFile(
      folder,
      "schedule.yaml",
      'kind: schedule\nname: daily\nrun: { campaign: daily, not_called_within: 7d }\ncron: "0 0 1 1 *"\n',
    );
    const only = { code: 0, stdout: expect.stringContaining("1 created, 0 changed, 1 the same") };
    expect(await run("apply", "-f", folder)).toMatchObject(only);
    expect(await run("diff", "-f", folder)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("0 to create, 0 to change, 2 the same"),
    });
  });
});
