import fs from "node:fs";
import path from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from "vitest";

import { given } from "../support/ledgers.ts";
import type { OutdialProcess } from "../support/processes.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import { closedPort, openStage, type Environment, type Stage } from "../system/support/stage.ts";
import {
  allThere,
  browserPath,
  expectAccessible,
  expectAccessibleInBoth,
  expectAllLookedAt,
  expectPagesAccessible,
  openBrowser,
  openPage,
  signInBy,
} from "./support.ts";

const AGENT = "11111111-1111-4111-8111-111111111111";
const ROOT = path.dirname(path.dirname(import.meta.dirname));

/** Answers a question that a button asks: with a reason, where one is wanted. */
async function answer(page: Page, button: string, reason?: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  if (reason !== undefined) await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

/** Goes on with the tabulator until it is there. */
async function tabTo(page: Page, link: Locator): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    if (await link.evaluate((element) => element === element.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the tabulator does not reach ${await link.innerText()}`);
}

/** What a browser has for `<audio>`. */
interface AudioElement {
  duration: number;
  currentTime: number;
  error: { message: string } | null;
  play(): Promise<void>;
  pause(): void;
  addEventListener(event: string, heard: () => void, options: { once: true }): void;
}

/** Plays a recording from its beginning, and then from near its end. */
async function listen(player: Locator): Promise<void> {
  await player.waitFor();
  const heard = await player.evaluate(async (element: AudioElement) => {
    const after = (event: string) =>
      new Promise<void>((resolve, reject) => {
        element.addEventListener(event, resolve, { once: true });
        element.addEventListener("error", () => reject(new Error(element.error?.message)), { once: true });
      });
    const runs = after("timeupdate");
    await element.play();
    await runs;
    const whole = element.duration;
    const found = after("seeked");
    element.currentTime = whole * 0.9;
    await found;
    element.pause();
    return { whole, at: element.currentTime / whole };
  });
  expect(heard.whole).toBeGreaterThan(1);
  expect(heard.at).toBeGreaterThan(0.8);
}

describe.skipIf(browserPath === undefined)("a day at the dashboard", () => {
  let stage: Stage;
  let browser: Browser;
  let server: OutdialProcess;
  let settings: Environment;
  let address: string;
  let hook: Receiver;

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
    server = stage.start(["server"], settings);
    address = `http://127.0.0.1:${port}`;
    await server.waitFor(new RegExp(address));
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    await hook.close();
  });

  const json = async <Answer>(args: readonly string[]): Promise<Answer> => {
    const { code, stdout, stderr } = await stage.outdial([...args, "--json"], settings);
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as Answer;
  };
  const tokenOf = async (name: string, role: string) =>
    (await json<{ secret: string }>(["token", "create", name, "--role", role, "--expires", "1d"])).secret;

  it("begins with a link that lets one browser in, once, and ends with signing out", async () => {
    const { url } = await json<{ url: string }>(["sign-in", "--name", "ann"]);
    const { page, trouble } = await openPage(browser, address);
    await page.goto(url);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(page.url(), "the code is not left in the address").not.toContain("sign-in");
    const other = await openPage(browser, address);
    await other.page.goto(url);
    await other.page.getByRole("status").filter({ hasText: /sign/i }).waitFor();
    await expectAccessible(other.page);
    await other.page.context().close();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You have signed out.").waitFor();
    await page.reload();
    await page.getByLabel("API token").waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("mends a bad list, starts it, listens to its first calls, pauses, amends, goes on, and stops everything", async () => {
    const undo = stage.slowCalls();
    // Whose call is listened to later.
    stage.sandbox.outcomes.force("+12025551003", [{ outcome: "answered", talk_ms: 30_000 }]);
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("olga", "admin"));
    await page.getByRole("link", { name: "New campaign" }).click();
    const people = Array.from({ length: 40 }, (_, n) => `+1202555${1000 + n},P${n}`);
    const write = (name: string, rows: readonly string[]) =>
      stage.file(name, ["phone,name", ...rows, ""].join("\n"));
    await page
      .getByLabel("Choose a file")
      .setInputFiles(write("people.csv", [...people, "12,Nobody", "call me,Ada"]));
    await page.getByLabel("Name", { exact: true }).fill("by hand");
    await page.getByLabel("Agent's id").fill(AGENT);
    await page.getByLabel("Numbers to call from, one a line").fill("+12025550100");
    await page.getByLabel("Lines at once").fill("4");
    await page.getByLabel("Calls to each at most").fill("1");
    await page.getByLabel("First calls that wait for approval").fill("2");
    await page.getByLabel("Country of numbers without +").fill("us");
    await page.getByLabel("Days").selectOption("every_day");
    await page.getByLabel("From", { exact: true }).fill("00:00");
    await page.getByLabel("To", { exact: true }).fill("23:59");
    await page.getByRole("button", { name: "Check the list" }).click();
    const problems = page.getByRole("table", { name: "Rows that make no contact" });
    await problems.getByRole("rowheader", { name: "43" }).waitFor();
    expect(await problems.getByRole("row").count()).toBe(3);
    await expectAccessible(page);
    await page.getByLabel("Choose a file").setInputFiles(write("people-mended.csv", people));
    await page.getByRole("button", { name: "Check the list" }).click();
    await page.getByRole("button", { name: "Create the campaign" }).click();
    await page.getByRole("heading", { name: "by hand", level: 1 }).waitFor();

    await page.getByRole("button", { name: "Start", exact: true }).click();
    await answer(page, "Start", "the list is good now");
    await page.getByRole("button", { name: "Approve the first calls" }).click();
    await expectAccessible(page);
    await answer(page, "Approve the first calls", "listened to both");
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    // A pause needs no reason: whoever must stop calls has no time for one.
    await answer(page, "Pause");
    await page.locator(".pill", { hasText: "paused" }).first().waitFor();

    await page.getByRole("link", { name: "Policy" }).click();
    const spec = page.getByRole("textbox", { name: "Its document (YAML)" });
    const text = await spec.inputValue();
    await spec.fill(text.replace("concurrency: 4", "concurrency: [4"));
    await page
      .getByRole("alert")
      .getByRole("button", { name: /^Line \d+$/ })
      .first()
      .click();
    await spec.fill(text.replace("concurrency: 4", "concurrency: 0"));
    await page.getByRole("button", { name: "Show who is affected" }).click();
    await page.getByRole("alert").getByText("concurrency").first().waitFor();
    await spec.fill(text.replace("concurrency: 4", "concurrency: 6"));
    await page.getByRole("button", { name: "Show who is affected" }).click();
    await page
      .getByRole("table", { name: "What it would do" })
      .getByRole("rowheader", { name: "concurrency" })
      .waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Amend", exact: true }).click();
    await answer(page, "Amend", "more lines");
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await answer(page, "Resume", "the script is right");
    await page.getByRole("link", { name: "Now", exact: true }).click();
    await page.getByText("of 6", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Stop all dialing" }).click();
    await answer(page, "Stop all dialing", "calls at night");
    await page.getByRole("alert").getByText("All dialing is stopped: calls at night").waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Let dialing go on" }).click();
    await answer(page, "Let dialing go on", "it is day");
    await page.getByText("All dialing is stopped").waitFor({ state: "detached" });
    undo();
    await page.getByText("completed").first().waitFor();
    const { contacts } = await json<{ contacts: { done: number; total: number } }>([
      "campaign",
      "status",
      "by hand",
    ]);
    expect(contacts).toMatchObject({ total: 40, done: 40 });
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("finds a person, tells everything about them, and keeps them from being called again", async () => {
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("paul", "operator"));
    await page.getByLabel("Find a person by number").fill("+1 202 555 1003");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "+12025551003", level: 1 }).waitFor();
    await page
      .getByText(/^called from \+12025550100/)
      .first()
      .waitFor();
    await page.getByText("These calls were made by a sandbox").waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "The call, with its transcript" }).first().click();
    await page.getByRole("heading", { name: "Call to +12025551003", level: 1 }).waitFor();
    await listen(page.getByLabel("Recording of the call to +12025551003"));
    await expectAccessible(page);
    await page.goBack();
    await page.getByRole("button", { name: "Never call again" }).click();
    await answer(page, "Never call again", "asked by mail");
    await page
      .getByText(/asked by mail/)
      .first()
      .waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("tries what failed after a call once more", async () => {
    hook.answer = () => ({ status: 500 });
    const action = `{ webhook: { url: "${hook.url}", retry: { max_tries: 1 } } }`;
    const spec = stage.spec("after calls", `follow_ups: [{ id: tell-crm, actions: [${action}] }]`);
    onTestFailed(() => void process.stderr.write(`${server.stdout()}\n${server.stderr()}\n`));
    await json(["campaign", "create", spec, "--contacts", stage.listWhoAnswer(2)]);
    await json(["campaign", "start", "after calls"]);
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("quinn", "operator"));
    await page.getByRole("link", { name: "After calls" }).click();
    await page.getByRole("link", { name: "1 failed" }).first().click();
    await page.getByRole("heading", { name: "webhook" }).waitFor();
    await expectAccessible(page);
    hook.answer = () => ({ status: 200 });
    await page.getByRole("button", { name: "Try again" }).click();
    await answer(page, "Try again", "the CRM is back");
    await page.locator(".pill", { hasText: "done" }).first().waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("puts a sequence into force from its document, with what is wrong at its lines, and draws it", async () => {
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("rosa", "operator"));
    await page.getByRole("link", { name: "Sequences" }).click();
    await page.getByRole("link", { name: "New sequence" }).click();
    const document = page.getByRole("textbox", { name: "Its document (YAML)" });
    const text = (await document.inputValue())
      .replace('agent_id: ""', `agent_id: ${AGENT}`)
      .replace('from_numbers: [""]', 'from_numbers: ["+12025550100"]');
    await document.fill(text.replace("for: 1d", "for: soon"));
    await page.getByRole("button", { name: "Put it in force" }).click();
    const line = 1 + text.split("\n").findIndex((one) => one.includes("for: 1d"));
    await page
      .getByRole("alert")
      .getByRole("button", { name: `Line ${line}` })
      .first()
      .click();
    await document.fill(text);
    await page.getByRole("button", { name: "Put it in force" }).click();
    await page.getByRole("status").getByRole("link", { name: "welcome" }).click();
    await page.getByRole("img", { name: /^Steps: welcome, call, later, done/ }).waitFor();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Enroll somebody" }).click();
    await page.getByRole("dialog").getByLabel("Number").fill("+12025559001");
    await answer(page, "Enroll somebody");
    await page.getByRole("link", { name: "+12025559001" }).waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("shows a viewer no whole number, nothing to press, and nothing that is an admin's", async () => {
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("vera", "viewer"));
    await page.getByLabel("Which campaigns").selectOption("all");
    await page.getByRole("link", { name: "by hand" }).click();
    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page.getByRole("table", { name: "Calls" }).waitFor();
    const shown = await page.getByRole("main").innerText();
    expect(shown).not.toMatch(/\+12025551\d{3}/);
    const buttons = await page.getByRole("button").allInnerTexts();
    expect(buttons.filter((name) => !/^(?:Dark|Light|Sign out|Back|Next)$/.test(name))).toEqual([]);
    for (const name of ["Audit", "People and tokens"])
      expect(await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).count()).toBe(
        0,
      );
    for (const place of ["/campaigns/new", "/tokens", "/calls/x", "/rules"]) {
      await page.goto(place);
      await page.getByRole("heading", { name: "Not for your rights" }).waitFor();
      expect(await page.getByRole("main").getByRole("button").count(), place).toBe(0);
    }
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("shows what somebody else does, without being asked", async () => {
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("ursula", "viewer"));
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    // Pages share answers: none is for this one that does not know of what it was told.
    const toldOf: (string | undefined)[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/v1/campaigns?")) toldOf.push(request.headers()["x-outdial-seen"]);
    });
    // The list of campaigns is asked for by nothing but the feed.
    const created = await stage.outdial(
      ["campaign", "create", stage.spec("by somebody else"), "--contacts", stage.list(1)],
      settings,
    );
    expect(created, created.stderr).toMatchObject({ code: 0 });
    await page.getByRole("link", { name: "by somebody else" }).waitFor();
    expect(toldOf.at(-1)).toMatch(/^[\w-]+$/);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("says that the feed is cut where the server is there, reads by the clock, and listens again once it can", async () => {
    const { page, trouble } = await openPage(browser, address);
    await page.route("**/v1/events/stream*", (route) => route.abort());
    await signInBy(page, await tokenOf("ines", "viewer"));
    await page.locator(".top .pill", { hasText: "feed cut" }).waitFor();
    await expectAccessible(page);
    const create = async (name: string) =>
      json(["campaign", "create", stage.spec(name), "--contacts", stage.list(1)]);
    await create("while the feed is cut");
    await page.getByRole("link", { name: "while the feed is cut" }).waitFor();
    await page.unroute("**/v1/events/stream*");
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    await create("once it is back");
    await page.getByRole("link", { name: "once it is back" }).waitFor();
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("has no page that keeps anybody out, in the light or in the dark, by keyboard too", async () => {
    const { page, trouble } = await openPage(browser, address);
    await signInBy(page, await tokenOf("sam", "admin"));
    for (const theme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: theme });
      const links = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").all();
      for (const link of links) {
        await tabTo(page, link);
        await page.keyboard.press("Enter");
        await expectAccessible(page);
      }
    }
    const { id } = await json<{ id: string }>(["campaign", "status", "by hand"]);
    const parts = ["", "/ahead", "/people", "/calls", "/batches", "/results", "/amend", "/events"];
    const { items } = await json<{ items: { id: string }[] }>(["follow-up", "list"]);
    await expectPagesAccessible(page, [
      "/campaigns/new",
      ...parts.map((part) => `/campaigns/${id}${part}`),
      `/people/${encodeURIComponent("+12025551003")}`,
      `/follow-ups/${given(items[0]).id}`,
    ]);
    await page.goto(`/people/${encodeURIComponent("+12025551003")}`);
    await page.getByRole("link", { name: "The call, with its transcript" }).first().click();
    await page.getByRole("heading", { name: "Call to +12025551003", level: 1 }).waitFor();
    await expectAccessibleInBoth(page);
    expectAllLookedAt();
    await page.setViewportSize({ width: 380, height: 800 });
    await page.goto("/");
    await page.getByRole("link", { name: "New campaign" }).waitFor();
    const width = await page.evaluate<number>("document.documentElement.scrollWidth");
    expect(width, "nothing has to be scrolled sideways on a phone").toBeLessThanOrEqual(380);
    expect(trouble).toEqual([]);
    await page.context().close();
  });

  it("asks whoever's token was revoked to sign in, at the next thing that they do", async () => {
    const { page } = await openPage(browser, address);
    await signInBy(page, await tokenOf("tina", "viewer"));
    await stage.outdial(["token", "revoke", "tina", "--reason", "she has left", "--yes"], settings);
    await page.getByRole("link", { name: "System" }).click();
    await page.getByText("Your session is over").waitFor();
    await page.context().close();
  });

  it("says that what it shows is old while the server is away, and goes on once it is back", async () => {
    const { page } = await openPage(browser, address);
    await signInBy(page, await tokenOf("uma", "viewer"));
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    // Nothing is asked for before that: what is to become old has to be there first.
    await page.getByRole("heading", { level: 1 }).waitFor();
    await allThere(page);
    await server.kill();
    await page.locator(".top .pill", { hasText: "feed cut" }).waitFor();
    await page
      .getByText(/What you see was read/)
      .first()
      .waitFor();
    server = stage.start(["server"], settings);
    await server.waitFor(new RegExp(address));
    await page.locator(".top .pill", { hasText: /live$/ }).waitFor();
    await page
      .getByText(/What you see was read/)
      .first()
      .waitFor({ state: "detached" });
    await page.context().close();
  });

  it("weighs less than 150 kB compressed at its first load, and asks no other host", () => {
    const dashboard = path.join(ROOT, "dist/dashboard");
    const index = fs.readFileSync(path.join(dashboard, "index.html"), "utf8");
    // What the page names is loaded at first, with what that imports; the rest comes with pages that need it.
    const waiting = [...index.matchAll(/"\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);
    const loaded = new Set<string>();
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (loaded.has(name)) continue;
      loaded.add(name);
      const text = fs.readFileSync(path.join(dashboard, "assets", name), "utf8");
      const imported = text.matchAll(/\b(?:import|from)\s*["']\.\/([^"']+\.js)["']/g);
      waiting.push(...[...imported].map(([, file = ""]) => file));
    }
    const bytes = [...loaded]
      .map((name) => path.join(dashboard, "assets", name))
      .reduce((sum, file) => sum + fs.statSync(fs.existsSync(`${file}.br`) ? `${file}.br` : file).size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(150_000);
    const scripts = fs.readdirSync(path.join(dashboard, "assets")).filter((name) => name.endsWith(".js"));
    expect(
      scripts.filter((name) => !loaded.has(name)),
      "editors are loaded by who opens them",
    ).not.toEqual([]);
  });
});
