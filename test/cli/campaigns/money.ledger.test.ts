import { expect, it } from "vitest";

import { noteBalance } from "../../../src/ledger/campaigns/credit.ts";
import { readPastCalls } from "../../../src/ledger/campaigns/past-calls.ts";
import { closeBatch, settleFindings } from "../../../src/ledger/campaigns/settling.ts";
import { createPlatform } from "../../../src/platform/index.ts";
import { openApi, openSandbox, phonesFrom } from "../../http/support.ts";
import {
  ended,
  MINUTE_MS,
  openPhones,
  plan,
  planAndStart,
  running as runningCampaign,
} from "../../ledger/support/scenario.ts";
import { describeSomeLedger } from "../../support/ledgers.ts";
import { AGENT, outdial, temporaryFolder, writeFile } from "../support.ts";

const TOKEN = "a-token-of-this-test-0123456789";

/** One line of what was printed, its columns apart by one blank. */
const squeezed = (text: string) => text.replaceAll(/\s+/g, " ");

describeSomeLedger("money at the command line", (ledger) => {
  async function running() {
    const { sandbox, platform } = await openSandbox();
    const api = await openApi(ledger(), { platform, token: TOKEN });
    const url = await api.app.listen({ host: "127.0.0.1", port: 0 });
    const folder = temporaryFolder();
    const environment = {
      OUTDIAL_API_URL: url,
      OUTDIAL_API_TOKEN: TOKEN,
      OUTDIAL_DATA_DIR: folder,
      PLATFORM_BASE_URL: sandbox.url,
      PLATFORM_API_KEY: sandbox.apiKey,
    };
    const openPlatform = async () => createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    return {
      sandbox,
      folder,
      run: (...args: string[]) => outdial(args, environment, { openPlatform }),
    };
  }

  /** Ends every call of a planning, each at this cost. */
  async function endAll(campaignId: string, costMicros: number, nowMs: number): Promise<string[]> {
    const phones: string[] = [];
    for (const batchId of await planAndStart(ledger(), campaignId, nowMs)) {
      const open = await openPhones(ledger(), batchId);
      phones.push(...open);
      const findings = open.map((phone) => ({ ...ended(phone, "answered", nowMs), costMicros }));
      await settleFindings(ledger(), { batchId, findings, nowMs });
      await closeBatch(ledger(), batchId, nowMs);
    }
    return phones;
  }

  it("sets budgets of brands and of all together, lists them, and takes them back", async () => {
    const { run } = await running();
    const none = await run("budget", "list");
    expect(none).toMatchObject({ code: 0, stdout: "no budgets of brands\n", stderr: "" });
    const set = await run("budget", "set", "--brand", "acme", "--per-day", "100", "--total", "2500.50");
    expect(set).toMatchObject({ code: 0, stderr: "" });
    expect(set.stdout).toMatch(
      /^brand acme: USD 2500\.50 from \d{4}-\d\d-\d\d on, USD 100\.00 on a day of UTC\n$/,
    );
    const all = await run("budget", "set", "--per-day", "500", "--json");
    expect(JSON.parse(all.stdout)).toMatchObject({ budget: { brand: null, total: null, per_day: 500 } });
    const listed = squeezed((await run("budget", "list")).stdout);
    expect(listed).toContain("all brands USD 500.00 USD 0.00 + USD 0.00");
    expect(listed).toContain("acme USD 2500.50 USD 0.00 + USD 0.00 USD 100.00 USD 0.00 + USD 0.00");
    const replaced = await run("budget", "set", "--brand", "acme", "--per-day", "0.07");
    expect(replaced.stdout).toBe("brand acme: USD 0.07 on a day of UTC\n");

    const unsaid = await run("budget", "remove", "--brand", "acme");
    expect(unsaid).toMatchObject({ code: 2, stdout: "" });
    expect(unsaid.stderr).toContain("--reason");
    const removed = await run("budget", "remove", "--brand", "acme", "--reason", "billed monthly");
    expect(removed).toMatchObject({
      code: 0,
      stdout: "no budget any more: brand acme: USD 0.07 on a day of UTC\n",
    });
    const again = await run("budget", "remove", "--brand", "acme", "--reason", "billed monthly");
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("acme");
    expect((await run("budget", "remove", "--reason", "no more")).code).toBe(0);
    expect((await run("budget", "list")).stdout).toBe("no budgets of brands\n");
  });

  it.each([
    [["--total", "1,000"], "amount in US dollars above 0"],
    [["--total", "-5"], "amount in US dollars above 0"],
    [["--per-day", "0"], "amount in US dollars above 0"],
    [["--per-day", "0.0000001"], "amount in US dollars above 0"],
    [["--per-day", "much"], "amount in US dollars above 0"],
    [["--total", "200000000"], "100000000 US dollars at most"],
    [["--total", ""], "amount in US dollars above 0"],
    [[], "total"],
  ])("takes no budget of %j, and says what is allowed", async (amounts, says) => {
    const { run } = await running();
    const refused = await run("budget", "set", "--brand", "acme", ...amounts);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(squeezed(refused.stderr)).toContain(says);
    expect((await run("budget", "list")).stdout).toBe("no budgets of brands\n");
  });

  it("explains that a number waits for a budget, and what was held for a call that was made", async () => {
    const { run } = await running();
    const nowMs = Date.now();
    const people = phonesFrom(100, 4);
    const id = await runningCampaign(
      ledger(),
      people,
      {
        brand: "acme",
        concurrency: 10,
        retry: { max_attempts: 1 },
        budget: { total: "0.20", expect_per_call: "0.10" },
      },
      nowMs,
    );
    const called = await endAll(id, 104_000, nowMs);
    expect(called).toHaveLength(2);
    await plan(ledger(), id, nowMs + MINUTE_MS);
    const waiting = people.find((phone) => !called.includes(phone)) ?? "";
    const explained = await run("campaign", "explain", id, waiting);
    expect(explained.code).toBe(0);
    expect(squeezed(explained.stdout)).toContain(
      "held: budget (the budget of USD 0.20 for the campaign has USD 0.00 left, and a call is expected to cost USD 0.10: USD 0.21 spent",
    );
    const why = await run("why", called[0] ?? "");
    expect(squeezed(why.stdout)).toContain(
      "yes money: USD 0.10 was held for it; it cost USD 0.10, as the platform told",
    );
  });

  it("explains that a number waits for credit, and no longer once there is some", async () => {
    const { run } = await running();
    const nowMs = Date.now();
    const [phone = ""] = phonesFrom(150, 1);
    const id = await runningCampaign(ledger(), [phone], { concurrency: 10 }, nowMs);
    await noteBalance(ledger(), { balanceMicros: 0, nowMs });
    await plan(ledger(), id, nowMs);
    const broke = await run("campaign", "explain", id, phone);
    expect(squeezed(broke.stdout)).toMatch(
      /held: credit \(the platform's account has no credit since .* \(its balance is USD 0\.00\): add credit, and it goes on by itself; `outdial budget check` .*\)/,
    );
    const woken = await noteBalance(ledger(), { balanceMicros: 1_000_000_000, nowMs: nowMs + MINUTE_MS });
    expect(woken, "there is more than there was").toContain(id);
    await plan(ledger(), id, nowMs + MINUTE_MS);
    const explained = await run("campaign", "explain", id, phone);
    expect(explained.stdout).toContain("attempt 1: open");
    expect(explained.stdout).not.toMatch(/held: credit .* on, policy/);
  });

  it("rehearses a campaign as the brand's last ones went, against its budget and the account", async () => {
    const { run, folder, sandbox } = await running();
    const nowMs = Date.now();
    const past = await runningCampaign(
      ledger(),
      phonesFrom(200, 60),
      { brand: "past", agent_id: AGENT, concurrency: 100, retry: { max_attempts: 1 } },
      nowMs,
    );
    expect(await endAll(past, 20_000, nowMs)).toHaveLength(60);
    const { spentMicros } = await readPastCalls(ledger().db, { brand: "past", agentId: AGENT });
    expect(spentMicros).toBe(60 * 20_000);
    sandbox.setBalance(1_000);
    const list = writeFile(folder, "list.csv", `phone\n${phonesFrom(300, 30).join("\n")}\n`);
    const rehearse = async (brand: string, budget: string) => {
      const spec = `name: next\nbrand: ${brand}\nagent_id: ${AGENT}\nfrom_numbers: ["+12025550100"]\nconcurrency: 5\nwindow: always\nbudget: ${budget}\n`;
      const file = writeFile(folder, `${brand}.yaml`, spec);
      const said = await run("rehearse", file, "--contacts", list, "--from", "2026-11-30T12:00:00Z");
      expect(said.code).toBe(0);
      return squeezed(said.stdout);
    };
    const enough = await rehearse("past", '{ total: "500", per_day: "0.01" }');
    expect(enough).toMatch(/outcomes: .*1 campaign.*: answered 100 %/);
    expect(enough).toContain("budget is enough: USD 500 in all (budget.total)");
    expect(enough).toMatch(/budget USD 0\.01 a day takes \d+ days or more \(budget\.per_day\)/);
    expect(enough).toContain("credit is enough: the platform's account has USD 1,000");
    sandbox.setBalance(0.01);
    const short = await rehearse("past", '{ total: "0.02" }');
    expect(short).toContain("budget is not enough: USD 0.02 in all (budget.total)");
    expect(short).toContain("credit is not enough: the platform's account has USD 0.01");
    expect(await rehearse("stranger", '{ total: "500" }')).not.toContain("answered 100 %");
  });
});
