import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

import { OPERATIONS } from "../../src/http/description/operations.ts";
import { SHARED_ROUTES } from "../../src/http/plugins/page-answers.ts";

const SOURCES = path.join(path.dirname(path.dirname(import.meta.dirname)), "dashboard/src");

/** What pages read, and each asks the ledger for by itself. */
const BY_ITSELF: Readonly<Record<string, string>> = {
  readCall: "the platform is asked, once a minute, and few look at one call at a time",
  readStory: "whoever reads it is written into the audit",
  listAudit: "of an admin, and asked for by nothing but looking again",
  readAutomation: "a read by its key, and few look at one automation at a time",
  listExecutions: "the platform is asked, and few look at one automation at a time",
  listSessions: "of an admin, and of a table that is small",
  listTokens: "of an admin, and asked for by nothing but looking again",
  listForgettings: "of an admin, and asked for by nothing but looking again",
  readForgetting: "of an admin, who looks for as long as one is under way",
};

/** The operations that are kept current, by the files that show them. */
function readings(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of fs.readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = fs.readFileSync(path.join(SOURCES, file), "utf8");
    for (const [, name] of text.matchAll(/useRead\(\s*"(\w+)"/g)) found.set(name ?? "", file);
  }
  return found;
}

const routeOf = new Map(Object.entries(OPERATIONS).map(([route, { id }]) => [id, route]));

it("whatever pages ask for again by themselves is answered once for all of them, or says why not", () => {
  const read = readings();
  expect([...read.keys()]).toEqual(expect.arrayContaining(["listCampaigns", "listCalls", "readCanary"]));
  const alone = [...read].filter(([name]) => {
    const [method, url = ""] = routeOf.get(name)?.split(" ") ?? [];
    return !(method === "GET" && SHARED_ROUTES.has(url)) && BY_ITSELF[name] === undefined;
  });
  expect(alone).toEqual([]);
});

it("nothing is excepted that no page reads, or that is shared all the same", () => {
  const read = readings();
  const stale = Object.keys(BY_ITSELF).filter(
    (name) => !read.has(name) || SHARED_ROUTES.has(routeOf.get(name)?.split(" ")[1] ?? ""),
  );
  expect(stale).toEqual([]);
});
