import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startReceiver, type Receiver } from "../support/receiver.ts";
import { PATIENCE_MS } from "../support/until.ts";
import { closedPort, openStage, type Environment, type Stage } from "../system/support/stage.ts";
import { beginTask, browserPath, expectAccessible, openBrowser, openPage, signInBy } from "./support.ts";

/*
 * What people come to the dashboard with, done as somebody does it who has never seen it: from the page alone, from what
 * stands on it. Each ends with the answer in sight, or with the thing done.
 */

const HOUR_MS = 3_600_000;

/** An hour of every day that begins eleven hours from now in New York: they are closed for as long as a test takes. */
function hoursFarFromNow(): string {
  const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "America/New_York", hour: "2-digit" });
  const hour = Number(clock.format(new Date(Date.now() + 11 * HOUR_MS)));
  const two = (value: number) => String(value).padStart(2, "0");
  return `["${two(hour)}:00-${two(hour)}:45"]`;
}

async function answer(page: Page, button: string, reason?: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  if (reason !== undefined) await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

describe.skipIf(browserPath === undefined)("somebody who comes to the dashboard with a question", () => {
  let stage: Stage;
  let browser: Browser;
  let settings: Environment;
  let address: string;
  let hook: Receiver;
  let token: string;

  beforeAll(async () => {
    stage = await openStage();
    hook = await startReceiver();
    browser = await openBrowser();
    const port = await closedPort();
    settings = stage.settings(stage.dataDir(), {
      OUTDIAL_API_PORT: String(port),
      OUTDIAL_LOG_LEVEL: "info",
      OUTDIAL_OUTBOUND_ALLOW: "127.0.0.1",
    });
    const server = stage.start(["server"], settings);
    address = `http://127.0.0.1:${port}`;
    await server.waitFor(new RegExp(address));
    token = await tokenOf("ann");
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    await hook.close();
  });

  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await stage.outdial(args, settings);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const tokenOf = async (name: string, ...more: string[]) =>
    (
      JSON.parse(
        await run("token", "create", name, "--role", "operator", "--expires", "1d", ...more, "--json"),
      ) as {
        secret: string;
      }
    ).secret;
  const started = async (name: string, list: string, changes = "") => {
    await run("campaign", "create", stage.spec(name, changes), "--contacts", list);
    await run("campaign", "start", name);
  };
  const over = async (name: string) => {
    await expect
      .poll(async () => run("campaign", "status", name, "--json"), { timeout: PATIENCE_MS, interval: 1_000 })
      .toMatch(/"state": ?"completed"/);
  };
  const visit = async (by = token) => {
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

  it("sees why a campaign is slow: which hours hold its people back, how many, and until when", async () => {
    const hours = hoursFarFromNow();
    await started("slow one", stage.list(3), `window: { weekdays: ${hours}, weekend: ${hours} }`);
    const { page, leave } = await visit();
    const task = await beginTask(page);
    await page.getByRole("link", { name: "slow one" }).click();
    const holds = page.getByRole("region", { name: "What holds people back now" });
    await holds.getByText(/window: until/).waitFor();
    await page.getByRole("link", { name: "Why then, and what is ahead" }).click();
    const clock = page.getByRole("region", { name: "The next 24 hours, where people are" });
    await clock.getByText("3 people").waitFor();
    await clock.getByText(/^opens /).waitFor();
    await page.getByRole("region", { name: "When it ends" }).getByText("Everybody is through").waitFor();
    await task.end();
    await expectAccessible(page);
    await leave();
  });

  it("sees who was called twice this week, by whichever campaigns", async () => {
    const list = stage.listWhoAnswer(4);
    const once = "retry: { max_attempts: 1 }";
    await started("first round", list, once);
    await started("second round", list, once);
    for (const name of ["first round", "second round"]) await over(name);
    const { page, leave } = await visit();
    const task = await beginTask(page);
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "People", exact: true })
      .click();
    const table = page.getByRole("table", { name: "Who was called 2 times or more" });
    await table.getByRole("row").nth(4).waitFor();
    expect(await table.getByRole("row").count()).toBe(5);
    await task.end();
    await expectAccessible(page);
    await table.getByRole("link").first().click();
    await page
      .getByText(/^called from/)
      .nth(1)
      .waitFor();
    await leave();
  });

  it("looks at one of their brands at a time, where they are for several", async () => {
    await run("campaign", "create", stage.spec("of another", "brand: other"));
    const { page, leave } = await visit(await tokenOf("both", "--brand", "default", "--brand", "other"));
    const table = page.getByRole("table", { name: "Campaigns" });
    await page.getByLabel("Which campaigns").selectOption("all");
    await table.getByRole("link", { name: "first round" }).waitFor();
    expect(await table.getByRole("link", { name: "of another" }).count()).toBe(0);
    await page.getByLabel("Brand").selectOption("other");
    await table.getByRole("link", { name: "of another" }).waitFor();
    expect(await table.getByRole("link", { name: "first round" }).count()).toBe(0);
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: "People", exact: true })
      .click();
    await page
      .getByText(/^Nobody/)
      .first()
      .waitFor();
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    await expectAccessible(page);
    // Chosen once, and remembered.
    await page.reload();
    await expect.poll(() => page.getByLabel("Brand").inputValue()).toBe("other");
    await leave();
  });

  it("stops calls to a number everywhere", async () => {
    const { page, leave } = await visit();
    const task = await beginTask(page);
    await page.getByLabel("Find a person by number").fill("+1 202 555 8123");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Never call again" }).click();
    await answer(page, "Never call again", "asked by phone");
    await page
      .getByText(/asked by phone/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Not to be called" }).click();
    await page.getByRole("table", { name: "Numbers" }).getByText("+12025558123").waitFor();
    await task.end();
    await leave();
  });

  it("keeps a holiday of one state in the campaigns that call there, and one of all in all", async () => {
    await run("campaign", "create", stage.spec("bavaria"), "--contacts", stage.list(1));
    const { page, leave } = await visit();
    const task = await beginTask(page);
    await page.getByRole("link", { name: "Not to be called" }).click();
    const tomorrow = new Date(Date.now() + 24 * HOUR_MS).toISOString().slice(0, 10);
    const add = async (name: string) => {
      await page.getByRole("button", { name: "Add days off" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("What it is").fill(name);
      await dialog.getByLabel("From", { exact: true }).fill(tomorrow);
      return dialog;
    };
    const dialog = await add("Assumption Day");
    await dialog.getByLabel("some campaigns").check();
    await dialog.getByLabel("bavaria").check();
    await expectAccessible(page);
    await answer(page, "Add days off");
    await page.getByText("Campaigns that keep it: 1.").waitFor();
    await task.end();
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByRole("link", { name: "bavaria" }).click();
    await page.getByRole("link", { name: "Policy" }).click();
    const spec = await page.getByRole("textbox", { name: "Its document (YAML)" }).inputValue();
    expect(spec).toContain(`date: ${tomorrow}`);
    expect(spec).toContain("Assumption Day");
    await page.getByRole("link", { name: "Not to be called" }).click();
    await add("company outing");
    await answer(page, "Add days off");
    const outing = page.getByRole("listitem").filter({ hasText: "company outing: " });
    await outing.waitFor();
    await outing.getByRole("button", { name: "Take back" }).click();
    // What one has done oneself is seen at once, whatever others were answered a moment ago.
    const askedAnew = page.waitForRequest(
      (request) =>
        request.method() === "GET" &&
        request.url().includes("/v1/blackouts") &&
        request.headers()["cache-control"] === "no-cache",
    );
    await answer(page, "Take back", "it was put off");
    await askedAnew;
    await outing.waitFor({ state: "detached" });
    await leave();
  });

  it("sees what the CRM was not told when its hook failed, that nothing is lost, and tells it again", async () => {
    hook.answer = () => ({ status: 500 });
    const action = `{ webhook: { url: "${hook.url}", retry: { max_tries: 1 } } }`;
    const list = stage.listWhoAnswer(2);
    await started("hooked", list, `follow_ups: [{ id: tell-crm, actions: [${action}] }]`);
    await over("hooked");
    const { page, leave } = await visit();
    const task = await beginTask(page);
    await page.getByRole("link", { name: "After calls" }).click();
    await page.getByText("Nothing of it is lost").waitFor();
    await page.getByRole("link", { name: "1 failed" }).first().waitFor();
    hook.answer = () => ({ status: 200 });
    await page.getByRole("combobox", { name: "Which" }).selectOption("all");
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await answer(page, "Try again");
    await page.getByText("Nothing failed.").waitFor();
    await task.end();
    await leave();
  });

  it("maps a list's columns, mends a cell, sees doubles, rehearses it and starts it from there", async () => {
    const people = Array.from({ length: 12 }, (_, n) => `${n},P${n},+1202555${7000 + n},${7000 + n}`);
    const rows = [...people, "12,Ada,12,1", "13,P0 again,+12025557000,1", "14,Stopped,+12025558123,1"];
    const { page, leave } = await visit();
    await page.getByRole("link", { name: "New campaign" }).click();
    // Two columns could be the number: nothing is guessed.
    await page
      .getByLabel("Choose a file")
      .setInputFiles(stage.file("crm.csv", ["id,who,mobile,phone", ...rows, ""].join("\n")));
    await page.getByLabel("Name", { exact: true }).fill("from a crm");
    await page.getByLabel("Agent's id").fill("11111111-1111-4111-8111-111111111111");
    await page.getByLabel("Numbers to call from, one a line").fill("+12025550100");
    await page.getByLabel("Country of numbers without +").fill("us");
    await page.getByLabel("Days").selectOption("every_day");
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("To", { exact: true }).fill("23:59");
    await page.getByRole("button", { name: "Check the list" }).click();
    await page.getByRole("alert").getByText(/phone/).first().waitFor();
    await page.getByLabel("What mobile is").selectOption("phone");
    await page.getByLabel("What who is").selectOption("variable");
    await page.getByLabel("What the agent knows who by").fill("first_name");
    await page.getByRole("button", { name: "Check the list" }).click();
    await page.getByText("Rows whose number is in an earlier one: 1").waitFor();
    await page.getByText("Rows whose number must not be called: 1").waitFor();
    await page.getByText("13 · P0 again · +12025557000 · 1").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Mend this row" }).click();
    await page.getByRole("dialog").getByLabel("mobile").fill("+1 202 555 7099");
    await answer(page, "Put it in, and check again");
    await page.getByRole("table", { name: "Rows that make no contact" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Rehearse it" }).click();
    await page.getByRole("heading", { name: /^Calls by the hour/ }).waitFor();
    const unreached = page.getByRole("table", { name: "Who is not reached, and why" });
    await unreached.getByRole("rowheader", { name: "suppressed" }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Create and start it" }).click();
    await answer(page, "Create and start it");
    await page.getByRole("heading", { name: "from a crm", level: 1 }).waitFor();
    await page.locator(".pill", { hasText: "completed" }).first().waitFor();
    await page.getByRole("link", { name: "Results" }).click();
    await page.getByRole("table", { name: "How far people came, call by call" }).waitFor();
    await leave();
  });

  it("keeps what was being written when the session ends, and goes on with it", async () => {
    const secret = await tokenOf("bob");
    const { page } = await openPage(browser, address);
    await signInBy(page, secret);
    await page.getByRole("link", { name: "New campaign" }).click();
    await page.getByLabel("Name", { exact: true }).fill("half written");
    await page.context().clearCookies();
    // The next thing that is asked for finds that the session is over.
    await page.getByLabel("Find a person by number").focus();
    const again = page.getByRole("dialog");
    await expect
      .poll(
        async () => {
          await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
          return again.count();
        },
        { timeout: PATIENCE_MS },
      )
      .toBe(1);
    await again.getByText("What you were writing is still there.").waitFor();
    await expectAccessible(page);
    await again.getByLabel("API token").fill(secret);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "detached" });
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("half written");
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    await page.context().close();
  });

  it("goes on as whoever signed in in another tab of the browser, and says what it has not done", async () => {
    const { page, leave } = await visit();
    await page.getByRole("link", { name: "Not to be called" }).click();
    await page.getByRole("button", { name: "Suppress numbers" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Numbers, one a line").fill("+12025558155");
    await dialog.getByLabel(/^Reason/).fill("asked twice");
    const entered = await page.context().request.post("/v1/session", { data: { token } });
    expect(entered.status()).toBe(201);
    await dialog.getByRole("button", { name: "Suppress numbers" }).click();
    await dialog.getByText(/signed in in another tab/).waitFor();
    await answer(page, "Suppress numbers");
    await page.getByRole("table", { name: "Numbers" }).getByText("+12025558155").waitFor();
    await leave();
  });

  it("asks to sign in where somebody else did in another tab, and says that nothing was done", async () => {
    const { page, leave } = await visit();
    await page.getByRole("link", { name: "Not to be called" }).click();
    await page.getByRole("button", { name: "Suppress numbers" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Numbers, one a line").fill("+12025558157");
    await dialog.getByLabel(/^Reason/).fill("not by whoever came after");
    const other = await tokenOf("carol");
    const entered = await page.context().request.post("/v1/session", { data: { token: other } });
    expect(entered.status()).toBe(201);
    await dialog.getByRole("button", { name: "Suppress numbers" }).click();
    await page.getByText(/signed in in another tab of this browser\. Nothing was done/).waitFor();
    await page.getByLabel("API token").waitFor();
    expect(await run("suppress", "list", "--json")).not.toContain("+12025558157");
    await leave();
  });

  it("keeps a question open until it is told how it ended, and nobody for ever", async () => {
    const { page, leave } = await visit();
    await page.clock.install();
    await page.getByRole("link", { name: "Not to be called" }).click();
    await page.getByRole("button", { name: "Suppress numbers" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Numbers, one a line").fill("+12025558156");
    await dialog.getByLabel(/^Reason/).fill("asked by letter");
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route("**/v1/suppressions", async (route) => {
      if (route.request().method() === "POST") await held;
      await route.continue();
    });
    await dialog.getByRole("button", { name: "Suppress numbers" }).click();
    await dialog.getByRole("button", { name: "Under way…" }).waitFor();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "Leave it" }).click({ force: true });
    expect(await dialog.isVisible()).toBe(true);
    await page.clock.fastForward(20_000);
    await dialog.getByText(/^This takes long\. It may be done although you leave it/).waitFor();
    expect(await dialog.getByRole("button", { name: "Leave it" }).getAttribute("aria-disabled")).toBe(
      "false",
    );
    goOn();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("table", { name: "Numbers" }).getByText("+12025558156").waitFor();
    await leave();
  });

  it("asks for each answer once as it opens a page", async () => {
    const { page, leave } = await visit();
    // What the first opening of the page asks for is none of it.
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    await page.waitForLoadState("networkidle").catch(() => {});
    const asked = new Map<string, number>();
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/v1/")) asked.set(pathname + search, 1 + (asked.get(pathname + search) ?? 0));
    });
    await page.reload();
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    await page.getByRole("table", { name: "Campaigns" }).waitFor();
    await page.waitForLoadState("networkidle").catch(() => {});
    expect([...asked].filter(([, times]) => times > 1)).toEqual([]);
    expect(asked.size).toBeGreaterThan(3);
    await leave();
  });
});
