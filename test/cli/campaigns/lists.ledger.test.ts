import { expect, it } from "vitest";

import { NOW_MS, ended, freshPhones, planAndStart, running } from "../../ledger/support/scenario.ts";
import { settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { openApi, openSandbox } from "../../http/support.ts";
import { describeSomeLedger, given } from "../../support/ledgers.ts";
import { outdial, temporaryFolder } from "../support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

describeSomeLedger("lists of a campaign on the command line", (ledger) => {
  it("show contacts, calls and batches, page by page, and as the API has them", async () => {
    const api = await openApi(ledger(), { ...(await openSandbox()), token: TOKEN });
    const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
    const run = (...args: string[]) =>
      outdial(["campaign", ...args], {
        OUTDIAL_API_URL: url,
        OUTDIAL_API_TOKEN: TOKEN,
        OUTDIAL_DATA_DIR: temporaryFolder(),
      });
    const phones = freshPhones(3);
    const id = await running(ledger(), phones, { name: "listed here", concurrency: 3 });
    const [batchId = ""] = await planAndStart(ledger(), id);
    const { stdout: whole } = await run("calls", "listed here", "--json");
    const { items } = JSON.parse(whole) as { items: { phone: string; batch_id: string }[] };
    const phone = given(items.find(({ batch_id }) => batch_id === batchId)).phone;
    const findings = [ended(phone, "answered", NOW_MS)];
    await settleFindings(ledger(), { batchId, findings, nowMs: NOW_MS });

    const contacts = await run("contacts", "listed here", "--outcome", "answered");
    expect(contacts).toMatchObject({ code: 0, stderr: "" });
    expect(contacts.stdout).toMatch(/^ +phone +state +came to +calls +last call +due/);
    expect(contacts.stdout).toContain(phone);
    for (const other of phones.filter((one) => one !== phone)) expect(contacts.stdout).not.toContain(other);
    const first = await run("contacts", "listed here", "--limit", "2");
    const after = /more: --after (\S+)/.exec(first.stdout)?.[1];
    const rest = await run("contacts", "listed here", "--limit", "2", "--after", given(after));
    expect(rest.stdout).toContain(phones[2]);
    expect(rest.stdout).not.toContain("more:");

    const calls = await run("calls", "listed here", "--state", "ended");
    expect(calls.stdout).toMatch(new RegExp(`\\${phone} +1: ended +answered`));
    const batches = await run("batches", "listed here", "--unsettled", "--json");
    expect(batches.stdout).toContain(batchId);
    expect((await run("batches", "listed here", "--state", "created")).stdout).toContain("no such batches");
    expect((await run("contacts", "listed here", "--state", "lost")).code).not.toBe(0);
  });
});
