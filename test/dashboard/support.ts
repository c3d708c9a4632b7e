import fs from "node:fs";
import path from "node:path";
import axe from "axe-core";
import { chromium, type Browser, type Page } from "playwright-core";
import { expect, onTestFailed } from "vitest";

import { PATIENCE_MS } from "../support/until.ts";
import { kindOf, KINDS_OF_PAGES } from "./kinds-of-pages.ts";

/**
 * The browser of the machine (Debian's package `chromium`); undefined: there is none, and what needs it is skipped,
 * loudly. In CI that is a failure.
 */
export const browserPath: string | undefined = find();

function find(): string | undefined {
  const named = process.env["OUTDIAL_TEST_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const found = folders
    .flatMap((folder) =>
      ["chromium", "chromium-browser", "google-chrome"].map((name) => path.join(folder, name)),
    )
    .find((file) => fs.existsSync(file));
  if (found !== undefined) return found;
  if (process.env["CI"])
    throw new Error("Chromium is not installed (apt-get install chromium), and in CI its tests must run");
  console.warn("Chromium is not installed (apt-get install chromium): tests of pages are skipped");
  return undefined;
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserPath ?? "",
    // Its sandbox wants rights that containers do not have; it loads what is on this machine alone.
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

/** A window of somebody who has not been here, and what went wrong in it. */
export async function openPage(
  browser: Browser,
  address: string,
): Promise<{ page: Page; trouble: string[] }> {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const trouble: string[] = [];
  onTestFailed(async ({ task }) => {
    const [error] = task.result?.errors ?? [];
    if (error) error.message += `\n${await shownOn(page)}\n${trouble.join("\n")}`;
  });
  page.on("pageerror", ({ message }) => trouble.push(message));
  page.on("console", (message) => {
    // Refused requests are told there, too, and are part of what is tried.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text()))
      trouble.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(address) && !/^(?:blob|data):/.test(request.url()))
      trouble.push(`asked another host: ${request.url()}`);
  });
  return { page, trouble };
}

/** What whoever has to find out why a test failed would have seen. */
async function shownOn(page: Page): Promise<string> {
  if (page.isClosed()) return `The page at ${page.url()} is closed.`;
  const shown = await page
    .locator("body")
    .innerText({ timeout: SHOWN_WITHIN_MS })
    .catch((error: unknown) => String(error));
  return `The page at ${page.url()} says:\n${shown.slice(0, MOST_SHOWN)}`;
}

const SHOWN_WITHIN_MS = 5_000;
const MOST_SHOWN = 3_000;

/** Where pictures for the documentation are put; undefined: none are taken. */
export const PICTURES = process.env["OUTDIAL_TEST_PICTURES"];

/** A picture of the page, of what the test is at, where pictures are wanted. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: path.join(PICTURES, `${name}.png`) });
}

/** Waits until nothing of the page is on its way any more. */
export async function allThere(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
}

/** What was looked at: of each file of tests its own, in whichever order they share a process. */
const looked = new Map<string, Set<string>>();

const ownLooks = () => {
  const file = path.basename(expect.getState().testPath ?? "").replace(/\..*/, "");
  const own = looked.get(file) ?? new Set<string>();
  looked.set(file, own);
  return { file, own };
};

/** Once a file has looked at its pages: whichever kinds of pages are its own, it has looked at in both themes. */
export function expectAllLookedAt(): void {
  const { file, own } = ownLooks();
  const missing = Object.keys(KINDS_OF_PAGES)
    .filter((kind) => KINDS_OF_PAGES[kind] === file)
    .flatMap((kind) => ["light", "dark"].map((theme) => `${kind} in the ${theme}`))
    .filter((look) => !own.has(look));
  expect(missing).toEqual([]);
}

/** Nothing on the page keeps anybody out, by axe's rules, once it is there. */
export async function expectAccessible(page: Page): Promise<void> {
  await allThere(page);
  const isDark = await page.evaluate<boolean>(`matchMedia("(prefers-color-scheme: dark)").matches`);
  const kind = kindOf(page.url());
  expect(kind, `the kind of ${page.url()}`).toBeDefined();
  ownLooks().own.add(`${kind} in the ${isDark ? "dark" : "light"}`);
  const found = await page.evaluate<string[]>(
    `${axe.source}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))`,
  );
  expect(found, page.url()).toEqual([]);
}

export async function signInBy(page: Page, token: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("API token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
}

/*
 * How long a task takes whoever does it, by the keystroke-level model (Card, Moran and Newell, 1980) and with the time in
 * which somebody who has never seen a page finds on it what they came for. No clock of the machine: the same everywhere.
 */

/** Seconds: a key of an average typist; pointing with a mouse; pressing its button; getting ready for that. */
const KLM = { key: 0.28, point: 1.1, press: 0.2, prepare: 1.35 };

/** Seconds in which somebody new to a page finds their way on it. */
const ORIENT = 5;

/** A task that was to be done within it. Seconds. */
const TASK_WITHIN = 60;

/** Counts from now on what whoever works on a page does: what is filled in is typed, what is followed is pointed at. */
export async function beginTask(page: Page): Promise<{ end: () => Promise<void> }> {
  await page.evaluate(`{
    window.done = { keys: 0, clicks: 0, pages: 1 };
    const { done } = window;
    const written = new WeakMap();
    let place = location.pathname;
    addEventListener("click", ({ isTrusted, target }) => {
      if (isTrusted) done.clicks += 1;
      // Where somebody writes after that, they have pointed there.
      if (isTrusted && !written.has(target)) written.set(target, target.value ?? "");
    }, true);
    addEventListener("keydown", ({ isTrusted, key }) => { if (isTrusted && key.length > 1) done.keys += 1; }, true);
    addEventListener("input", ({ target }) => {
      // One click opens it, and one chooses.
      if (target.tagName === "SELECT") done.clicks += 2;
      if (target.tagName === "SELECT" || ["checkbox", "radio"].includes(target.type)) return;
      if (!written.has(target)) done.clicks += 1;
      done.keys += Math.abs(target.value.length - (written.get(target) ?? "").length);
      written.set(target, target.value);
    }, true);
    new MutationObserver(() => {
      if (place !== location.pathname) { place = location.pathname; done.pages += 1; }
    }).observe(document, { subtree: true, childList: true });
  }`);
  return {
    async end() {
      const { keys, clicks, pages } =
        await page.evaluate<Record<"keys" | "clicks" | "pages", number>>("window.done");
      const seconds = pages * ORIENT + clicks * (KLM.prepare + KLM.point + KLM.press) + keys * KLM.key;
      expect(clicks + keys, "something was done").toBeGreaterThan(0);
      console.log(
        `${seconds.toFixed(0)} s by the keystroke-level model: ${expect.getState().currentTestName}`,
      );
      expect(seconds).toBeLessThan(TASK_WITHIN);
    },
  };
}

/** Answers a question that a button asks: with a reason, where one is wanted. */
export async function answerDialog(page: Page, button: string, reason?: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  if (reason !== undefined) await dialog.getByLabel(/^Reason/).fill(reason);
  await dialog.getByRole("button", { name: button, exact: true }).click();
  await dialog.waitFor({ state: "detached" });
}

/** The same of pages by their addresses, each in the light and in the dark, once all that they show is there. */
export async function expectPagesAccessible(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.goto(address);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await allThere(page);
    // Alerts with a title are of what could not be read; others are of what is written in a form.
    const failed = page.getByRole("alert").filter({ has: page.locator("strong") });
    expect(await failed.allInnerTexts(), address).toEqual([]);
    await expectAccessibleInBoth(page);
  }
}

/** The same, in the light and in the dark. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page);
  }
}
