import { sql } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { Agent, request } from "undici";

import { rows } from "../src/ledger/ground/connection.ts";
import { writeEvent } from "../src/ledger/ground/write-events.ts";
import { fillCampaign } from "../test/ledger/support/filling.ts";
import { freshPhones, running } from "../test/ledger/support/scenario.ts";
import { openBrowser } from "../test/dashboard/support.ts";
import { between, openMeasuredSystem, type MeasuredSystem } from "./measured-system.ts";

export interface DashboardInput {
  /** Of one campaign. */
  contacts: number;
  /** Beside that one. */
  campaigns: number;
  /** Pages that are open at a time. */
  pages: number;
  /** For so long statements are counted. */
  seconds: number;
  postgresUrl: string;
  cacheDir: string;
}

interface Times {
  median: number;
  longest: number;
}

/** How long whoever looks at a large system waits for its pages. Milliseconds, bytes as they were sent. */
export interface DashboardMeasure {
  firstLoadBytes: number;
  /** From the arrival of the last answer that it shows to the page that shows it. */
  shown: { overview: Times; campaign: Times };
  /** From the click to the page that shows it, answers included. */
  whole: { overview: Times; campaign: Times };
  /** A person's story by its number, at the server. */
  person: Times;
  /** What is ahead of the large campaign: asked for the first time, and while it is kept. */
  outlook: { first: number; kept: number };
  /**
   * Statements a minute that the ledger had: with no page, with one of the campaign's, with many of it; and what the many
   * asked meanwhile. Something happens in the campaign each second.
   */
  statementsAMinute: { none: number; one: number; many: number; pages: number; asked: number };
}

/** So often each is opened. */
const TIMES = 7;

export async function measureDashboard(input: DashboardInput): Promise<DashboardMeasure> {
  const system = await openMeasuredSystem({ speed: 1, sandbox: { speed: 1 }, ...input });
  const browser = await openBrowser();
  try {
    await system.start("server");
    const { ledger } = system;
    for (let n = 0; n < input.campaigns; n += 1)
      await running(ledger, freshPhones(1), { name: `small ${n}` });
    const big = await running(ledger, freshPhones(1), { name: "big" });
    await fillCampaign(ledger, big, input.contacts - 1);
    await rows(ledger.db, sql`vacuum analyze`);
    const { page, firstLoadBytes } = await signIn(browser, system);
    const overview = await openOften(page, "/", {
      is: "main table tbody tr",
      of: "/v1/campaigns?",
    });
    const campaign = await openOften(page, `/campaigns/${big}`, {
      is: "main .figures .figure",
      of: "/progress",
    });
    const outlookUrl = `${system.url}/v1/campaigns/${big}/outlook`;
    const outlook = { first: await timeOf(outlookUrl), kept: await timeOf(outlookUrl) };
    const people: number[] = [];
    for (let n = 0; n < 3 * TIMES; n += 1)
      people.push(await timeOf(`${system.url}/v1/people/%2B49${1_000_000_000 + n * 997 + 1}/story`));
    return {
      firstLoadBytes,
      shown: { overview: overview.shown, campaign: campaign.shown },
      whole: { overview: overview.whole, campaign: campaign.whole },
      person: timesOf(people),
      outlook,
      statementsAMinute: await countStatements(system, { page, big, ...input }),
    };
  } finally {
    await browser.close();
    await system.close();
  }
}

async function makeToken({ url }: MeasuredSystem, name: string): Promise<string> {
  const { statusCode, body } = await request(`${url}/v1/tokens`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name, role: "admin" }),
  });
  const answer = await body.text();
  if (statusCode !== 201) throw new Error(`a token was refused: ${answer}`);
  return (JSON.parse(answer) as { secret: string }).secret;
}

async function signIn(
  browser: Browser,
  system: MeasuredSystem,
): Promise<{ page: Page; firstLoadBytes: number }> {
  const context = await browser.newContext({ baseURL: system.url, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await watchShown(page);
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (finished) => {
    if (!new URL(finished.url()).pathname.startsWith("/v1/"))
      sizes.push(finished.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto("/");
  await page.getByLabel("API token").fill(await makeToken(system, "bench"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator("main table tbody tr").first().waitFor();
  const bytes = await Promise.all(sizes);
  return { page, firstLoadBytes: bytes.reduce((sum, one) => sum + one, 0) };
}

/** When something was on the page for the first time, and drawn: a mark of that name, once. */
async function watchShown(page: Page): Promise<void> {
  await page.addInitScript(`
    window.watchFor = (selector) => {
      performance.clearMarks("shown");
      performance.clearResourceTimings();
      const look = () => {
        if (!document.querySelector(selector)) return requestAnimationFrame(look);
        requestAnimationFrame(() => performance.mark("shown"));
      };
      look();
    };
    document.addEventListener("DOMContentLoaded", () => {
      const selector = sessionStorage.getItem("watch-for");
      if (selector) window.watchFor(selector);
    });
  `);
}

/** Opens a page again and again, as whoever comes by a link. */
async function openOften(
  page: Page,
  path: string,
  { is, of }: { is: string; of: string },
): Promise<{ shown: Times; whole: Times }> {
  const shown: number[] = [];
  const whole: number[] = [];
  await page.evaluate(`sessionStorage.setItem("watch-for", ${JSON.stringify(is)})`);
  for (let n = 0; n < TIMES; n += 1) {
    await page.goto(path);
    // By the protocol: the page lets nothing be evaluated in it.
    while (!(await page.evaluate<boolean>(`performance.getEntriesByName("shown").length > 0`)))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const { shownMs, answeredMs } = await page.evaluate<{ shownMs: number; answeredMs: number }>(`({
      shownMs: performance.getEntriesByName("shown")[0].startTime,
      answeredMs: Math.min(...performance.getEntriesByType("resource")
        .filter(({ name, responseEnd }) => name.includes(${JSON.stringify(of)}) && responseEnd > 0)
        .map(({ responseEnd }) => responseEnd)),
    })`);
    shown.push(shownMs - answeredMs);
    whole.push(shownMs);
  }
  return { shown: timesOf(shown), whole: timesOf(whole) };
}

async function timeOf(url: string): Promise<number> {
  const beganMs = performance.now();
  const { statusCode, body } = await request(url, { bodyTimeout: 0, headersTimeout: 0 });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 500)}`);
  return Math.round((performance.now() - beganMs) * 10) / 10;
}

function timesOf(values: readonly number[]): Times {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (nth: number) => Math.round((sorted[nth] ?? 0) * 10) / 10;
  return { median: at(Math.floor(sorted.length / 2)), longest: at(sorted.length - 1) };
}

interface Counting {
  page: Page;
  big: string;
  pages: number;
  seconds: number;
}

/**
 * What the ledger is asked while pages of the large campaign are open, and something happens in it each second. One is a
 * browser's; of many, the others listen to the feed as that one does, and ask what that one was seen to ask, as soon after
 * an event: two hundred browsers have no room on one machine.
 */
async function countStatements(
  system: MeasuredSystem,
  { page, big, pages, seconds }: Counting,
): Promise<DashboardMeasure["statementsAMinute"]> {
  const happening = happenEachSecond(system, big);
  try {
    const during = async () => {
      const before = await system.spent();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      return Math.round((between(before, await system.spent()).statements * 60) / seconds);
    };
    await page.goto("about:blank");
    const none = await during();
    await page.goto(`/campaigns/${big}`);
    await page.locator("main .figures .figure").first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, PAGE_GATHERS_MS * 2));
    const asked = new Set<string>();
    page.on("request", (one) => {
      const { pathname, search } = new URL(one.url());
      if (pathname.startsWith("/v1/") && !pathname.endsWith("/stream")) asked.add(pathname + search);
    });
    const one = await during();
    page.removeAllListeners("request");
    const others = await Promise.all(
      Array.from({ length: pages - 1 }, (_, n) =>
        playPage(system, { name: `bench-${n}`, paths: [...asked] }),
      ),
    );
    try {
      await new Promise((resolve) => setTimeout(resolve, PAGE_GATHERS_MS * 2));
      const many = await during();
      const failures = others.flatMap(({ failures: ofOne }) => ofOne);
      if (failures.length > 0) throw new Error(`pages were refused: ${failures.slice(0, 3).join("; ")}`);
      return { none, one, many, pages, asked: others.reduce((sum, { count }) => sum + count(), 0) };
    } finally {
      for (const other of others) other.close();
    }
  } finally {
    clearInterval(happening);
  }
}

const BROWSERS_CONNECTIONS = 6;

/** As a page gathers what it is told (dashboard/src/api/live.ts). */
const PAGE_GATHERS_MS = 2_000;

function happenEachSecond({ ledger }: MeasuredSystem, campaignId: string): NodeJS.Timeout {
  const event = {
    type: "campaign.amended" as const,
    campaignId,
    data: { actor: "bench", reason: null, version: 1, fields: [] },
  };
  return setInterval(() => void ledger.transaction((tx) => writeEvent(tx, event, Date.now())), 1_000);
}

async function beginSession(system: MeasuredSystem, name: string): Promise<string> {
  const token = await makeToken(system, name);
  const { statusCode, headers, body } = await request(`${system.url}/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const answer = await body.text();
  if (statusCode !== 201) throw new Error(`a session was refused: ${answer}`);
  return String(headers["set-cookie"]).split(";")[0] ?? "";
}

/**
 * A page without a browser, of somebody of their own: it is told of events, and asks for everything some two seconds after
 * the first of them.
 */
async function playPage(
  system: MeasuredSystem,
  { name, paths }: { name: string; paths: readonly string[] },
): Promise<{ close: () => void; count: () => number; failures: string[] }> {
  const { url } = system;
  const cookie = await beginSession(system, name);
  // As many connections as a browser opens to one address; the feed has one of them.
  const dispatcher = new Agent({ connections: BROWSERS_CONNECTIONS });
  const failures: string[] = [];
  let asked = 0;
  let seen: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const ask = async (path: string) => {
    asked += 1;
    const answer = await request(`${url}${path}`, {
      dispatcher,
      headers: { cookie, ...(seen !== undefined && { "x-outdial-seen": seen }) },
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) failures.push(`${path} answered ${answer.statusCode}`);
  };
  const askAll = async () => {
    timer = undefined;
    await Promise.all(paths.map(ask));
  };
  const feed = await request(`${url}/v1/events/stream`, { dispatcher, headers: { cookie }, bodyTimeout: 0 });
  if (feed.statusCode !== 200) throw new Error(`the feed answered ${feed.statusCode}`);
  feed.body.on("error", () => {});
  feed.body.on("data", (chunk: Buffer) => {
    const text = chunk.toString();
    // What the stream says of itself has no dot.
    if (!/^event: .*\./m.test(text)) return;
    seen = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? seen;
    timer ??= setTimeout(
      () => void askAll().catch((error: unknown) => failures.push(String(error))),
      PAGE_GATHERS_MS,
    );
  });
  return {
    count: () => asked,
    failures,
    close() {
      clearTimeout(timer);
      feed.body.destroy();
      void dispatcher.destroy();
    },
  };
}
