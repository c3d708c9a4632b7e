import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { startOutdial } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { endOf } from "../system/support/stage.ts";
import { browserPath, openBrowser, openPage, PICTURES, takePicture } from "./support.ts";

/*
 * The pictures of the documentation: the demo as whoever begins sees it. `npm run pictures` takes them; in every other
 * run each page is looked at by the tests beside this one.
 */
it.skipIf(browserPath === undefined || PICTURES === undefined)(
  "the demo shows itself while it runs, and whom it called",
  async () => {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-demo-"));
    onTestFinished(() => fs.rmSync(dataDir, { recursive: true, force: true }));
    const settings = { OUTDIAL_DATA_DIR: dataDir };
    const demo = startOutdial(["demo", "--keep"], settings);
    // By itself: Temporal's server, whose data it keeps, outlives one that is killed.
    onTestFinished(async () => void (await demo.end()));
    const browser = await openBrowser();
    onTestFinished(() => browser.close());

    const address = await until("the link that signs in", async () => {
      const args = ["sign-in", "--name", "ann", "--json"];
      const { code, stdout } = await endOf(startOutdial(args, settings), args.join(" "));
      return code === 0 && new URL((JSON.parse(stdout) as { url: string }).url);
    });
    const { page, trouble } = await openPage(browser, address.origin);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.goto(address.href);
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByRole("link", { name: "demo", exact: true }).first().click();
    await page.getByText(/^Ends by what is known now/).waitFor();
    // In the midst of it: some hundreds are through.
    await page.getByText(/^(?:2\d\d|1\d\d) still open$/).waitFor();
    await takePicture(page, "dashboard-campaign");
    await page.getByRole("link", { name: "Overview" }).click();
    // What it showed before the first call is asked for anew.
    await page
      .getByRole("row")
      .filter({ hasText: "demo" })
      .filter({ hasText: /\$[1-9]/ })
      .waitFor();
    await takePicture(page, "dashboard-overview");
    await page.getByRole("link", { name: "demo", exact: true }).first().click();
    await page.locator(".pill", { hasText: "completed" }).first().waitFor();

    await page.getByRole("link", { name: "Calls", exact: true }).click();
    await page.locator("tr", { hasText: "answered" }).getByRole("link").first().click();
    await page
      .getByText(/^called from/)
      .first()
      .waitFor();
    await takePicture(page, "dashboard-person");
    expect(trouble).toEqual([]);
  },
);
