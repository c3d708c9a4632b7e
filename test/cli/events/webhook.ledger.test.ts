import path from "node:path";
import { sql } from "drizzle-orm";
import { expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { projectFolder } from "../../docs/support/documents.ts";
import { openApi } from "../../http/support.ts";
import { freshName } from "../../support/intake.ts";
import { withLedger } from "../../support/ledgers.ts";
import { outdial, temporaryFolder, writeFile } from "../support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

const example = path.join(projectFolder, "examples/declared/crm-events.yaml");

const textOf = (name: string, types: string) =>
  `name: ${name}\nto: { webhook: { url: "https://crm.example.com/hook/a-path", secret: crm } }\ntypes: [${types}]\n`;

it("a webhook's file is read with nothing that runs, and refused with every problem and its line", async () => {
  expect(await outdial(["webhook", "check", example])).toMatchObject({
    code: 0,
    stdout: `${example} is a webhook of events: crm-events, call.ended, contact.finished, campaign.completed to crm.example.com\n`,
  });
  const wrong = writeFile(temporaryFolder(), "wrong.yaml", textOf("A B", "call.began"));
  const refused = await outdial(["webhook", "check", wrong]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/wrong\.yaml has 2 problems:\n +line 1: name: .*\n +line 3: types/);
});

withLedger((ledger) => {
  it("a webhook is put, tried, shown, enabled and removed", async () => {
    const sent: unknown[] = [];
    let answer: { ok: true; answer: string } | { ok: false; error: string } = {
      ok: true,
      answer: "it answered 204",
    };
    const { app } = await openApi(ledger(), {
      token: TOKEN,
      sendSigned: async (to, { body }) => {
        sent.push([to, JSON.parse(body)]);
        return answer;
      },
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN, OUTDIAL_DATA_DIR: folder };
    const run = (...args: string[]) => outdial(["webhook", ...args], environment);
    const name = freshName("crm");
    const file = (types: string) => writeFile(folder, "webhook.yaml", textOf(name, types));

    const put = await run("put", file("call.ended"));
    expect(put.stdout).toContain(`webhook ${name} is there now, and is sent what happens from now on`);
    expect((await run("put", file("call.ended"))).stdout).toContain("is as the file says already");
    expect((await run("put", file("call.ended, contact.finished"))).stdout).toContain("goes on where it was");

    expect(await run("test", name)).toMatchObject({
      code: 0,
      stdout: `${name}: delivered (it answered 204)\n`,
    });
    expect(sent).toMatchObject([[{ url: "https://crm.example.com/hook/a-path" }, { type: "test" }]]);
    answer = { ok: false, error: "it answered 500" };
    expect(await run("test", name)).toMatchObject({
      code: 1,
      stdout: `${name}: not delivered: it answered 500\n`,
    });

    await rows(
      ledger().db,
      sql`update event_webhooks set disabled_at = now(), failures = 9, failing_since = now(), next_at = null,
            trouble = 'it answered 410' where name = ${name}`,
    );
    const listed = await run("list");
    expect(listed.stdout).toMatch(
      new RegExp(`${name} +crm\\.example\\.com +disabled +never +it answered 410`),
    );
    const shown = await run("show", name);
    expect(shown.stdout).toContain("9 failures in a row: it answered 410");
    expect(shown.stdout).toContain(`outdial webhook enable ${name}`);
    expect(shown.stdout).toContain("types:\n  - call.ended\n  - contact.finished");
    expect((await run("enable", name)).stdout).toBe(`webhook ${name} goes on where it stopped\n`);
    expect((await run("enable", name)).stdout).toBe(`webhook ${name} was not disabled\n`);
    expect(JSON.parse((await run("show", name, "--json")).stdout)).toMatchObject({
      webhook: { state: "active" },
    });

    expect((await run("remove", name)).stdout).toContain(`webhook ${name} is gone`);
    const gone = await run("show", name);
    expect(gone.code).not.toBe(0);
    expect(gone.stderr).toContain("outdial webhook list");
  });

  it("a document that says the same leaves a webhook disabled, and one that says more has it go on", async () => {
    const { app } = await openApi(ledger(), { token: TOKEN });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = { OUTDIAL_API_URL: url, OUTDIAL_API_TOKEN: TOKEN };
    const run = (...args: string[]) => outdial(args, environment);
    const name = freshName("declared");
    const file = (types: string) =>
      writeFile(folder, "webhook.yaml", `kind: event-webhook\n${textOf(name, types)}`);
    const state = async () =>
      (JSON.parse((await run("webhook", "show", name, "--json")).stdout) as { webhook: { state: string } })
        .webhook.state;

    expect((await run("apply", "-f", file("call.ended"))).stdout).toContain(
      `+ event-webhook ${name} created`,
    );
    await rows(
      ledger().db,
      sql`update event_webhooks set disabled_at = now(), next_at = null where name = ${name}`,
    );
    expect((await run("apply", "-f", file("call.ended"))).stdout).toContain("1 the same");
    expect(await state()).toBe("disabled");
    const differs = await run("diff", "-f", file("call.ended, contact.finished"));
    expect(differs.stdout).toContain(`~ event-webhook ${name}`);
    expect((await run("apply", "-f", file("call.ended, contact.finished"))).stdout).toContain("changed");
    expect(await state()).toBe("active");

    const others = temporaryFolder();
    writeFile(
      others,
      "ops.yaml",
      `kind: attention-route\nname: ops\nto: { slack: { url: { secret: slack } } }\n`,
    );
    expect((await run("prune", "-f", others, "--yes")).stdout).toContain(`event-webhook ${name}`);
    expect((await run("webhook", "show", name)).code).not.toBe(0);
  });
});
