import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { callUs } from "../support/inbound-call.ts";
import { given } from "../support/ledgers.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { closedPort, openStage, type Stage } from "../system/support/stage.ts";
import {
  allThere,
  browserPath,
  expectAccessible,
  expectAllLookedAt,
  expectPagesAccessible,
  openBrowser,
  openPage,
  signInBy,
} from "./support.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";
const SECRET = "of-the-crm-that-nobody-guesses-7d1";

/** Answers a question that a button asks: with a reason, where one is wanted. */
async function answer(page: Page, button: string, reason?: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  if (reason !== undefined) await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

describe.skipIf(browserPath === undefined)("who writes at the dashboard", () => {
  let stage: Stage;
  let browser: Browser;
  let hook: Receiver;
  let address: string;
  let admin: string;

  beforeAll(async () => {
    stage = await openStage();
    hook = await startReceiver();
    browser = await openBrowser();
    const port = await closedPort();
    const settings = stage.settings(stage.dataDir(), {
      OUTDIAL_API_PORT: String(port),
      OUTDIAL_LOG_LEVEL: "info",
      OUTDIAL_OUTBOUND_ALLOW: "127.0.0.1",
      OUTDIAL_SECRET_CRM: SECRET,
    });
    const server = stage.start(["server"], settings);
    address = `http://127.0.0.1:${port}`;
    await server.waitFor(new RegExp(address));
    const created = ["token", "create", "ada", "--role", "admin", "--expires", "1d", "--json"];
    const { stdout, stderr } = await stage.outdial(created, settings);
    if (stdout === "") throw new Error(`no token was made: ${stderr}`);
    admin = (JSON.parse(stdout) as { secret: string }).secret;
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    await hook.close();
  });

  /** Asks the API as a program does: what the page is about is there at once. */
  async function api<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${address}/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${admin}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    expect(response.ok, text).toBe(true);
    return JSON.parse(text) as Answer;
  }

  const tokenOf = async (name: string, role: string) =>
    (await api<{ secret: string }>("POST", "tokens", { name, role })).secret;

  const signedIn = async (name: string, role: string) => {
    const opened = await openPage(browser, address);
    await signInBy(opened.page, await tokenOf(name, role));
    return opened;
  };

  const definitionOf = (name: string, waits: string) => ({
    name,
    agent_id: AGENT,
    from_numbers: ["+12025550100"],
    steps: [
      { id: "pause", wait: { for: waits } },
      { id: "end", exit: { outcome: "done" } },
    ],
  });

  const documentOf = (page: Page) => page.getByRole("textbox", { name: "Its document (YAML)" });

  it("keeps what was written where a link leads away, until it is put or begun anew", async () => {
    const { page, trouble } = await signedIn("wanda", "operator");
    const toNew = async () => {
      await page.getByRole("link", { name: "Sequences" }).click();
      await page.getByRole("link", { name: "New sequence" }).click();
    };
    await toNew();
    await page.getByRole("textbox", { name: "Agent's id" }).fill(AGENT);
    await page.getByRole("textbox", { name: "Agent's id" }).blur();
    await page.getByRole("link", { name: "Overview" }).click();
    await toNew();
    await page.getByText("This is what you wrote before").waitFor();
    await expect.poll(() => documentOf(page).inputValue()).toContain(`agent_id: "${AGENT}"`);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Start anew from what is there" }).click();
    await expect.poll(() => documentOf(page).inputValue()).not.toContain(AGENT);
    await page.getByRole("link", { name: "Overview" }).click();
    await toNew();
    await page.getByRole("textbox", { name: "Agent's id" }).waitFor();
    expect(await page.getByText("This is what you wrote before").count()).toBe(0);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("changes a sequence by fields, boxes and text, sees what is wrong at its box, rehearses it, and puts it", async () => {
    const { page, trouble } = await signedIn("rosa", "operator");
    await page.getByRole("link", { name: "Sequences" }).click();
    await page.getByRole("link", { name: "New sequence" }).click();
    const text = documentOf(page);

    // By fields: the text follows.
    await page.getByRole("textbox", { name: "Agent's id" }).fill(AGENT);
    await page.getByRole("textbox", { name: /^Numbers to call from/ }).fill("+12025550100");
    await page.getByRole("textbox", { name: /^Numbers to call from/ }).blur();
    await expect.poll(() => text.inputValue()).toContain(`agent_id: "${AGENT}"`);
    await page.getByText("Nothing is wrong with it.").waitFor();

    // By its boxes, with the keyboard alone: a step behind another, moved and taken out again.
    await page.getByRole("button", { name: "later: wait 1d" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Add a step behind it" }).selectOption("set");
    await page.getByRole("button", { name: "Add", exact: true }).first().click();
    await page.getByRole("button", { name: "set: set reminders" }).waitFor();
    await page.getByRole("button", { name: "Move down" }).click();
    await expect.poll(() => text.inputValue()).toMatch(/- id: done[\s\S]*- id: set/);
    await page.getByRole("button", { name: "Remove the step" }).click();
    await expect.poll(() => text.inputValue()).not.toContain("id: set");
    // Its way on went through the step that is gone, and leads on now.
    await page.getByText("Nothing is wrong with it.").waitFor();

    // What is wrong stands at its box, at the field, and at its line.
    await page.getByRole("button", { name: "later: wait 1d" }).click();
    await page.getByRole("textbox", { name: /^For/ }).fill("soon");
    await page.getByRole("button", { name: /^later: wait soon\. Problem: steps\[1\]\.wait\.for/ }).waitFor();
    await page.getByText("One problem").waitFor();
    await expectAccessible(page);
    await page
      .getByRole("alert")
      .getByRole("button", { name: /^Line \d+$/ })
      .click();
    expect(await page.evaluate<string>("document.activeElement.tagName")).toBe("TEXTAREA");

    // By its text: boxes and fields follow; a comment stays.
    const mended = (await text.inputValue()).replace("for: soon", "for: 2d");
    await text.fill(mended.replace("- id: later", "- id: later # a rest"));
    await page.getByRole("button", { name: "later: wait 2d" }).waitFor();
    await expect.poll(() => page.getByRole("textbox", { name: /^For/ }).inputValue()).toBe("2d");
    await page.getByRole("textbox", { name: "Name of the step" }).fill("rest");
    await page.getByRole("textbox", { name: "Name of the step" }).blur();
    await expect.poll(() => text.inputValue()).toContain("otherwise: rest");
    await expect.poll(() => text.inputValue()).toContain("# a rest");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => text.inputValue()).toContain("otherwise: later");
    await page.getByRole("button", { name: "Redo" }).click();
    await text.fill(`${await text.inputValue()}\nnonsense: [`);
    await page.getByText("The document is no YAML as it stands").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();

    // On a person, before anybody is in it.
    await page.getByRole("textbox", { name: "Number", exact: true }).fill("+12025550143");
    await page.getByRole("button", { name: "Rehearse", exact: true }).click();
    await page.getByRole("table", { name: "Ways that it may go" }).waitFor();
    await page.getByLabel("The way that is drawn").selectOption({ index: 1 });
    await page.locator(".diagram .arrow.on-way").first().waitFor({ state: "attached" });
    await expectAccessible(page);

    await page.getByRole("button", { name: "Put it in force" }).click();
    await page.getByRole("status").getByRole("link", { name: "welcome" }).click();
    await page.getByRole("img", { name: /^Steps: welcome, call, rest, done/ }).waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("puts nothing over what somebody else put meanwhile, before having seen it", async () => {
    const { id } = await api<{ id: string }>("PUT", "sequences", { definition: definitionOf("both", "1d") });
    const { page, trouble } = await signedIn("sven", "operator");
    await page.goto(`/sequences/${id}/edit`);
    await page.getByRole("button", { name: "pause: wait 1d" }).click();
    await page.getByRole("textbox", { name: /^For/ }).fill("3d");
    await api("PUT", "sequences", { definition: definitionOf("both", "2d") });
    await page.getByText("Nothing is wrong with it.").waitFor();
    await page.getByRole("button", { name: "Put it in force" }).click();
    await page.getByText("Version 2 was put meanwhile").waitFor();
    await page.getByText("What it says now").click();
    await page.getByLabel("What it says now").filter({ hasText: "for: 2d" }).waitFor();
    await expectAccessible(page);
    const newest = () => api<{ version: number; definition: { steps: unknown[] } }>("GET", `sequences/${id}`);
    expect((await newest()).version, "nothing was put").toBe(2);
    await page.getByRole("button", { name: "Put mine over it" }).click();
    await page.getByText("Version 3 is in force").waitFor();
    expect((await newest()).definition.steps[0]).toMatchObject({ wait: { for: "3d" } });
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("amends nothing over what somebody else amended meanwhile, before having seen it", async () => {
    const spec = {
      name: "amended by two",
      agent_id: AGENT,
      from_numbers: ["+12025550100"],
      window: "always",
      concurrency: 5,
    };
    const { id } = await api<{ id: string }>("POST", "campaigns", { spec });
    const { page, trouble } = await signedIn("alma", "operator");
    await page.goto(`/campaigns/${id}/amend`);
    const text = documentOf(page);
    await text.fill((await text.inputValue()).replace("concurrency: 5", "concurrency: 7"));
    const theirs = { ...spec, concurrency: 5, retry: { max_attempts: 4 } };
    await api("POST", `campaigns/${id}/amend`, { spec: theirs });
    // The page hears of it by itself; what is being written stays.
    await page.getByText("Version 2 of it was put in force meanwhile").waitFor();
    await expect.poll(() => text.inputValue()).toContain("concurrency: 7");
    await page.getByText("What it says now").click();
    await page.getByLabel("What it says now").filter({ hasText: "max_attempts: 4" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Begin again from it" }).click();
    await expect.poll(() => text.inputValue()).toContain("max_attempts: 4");
    await text.fill((await text.inputValue()).replace("concurrency: 5", "concurrency: 8"));
    await page.getByRole("button", { name: "Show who is affected" }).click();
    await page.getByRole("button", { name: "Amend", exact: true }).click();
    await answer(page, "Amend", "more lines");
    const now = await api<{ policy_version: number; spec: object }>("GET", `campaigns/${id}`);
    expect(now).toMatchObject({ policy_version: 3, spec: { concurrency: 8, retry: { max_attempts: 4 } } });
    expect(await page.getByText("was put in force meanwhile").count()).toBe(0);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("lets a viewer look at a sequence's document, and change nothing of it", async () => {
    const { page, trouble } = await signedIn("vera", "viewer");
    const { id } = await api<{ id: string }>("GET", "sequences/both");
    await page.goto(`/sequences/${id}/edit`);
    await page.getByRole("button", { name: "pause: wait 3d" }).click();
    expect(await page.getByRole("textbox", { name: /^For/ }).isDisabled()).toBe(true);
    expect(await documentOf(page).isEditable()).toBe(false);
    for (const name of ["Put it in force", "Add", "Undo", "Rehearse"])
      expect(await page.getByRole("button", { name, exact: true }).count(), name).toBe(0);
    expect(await page.getByRole("link", { name: "Try rules" }).count()).toBe(0);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("tries rules on calls that were, and has much done at once after them, counted first", async () => {
    hook.answer = () => ({ status: 500 });
    const action = { webhook: { url: hook.url, retry: { max_tries: 1 } } };
    const spec = {
      name: "by rules",
      agent_id: AGENT,
      from_numbers: ["+12025550100"],
      window: "always",
      concurrency: 5,
      default_region: "US",
      follow_ups: [{ id: "tell-crm", actions: [action] }],
    };
    const { id } = await api<{ id: string }>("POST", "campaigns", { spec });
    const people = Array.from({ length: 6 }, (_, n) => `+1202555${4000 + n}`);
    await uploaded(id, people);
    await api("POST", `campaigns/${id}/start`, { reason: "go" });
    const told = async (query: string) =>
      (await api<{ total: number }>("GET", `follow-ups?campaign=${id}&${query}`)).total;
    const isOver = async () => {
      const { state } = await api<{ state: string }>("GET", `campaigns/${id}`);
      const open = (await told("state=waiting")) + (await told("state=acting"));
      return state === "completed" && open === 0;
    };
    await expect.poll(isOver, { interval: 500 }).toBe(true);
    const failed = await told("failed=true");
    expect(failed, "so many that some are left after one was").toBeGreaterThan(2);

    const { page, trouble } = await signedIn("theo", "operator");
    await page.getByRole("link", { name: "Try rules" }).click();
    await page.getByRole("combobox", { name: "Campaign" }).selectOption(id);
    const rules = page.getByRole("textbox", { name: "Its document, with the rules to try (YAML)" });
    const written = `${await rules.inputValue()}\nanalysis: { rules: [{ when: "call.attempt >= 1", disposition: unknown }] }\n`;
    await rules.fill(written.replace("disposition: unknown", "disposition: nothing"));
    await page.getByRole("button", { name: "Try them on its calls" }).click();
    await page
      .getByRole("alert")
      .getByRole("button", { name: /^Line \d+$/ })
      .first()
      .waitFor();
    await rules.fill(written);
    await page.getByRole("button", { name: "Try them on its calls" }).click();
    const moves = page.getByRole("table", { name: "What changes" });
    await moves.getByRole("cell", { name: "unknown" }).first().waitFor();
    expect(
      await page
        .getByRole("table", { name: /^Call by call/ })
        .getByRole("row")
        .count(),
    ).toBe(7);
    await expectAccessible(page);

    await page.getByRole("link", { name: "After calls" }).click();
    await page.getByLabel(`All ${failed} on this page`).check();
    await page
      .getByRole("checkbox", { name: /^Choose After a call to/ })
      .first()
      .uncheck();
    hook.answer = () => ({ status: 200 });
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await page
      .getByRole("dialog")
      .getByText(`webhook: ${failed - 1}`)
      .waitFor();
    await expectAccessible(page);
    await answer(page, "Try again", "the CRM is back");
    await page
      .getByRole("status")
      .getByText(`${failed - 1} are done.`)
      .waitFor();
    await page.getByRole("row").nth(2).waitFor({ state: "detached" });
    await page.getByRole("combobox", { name: "Which" }).selectOption("all");
    await page.getByRole("button", { name: "Leave it undone" }).click();
    await page.getByRole("dialog").getByText("webhook: 1").waitFor();
    await answer(page, "Leave it undone", "told by hand");
    await page.getByText("Nothing failed.").waitFor();
    await page.getByLabel("Only those that are").selectOption("done");
    await page.getByRole("combobox", { name: "Which" }).selectOption("all");
    await page.getByRole("button", { name: "Do it again" }).click();
    await page
      .getByRole("dialog")
      .getByText(`webhook: ${failed - 1}`)
      .waitFor();
    await answer(page, "Do it again", "the CRM lost them");
    await page
      .getByRole("status")
      .getByText(`${failed - 1} are done.`)
      .waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("tries a trigger on what came in, and has what failed worked off again, counted first", async () => {
    const trigger = {
      name: "signed-up",
      auth: { scheme: "bearer", secret: "crm" },
      idempotency: { field: "payload.id" },
      enroll: { sequence: "not there yet", phone: "payload.phone" },
    };
    await api("PUT", "triggers", { definition: trigger });
    for (const n of [1, 2, 3]) {
      const sent = await fetch(`${address}/v1/triggers/signed-up`, {
        method: "POST",
        headers: { authorization: `Bearer ${SECRET}`, "content-type": "application/json" },
        body: JSON.stringify({ id: `${n}`, phone: `+1202555600${n}` }),
      });
      expect(sent.status).toBe(202);
    }
    await expect
      .poll(
        async () => (await api<{ failed_deliveries: number }>("GET", "triggers/signed-up")).failed_deliveries,
        { interval: 500 },
      )
      .toBe(3);

    const { page, trouble } = await signedIn("uwe", "operator");
    await page.getByRole("link", { name: "Try rules" }).click();
    await page.getByRole("link", { name: "Triggers" }).nth(1).click();
    await page.getByRole("combobox", { name: "Trigger" }).selectOption("signed-up");
    await page.getByRole("combobox", { name: "What came in" }).selectOption({ index: 1 });
    const body = page.getByRole("textbox", { name: "Body" });
    await expect.poll(() => body.inputValue()).toContain("+1202555600");
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText("is acted on").waitFor();
    await body.fill('{ "id": "4" }');
    await page.getByRole("button", { name: "Try it" }).click();
    await page.getByText(/finds no phone/).waitFor();
    await expectAccessible(page);

    const failed = await api<{ items: { id: string }[] }>(
      "GET",
      "triggers/signed-up/deliveries?state=failed",
    );
    await page.goto(`/deliveries/${given(failed.items[0]).id}`);
    await page.getByRole("button", { name: "Leave it undone" }).click();
    await page.getByRole("dialog", { name: "Leave it undone for good?" }).waitFor();
    await expectAccessible(page);
    await answer(page, "Leave it undone", "one of their tests");
    await page.getByText("one of their tests").waitFor();
    await page.getByText("ignored").first().waitFor();
    expect(await page.getByRole("button", { name: "Leave it undone" }).count()).toBe(0);

    await api("PUT", "sequences", { definition: definitionOf("not there yet", "1d") });
    await page.goto("/triggers/signed-up");
    await page.getByLabel("All 2 on this page").check();
    await page.getByRole("button", { name: "Work 2 chosen off again" }).click();
    await page.getByRole("dialog", { name: "Work 2 failed deliveries off again?" }).waitFor();
    await expectAccessible(page);
    await answer(page, "Work 2 chosen off again");
    await page.getByRole("status").getByText("2 are done.").waitFor();
    await expect
      .poll(
        async () => (await api<{ total: number }>("GET", "triggers/signed-up/deliveries?state=done")).total,
      )
      .toBe(2);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("has a person called back by a sequence, shows their way drawn, and forgets them with a certificate", async () => {
    const { page, trouble } = await signedIn("wilma", "admin");
    await page.goto(`/people/${encodeURIComponent("+12025554001")}`);
    await page.getByRole("button", { name: "Call back" }).click();
    await page.getByLabel("By the sequence").selectOption({ label: "both" });
    await expectAccessible(page);
    await answer(page, "Call back");
    await page.getByText("They have begun it:").waitFor();
    await page.getByRole("link", { name: "Their way through both, drawn" }).first().click();
    await page.getByRole("img", { name: /^Steps: both, pause, end/ }).waitFor();
    await page.locator(".diagram .box.on-way", { hasText: "pause" }).waitFor();
    await page.goBack();
    const callId = await callUs(stage.sandbox, "+12025554001");
    stage.sandbox.faults.add({ kind: "status", route: "DELETE /v1/calls/:id", status: 500, id: callId });
    await page.getByRole("button", { name: "Forget them" }).click();
    await page
      .getByRole("dialog")
      .getByText(/^At the platform: \d+ calls?/)
      .waitFor();
    await expectAccessible(page);
    await answer(page, "Forget them", "letter of today");
    await page.getByRole("heading", { name: "A person who is forgotten", level: 1 }).waitFor();
    await page.getByText(/^a number that ends with \d+$/).waitFor();
    await page.getByRole("heading", { name: "The certificate" }).waitFor({ timeout: PATIENCE_MS });
    await page.getByRole("table", { name: "What was removed" }).waitFor();
    const left = page.getByRole("table", { name: "What is to go and is asked for again until it is gone" });
    await left.getByRole("row", { name: `record of a call ${callId} the platform` }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Forgotten people" }).click();
    await page
      .getByRole("link", { name: /^a number that ends with \d+$/ })
      .first()
      .waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("keeps nobody out of what is written in, in the light and in the dark, and on a phone", async () => {
    const { page, trouble } = await signedIn("xenia", "admin");
    const { id } = await api<{ id: string }>("GET", "sequences/both");
    const [delivery, forgetting] = await Promise.all(
      ["triggers/signed-up/deliveries", "forgettings"].map(async (path) => {
        const { items } = await api<{ items: { id: string }[] }>("GET", path);
        return given(items[0]).id;
      }),
    );
    await expectPagesAccessible(page, [
      `/sequences/${id}/edit`,
      "/sequences/new",
      "/rules",
      "/rules/triggers",
      "/forgettings",
      `/forgettings/${forgetting}`,
      "/triggers/signed-up",
      `/deliveries/${delivery}`,
    ]);
    expectAllLookedAt();
    await page.setViewportSize({ width: 380, height: 800 });
    for (const path of [`/sequences/${id}/edit`, "/rules"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await allThere(page);
      const width = await page.evaluate<number>("document.documentElement.scrollWidth");
      expect(width, `${path} is not scrolled sideways`).toBeLessThanOrEqual(380);
    }
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  async function uploaded(id: string, people: readonly string[]): Promise<void> {
    const list = `phone\n${people.join("\n")}\n`;
    const digest = Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(list))).toString("hex");
    const taken = await fetch(
      `${address}/v1/campaigns/${id}/contacts?source_name=people.csv&digest=${digest}`,
      {
        method: "POST",
        headers: { authorization: `Bearer ${admin}`, "content-type": "text/csv" },
        body: list,
      },
    );
    expect(taken.ok, await taken.text()).toBe(true);
  }
});
