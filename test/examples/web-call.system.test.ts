import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { chromium, type Browser, type Page } from "playwright-core";

import { createPlatform, type PlatformClient } from "../../src/platform/index.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import { browserPath, expectAccessible } from "../dashboard/support.ts";
import { builtFolder } from "../support/build.ts";
import { livekitServer } from "../support/livekit.ts";

/* The page of examples/web-call, as somebody opens it: a real browser, a real LiveKit server, a microphone that beeps. */

const executable = await livekitServer();
const program = fileURLToPath(new URL("../../examples/web-call/server.mjs", import.meta.url));

/** A machine that has much else to do needs seconds for what takes a few hundred milliseconds. */
const BOUND_MS = 60_000;

/** The agent's hum is near 0.1, its silence less than a hundredth of this. */
const HEARD = 0.02;

describe.skipIf(executable === null || browserPath === undefined)("a web call in a browser", () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let platform: PlatformClient;
  let address: string;
  const ending: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    await builtFolder();
    // A second there is four of the call, and what follows the call is over in two.
    sandbox = await createSandbox({ speed: 4, rooms: { server: executable ?? "", patienceMs: BOUND_MS } });
    ending.push(() => sandbox.close());
    platform = createPlatform({ baseUrl: sandbox.url, apiKey: sandbox.apiKey });
    ending.push(() => platform.close());
    address = await startExample();
    browser = await chromium.launch({
      executablePath: browserPath ?? "",
      args: [
        // Its sandbox wants rights that containers do not have; it loads what is on this machine alone.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
      ],
    });
    ending.push(() => browser.close());
  });

  afterAll(async () => {
    for (const end of ending.toReversed()) await end();
  });

  async function startExample(): Promise<string> {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env["PATH"],
        PORT: "0",
        PLATFORM_BASE_URL: sandbox.url,
        PLATFORM_API_KEY: sandbox.apiKey,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const gone = new Promise<void>((resolve) => {
      child.once("close", () => resolve());
    });
    ending.push(() => {
      child.kill();
      return gone;
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (said += part));
    return await vi.waitFor(
      () => {
        const [, found] = /the page is at (\S+)/.exec(said) ?? [];
        expect(found, said).toBeDefined();
        return found ?? "";
      },
      { timeout: BOUND_MS, interval: 50 },
    );
  }

  async function openPage(): Promise<Page> {
    const page = await browser.newPage();
    onTestFinished(() => page.close());
    page.setDefaultTimeout(BOUND_MS);
    await page.goto(address);
    return page;
  }

  /** The loudest of the next two seconds, by the page's own measurement. */
  async function loudest(page: Page): Promise<number> {
    return await page.evaluate<number>(`new Promise((resolve) => {
      const meter = document.getElementById("level");
      let most = 0;
      const timer = setInterval(() => { most = Math.max(most, meter.value); }, 20);
      setTimeout(() => { clearInterval(timer); resolve(most); }, 2000);
    })`);
  }

  async function untilLoud(page: Page): Promise<number> {
    const level = await page.waitForFunction<number>(
      `(() => { const { value } = document.getElementById("level"); return value > ${HEARD} && value; })()`,
    );
    return await level.jsonValue();
  }

  /** What was on its way is heard to its end. */
  async function untilSilent(page: Page): Promise<void> {
    await page.waitForFunction(`document.getElementById("level").value < ${HEARD / 10}`);
  }

  /** The one that is up. */
  async function onlyCall(): Promise<string> {
    const { items } = await platform.calls.list({ status: "connected" });
    expect(items).toHaveLength(1);
    return items[0]?.call_id ?? "";
  }

  test("is heard, is spoken with, and ends when the page hangs up, with its duration", async () => {
    const page = await openPage();
    await expectAccessible(page);
    expect(await loudest(page)).toBe(0);
    const beforeMs = performance.now();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await untilLoud(page);
    await page.getByText("connected", { exact: true }).waitFor();
    const connectedMs = performance.now();
    const id = await onlyCall();
    // The greeting may have been over before there was a way for it to be read; this can't be.
    const lines = page.getByRole("listitem");
    await page.getByLabel("Write to the agent").fill("How much is it?");
    await page.keyboard.press("Enter");
    await lines.filter({ hasText: "dollars" }).waitFor();
    expect(await untilLoud(page)).toBeGreaterThan(HEARD);
    const leastS = (performance.now() - connectedMs) / 1_000;
    await page.getByRole("button", { name: "Hang up" }).click();
    await page.getByText("you hung up").waitFor();
    const ended = await platform.calls.waitUntilProcessed(id, { everyMs: 200, withinMs: BOUND_MS });
    const mostS = (performance.now() - beforeMs) / 1_000;
    expect(ended).toMatchObject({
      status: "ended",
      call_analysis: { disconnection_reason: "user_hangup" },
      transcript: [{ role: "agent" }, { role: "user", content: "How much is it?" }, { role: "agent" }],
    });
    expect(ended.duration_seconds).toBeGreaterThanOrEqual(Math.floor(leastS * 4));
    expect(ended.duration_seconds).toBeLessThanOrEqual(Math.ceil(mostS * 4));
    await untilSilent(page);
    expect(await loudest(page)).toBeLessThan(HEARD / 10);
  });

  test("that the platform ends is over on the page, which is silent then and may call again", async () => {
    const page = await openPage();
    const call = page.getByRole("button", { name: "Call", exact: true });
    await call.click();
    await untilLoud(page);
    await page.getByText("connected", { exact: true }).waitFor();
    await platform.calls.end(await onlyCall());
    await page.getByText("the call is over").waitFor();
    await untilSilent(page);
    expect(await loudest(page)).toBeLessThan(HEARD / 10);
    expect(await call.isEnabled()).toBe(true);
  });

  test("for which the microphone may not be used is over, on the page and at the platform", async () => {
    const page = await openPage();
    await page.addInitScript(
      `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException("no microphone", "NotAllowedError"))`,
    );
    await page.reload();
    const known = new Set((await platform.calls.list()).items.map(({ call_id: id }) => id));
    await page.getByRole("button", { name: "Call", exact: true }).click();
    await page.getByText("no call: no microphone").waitFor();
    const fresh = (await platform.calls.list()).items.filter(({ call_id: id }) => !known.has(id));
    expect(fresh).toHaveLength(1);
    // Before the room's patience is over: the page left.
    const withinMs = BOUND_MS * 0.75;
    await platform.calls.waitUntilEnded(fresh[0]?.call_id ?? "", { everyMs: 200, withinMs });
  });

  test("is not placed by pages of others", async () => {
    const before = await platform.calls.list();
    for (const headers of [{}, { "sec-fetch-site": "cross-site" }]) {
      const answer = await fetch(new URL("call", address), { method: "POST", headers });
      expect(answer.status).toBe(403);
    }
    expect((await platform.calls.list()).items).toHaveLength(before.items.length);
  });
});
