import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createPlatform, type Platform } from "../../src/platform/index.ts";
import { given } from "../support/ledgers.ts";
import { closedPort, openStage, type Environment, type Stage } from "../system/support/stage.ts";
import {
  answerDialog,
  allThere,
  browserPath,
  expectAccessibleInBoth,
  expectAllLookedAt,
  openBrowser,
  openPage,
  signInBy,
} from "./support.ts";

/*
 * What is beside campaigns, and is kept going at the dashboard: automations, triggers, schedules, who is signed in.
 */

describe.skipIf(browserPath === undefined)("whoever keeps the system going at the dashboard", () => {
  let stage: Stage;
  let browser: Browser;
  let settings: Environment;
  let address: string;
  let platform: Platform;
  let admin: string;

  beforeAll(async () => {
    stage = await openStage();
    browser = await openBrowser();
    const port = await closedPort();
    settings = stage.settings(stage.dataDir(), {
      OUTDIAL_API_PORT: String(port),
      OUTDIAL_LOG_LEVEL: "info",
      OUTDIAL_SECRET_CRM: "a-secret-of-the-crm-83",
    });
    const server = stage.start(["server"], settings);
    address = `http://127.0.0.1:${port}`;
    await server.waitFor(new RegExp(address));
    platform = createPlatform({
      baseUrl: stage.sandbox.url,
      apiKey: given(settings["PLATFORM_API_KEY"]),
    });
    admin = await tokenOf("ann", "admin");
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await stage.outdial(args, settings);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const tokenOf = async (name: string, role: string, ...more: string[]) => {
    const made = await run("token", "create", name, "--role", role, "--expires", "1d", ...more, "--json");
    return (JSON.parse(made) as { secret: string }).secret;
  };
  const visit = async (by = admin) => {
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, by);
    return {
      page,
      leave: async () => {
        expect(trouble).toEqual([]);
        await page.context().close();
      },
    };
  };
  const goTo = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();

  it("runs again what an automation failed at, and has it tested and deployed", async () => {
    const fault = (outcome: "success" | "failed") =>
      stage.sandbox.faults.add({ kind: "execution", outcome }).fault_id;
    let now = fault("success");
    const change = (outcome: "success" | "failed") => {
      stage.sandbox.faults.remove(now);
      now = fault(outcome);
    };
    const file = stage.file(
      "crm-sync.yaml",
      `name: crm-sync
trigger_type: post_call
workflow: { nodes: [{ name: first, type: n8n-nodes-base.noOp }], connections: {} }
test: { expect: result.status == "success" }
`,
    );
    await run("automation", "put", file, "--wait");
    const { workflow_id: id } = JSON.parse(await run("automation", "show", "crm-sync", "--json")) as {
      workflow_id: string;
    };
    change("failed");
    const failed = await platform.workflows.execute(id, { context_data: {}, execution_mode: "async" });
    const { page, leave } = await visit();
    await goTo(page, "Automations");
    await page.getByRole("link", { name: "crm-sync" }).click();
    const executions = page.getByRole("table", { name: "What it ran" });
    // No event tells of it, and it is asked for by the clock.
    await executions.getByText(given(failed.execution_id)).waitFor();
    await expectAccessibleInBoth(page);
    change("success");
    await executions.getByRole("button", { name: "Run it again" }).click();
    await answerDialog(page, "Run it again");
    const again = page.getByRole("table", { name: "What was run again" });
    await again.getByText(given(failed.execution_id)).waitFor();
    await again.locator(".pill", { hasText: "done" }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole("button", { name: "Test it" }).click();
    await answerDialog(page, "Test it");
    await page.getByText("Its last test succeeded:").waitFor();
    await page.getByRole("button", { name: "Deploy again" }).click();
    await answerDialog(page, "Deploy again");
    await expect
      .poll(async () => run("audit", "--json"))
      .toMatch(/automation\.test[^]*automation\.deploy|automation\.deploy[^]*automation\.test/);
    await leave();
    stage.sandbox.faults.remove(now);
  });

  it("has a trigger take no deliveries, and take them again", async () => {
    const file = stage.file(
      "started.yaml",
      `name: trial-started
auth: { scheme: bearer, secret: crm }
idempotency: { field: payload.id }
when: payload.type == "trial.started"
enroll: { sequence: trial-welcome, phone: payload.phone }
`,
    );
    await run("trigger", "put", file);
    const { page, leave } = await visit();
    await goTo(page, "Triggers");
    await page.getByRole("link", { name: "trial-started" }).click();
    const deliver = async (n: number) => {
      const sent = await fetch(`${address}/v1/triggers/trial-started`, {
        method: "POST",
        headers: { authorization: "Bearer a-secret-of-the-crm-83", "content-type": "application/json" },
        body: JSON.stringify({ id: n, type: "another" }),
      });
      return sent.status;
    };
    expect(await deliver(1)).toBe(202);
    await page.getByRole("button", { name: "Take no deliveries" }).click();
    await answerDialog(page, "Take no deliveries");
    await page.locator(".pill", { hasText: "off" }).waitFor();
    expect(await deliver(2)).toBe(409);
    await page.getByRole("button", { name: "Take deliveries again" }).click();
    await answerDialog(page, "Take deliveries again");
    await page.locator(".pill", { hasText: "on" }).first().waitFor();
    expect(await deliver(3)).toBe(202);
    await leave();
  });

  it("has a schedule that was changed on the platform put right", async () => {
    const file = stage.file(
      "nightly.yaml",
      `name: nightly
run: { automation: crm-sync }
cron: "30 2 * * *"
`,
    );
    await run("schedule", "put", file);
    const { page, leave } = await visit();
    // As it is shown once it was found changed there, which takes the platform's own scheduler.
    await page.route("**/v1/schedules/nightly", async (route) => {
      const answer = await route.fetch();
      const json: unknown = await answer.json();
      const drift = { found: "it runs at 3 there", found_at: new Date().toISOString(), repaired_at: null };
      await route.fulfill({ response: answer, json: { ...Object(json), drift } });
    });
    await goTo(page, "Schedules");
    await page.getByRole("link", { name: "nightly" }).click();
    await page.getByText("it runs at 3 there").waitFor();
    const asked = page.waitForRequest(/\/v1\/schedules\/nightly\/repair$/);
    await page.getByRole("button", { name: "Put it right" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Put it right" }).click();
    await asked;
    // It is as it was put in truth, and the server's own words say so.
    await dialog.getByText(/there is nothing to repair/).waitFor();
    await expectAccessibleInBoth(page);
    await leave();
  });

  it("sees how people went from step to step, and moves one of them to another version", async () => {
    const version = (days: number) =>
      stage.file(
        "renewal.yaml",
        `name: renewal
steps:
  - { id: begin, set: { plan: '"gold"' } }
  - { id: later, wait: { for: ${days}d } }
`,
      );
    await run("sequence", "put", version(1));
    await run("sequence", "enroll", "renewal", "--phone", "+12025550191");
    await expect.poll(async () => run("sequence", "status", "renewal", "--json")).toMatch(/"later": ?1/);
    await run("sequence", "put", version(2));
    const { page, leave } = await visit();
    await goTo(page, "Sequences");
    await page.getByRole("link", { name: "renewal" }).click();
    const ways = page.getByRole("table", { name: "From step to step" });
    await ways.getByRole("row", { name: /^begin 1 100\s?% later 1/ }).waitFor();
    await expectAccessibleInBoth(page);
    const chosen = page.getByRole("combobox", { name: /^Version/ });
    await chosen.selectOption("2");
    await page.getByText("Nobody has begun yet.").waitFor();
    await chosen.selectOption("1");
    await ways.getByRole("row", { name: /^later 1/ }).waitFor();
    await page.getByRole("table", { name: "Who is in it" }).getByRole("link", { name: "later" }).click();
    await page.getByRole("button", { name: "Move to another version" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: /^Version/ }).waitFor();
    await expectAccessibleInBoth(page);
    await answerDialog(page, "Move to another version", "the terms have changed");
    await page.getByRole("table", { name: "What happened" }).getByText("moved").waitFor();
    // There is one other still: the way back.
    await page.getByRole("button", { name: "Move to another version" }).click();
    await page.getByRole("heading", { name: "Move them from version 2 to another one?" }).waitFor();
    await leave();
  });

  it("sees on the overview what sequences and schedules do, and what campaigns call and cost", async () => {
    const sequence = stage.file(
      "welcome.yaml",
      "name: welcome\nsteps:\n  - { id: later, wait: { for: 1d } }\n",
    );
    await run("sequence", "put", sequence);
    const list = stage.listWhoAnswer(2);
    await run("campaign", "create", stage.spec("two calls"), "--contacts", list);
    await run("campaign", "start", "two calls");
    const { page, leave } = await visit();
    await page.getByLabel("Which campaigns").selectOption("all");
    const campaign = page.getByRole("table", { name: "Campaigns" }).getByRole("row", { name: /two calls/ });
    // Two calls within five minutes, where it is looked at in time.
    await campaign
      .getByRole("cell", { name: /^0(?:\.[24])?$/ })
      .first()
      .waitFor();
    await campaign.getByRole("cell", { name: /^\$\d/ }).waitFor();
    const sequences = page.getByRole("table", { name: "Sequences" });
    await sequences.getByRole("row", { name: /welcome.*active/ }).waitFor();
    const schedules = page.getByRole("table", { name: "Schedules" });
    await schedules.getByRole("row", { name: /nightly.*active/ }).waitFor();
    await expectAccessibleInBoth(page);
    await leave();
  });

  it("sees who is signed in, and ends a session, whose browser asks to sign in", async () => {
    const other = await visit(await tokenOf("left-open", "viewer"));
    const { page, leave } = await visit();
    await goTo(page, "Signed in");
    const row = page.getByRole("table", { name: "Who is signed in" }).getByRole("row", { name: /left-open/ });
    await row.getByRole("button", { name: "End it" }).click();
    await answerDialog(page, "End it", "a browser at the front desk");
    await row.waitFor({ state: "detached" });
    await page.getByText("this one").waitFor();
    await expectAccessibleInBoth(page);
    await goTo(other.page, "System");
    await other.page.getByText("Your session is over").waitFor();
    await other.page.context().close();
    await leave();
  });

  it("sees what waits for people, and examines the installation", async () => {
    const { page, leave } = await visit();
    await goTo(page, "System");
    await page.getByRole("region", { name: "Needs a person" }).waitFor();
    await page.getByRole("button", { name: "Examine the installation" }).click();
    await page
      .getByRole("table", { name: "What was found" })
      .getByRole("row", { name: /platform/ })
      .first()
      .waitFor();
    await expectAccessibleInBoth(page);
    await leave();
  });

  it("has no page of these that keeps anybody out, in the light or in the dark", expectAllLookedAt);

  it.each(
    ["viewer", "operator", "admin"].flatMap((role) => [
      { role, brand: [], of: "every brand" },
      { role, brand: ["--brand", "default"], of: "one brand" },
    ]),
  )("is shown nothing that the API refuses, as $role of $of", async ({ role, brand, of }) => {
    const { page, leave } = await visit(await tokenOf(`${role}-${of.replace(" ", "-")}`, role, ...brand));
    const refused: string[] = [];
    page.on("response", (answer) => {
      if ([401, 403].includes(answer.status())) refused.push(`${answer.request().method()} ${answer.url()}`);
    });
    const links = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").all();
    for (const link of links) {
      await link.click();
      await allThere(page);
      expect(await page.getByRole("heading", { name: "Not for your rights" }).count(), page.url()).toBe(0);
    }
    expect(refused).toEqual([]);
    await leave();
  });
});
