import { sql } from "drizzle-orm";
import { request } from "undici";

import { cursorOf } from "../src/http/cursor.ts";
import { rows, type Ledger } from "../src/ledger/ground/connection.ts";
import { enrolled, turn, written } from "../test/ledger/support/enrolling.ts";
import { fillCampaign, fillSequence } from "../test/ledger/support/filling.ts";
import { freshPhones, running } from "../test/ledger/support/scenario.ts";
import { phoneNumbers } from "../test/support/engine.ts";
import { given } from "../test/support/ledgers.ts";
import { openMeasuredSystem } from "./measured-system.ts";

export interface ListingsInput {
  /** Of one campaign. */
  contacts: number;
  /** Beside that one. */
  campaigns: number;
  /** Of one sequence. */
  enrolments: number;
  postgresUrl: string;
  cacheDir: string;
}

/** How long whoever looks at a large system waits. Milliseconds. */
export interface ListingsMeasure {
  /** Of each request: the median of some, and the longest of them, the first included. */
  answered: Record<string, { median: number; longest: number; bytes: number }>;
  exported: { firstRowMs: number; rows: number; rowsPerSecond: number };
}

/** So often each is asked for. */
const TIMES = 7;

export async function measureListings(input: ListingsInput): Promise<ListingsMeasure> {
  const { contacts, campaigns, enrolments } = input;
  const system = await openMeasuredSystem({ speed: 1, sandbox: { speed: 1 }, ...input });
  try {
    // As users have it: nobody counts its statements.
    system.settings["DATABASE_URL"] = system.databaseUrl;
    await system.start("server");
    const { ledger } = system;
    // Nobody plans them: no worker runs.
    for (let n = 0; n < campaigns; n += 1) await running(ledger, freshPhones(1), { name: `small ${n}` });
    const [person = ""] = phoneNumbers(1);
    const big = await running(ledger, [person], { name: "big" });
    const sequence = await written(ledger, [
      { id: "first", call: {} },
      { id: "second", call: {} },
    ]);
    const enrolmentId = await enrolled(ledger, sequence.name);
    const standingId = given((await turn(ledger, enrolmentId)).campaignIds[0]);
    await fillCampaign(ledger, big, contacts - 1);
    await fillSequence(ledger, { sequenceId: sequence.id, standingId }, enrolments / 2);
    await rows(ledger.db, sql`vacuum analyze`);
    const ofSequence = `/v1/sequences/${encodeURIComponent(sequence.name)}`;
    const paths = [
      "/v1/campaigns",
      `/v1/campaigns?skip=${campaigns - 20}`,
      "/v1/campaigns?open=true&standing=true&limit=500",
      "/v1/campaigns/big",
      "/v1/campaigns/big/progress",
      "/v1/campaigns/big/report",
      `/v1/campaigns/big/contacts/${encodeURIComponent(person)}/explanation`,
      ...(await campaignLists(ledger, big, contacts)),
      `/v1/contacts?phone=${encodeURIComponent(person)}`,
      "/v1/suppressions",
      "/v1/sequences",
      ofSequence,
      `${ofSequence}/enrolments`,
      `${ofSequence}/enrolments?state=active&step=first`,
      `${ofSequence}/enrolments?skip=${Math.round(enrolments * 0.9)}`,
      "/v1/follow-ups",
      "/v1/attention",
      "/v1/tags",
      "/v1/system",
    ];
    const shown = (path: string) =>
      path
        .replace(ofSequence, "/v1/sequences/:name")
        .replace(/after=[\w-]+/, "after=...")
        .replace(encodeURIComponent(person), ":phone");
    const answered: ListingsMeasure["answered"] = {};
    for (const path of paths) answered[shown(path)] = await time(`${system.url}${path}`);
    return { answered, exported: await timeExport(`${system.url}/v1/campaigns/big/results.csv`) };
  } finally {
    await system.close();
  }
}

/** Lists of a campaign's people and calls: their first pages, pages in their middle, and what is looked for in them. */
async function campaignLists(ledger: Ledger, campaignId: string, contacts: number): Promise<string[]> {
  const middle = await rows<{ contact: number; phone: string; batch: string; ms: number }>(
    ledger.db,
    sql`select c.id as contact, c.phone, b.id::text as batch, round(extract(epoch from b.planned_at) * 1000)::float8 as ms
        from contacts c join attempts a on a.contact_id = c.id join batches b on b.id = a.batch_id
        where c.campaign_id = ${campaignId}::uuid order by c.id offset ${Math.round(contacts / 3)} limit 1`,
  );
  const { contact, phone, batch, ms } = given(middle[0]);
  const behind = (...place: (string | number)[]) => `after=${cursorOf(place)}`;
  const of = "/v1/campaigns/big";
  return [
    `${of}/contacts`,
    `${of}/contacts?${behind(contact)}`,
    `${of}/contacts?state=done`,
    `${of}/contacts?state=open&${behind(contact)}`,
    `${of}/contacts?outcome=answered&${behind(contact)}`,
    `${of}/contacts?outcome=invalid_number`,
    `${of}/contacts?attempts=7`,
    `${of}/contacts?state=open&due_from=2030-01-01T00:00:00Z`,
    `${of}/contacts?phone=${encodeURIComponent(phone)}`,
    `${of}/contacts?phone_prefix=${encodeURIComponent(phone.slice(0, 9))}`,
    `${of}/contacts/${encodeURIComponent(phone)}`,
    `${of}/attempts`,
    `${of}/attempts?${behind(ms, batch, 0)}`,
    `${of}/calls?state=live`,
    `${of}/calls?disposition=invalid_number`,
    `${of}/batches`,
    `${of}/batches?unsettled=true`,
    `${of}/batches/${batch}`,
  ];
}

async function time(url: string): Promise<{ median: number; longest: number; bytes: number }> {
  const took: number[] = [];
  let bytes = 0;
  for (let n = 0; n < TIMES; n += 1) {
    const beganMs = performance.now();
    const { statusCode, body } = await request(url);
    const text = await body.text();
    took.push(performance.now() - beganMs);
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text.slice(0, 500)}`);
    bytes = text.length;
  }
  took.sort((a, b) => a - b);
  const at = (nth: number) => Math.round((took[nth] ?? 0) * 10) / 10;
  return { median: at(Math.floor(TIMES / 2)), longest: at(TIMES - 1), bytes };
}

async function timeExport(url: string): Promise<ListingsMeasure["exported"]> {
  const beganMs = performance.now();
  const { body } = await request(url, { bodyTimeout: 0 });
  let firstRowMs = 0;
  let lines = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf("\n"); at >= 0; at = chunk.indexOf("\n", at + 1)) lines += 1;
    // The first is of the columns' names.
    if (firstRowMs === 0 && lines > 1) firstRowMs = performance.now() - beganMs;
  }
  const tookMs = performance.now() - beganMs;
  return {
    firstRowMs: Math.round(firstRowMs),
    rows: lines,
    rowsPerSecond: Math.round((lines * 1_000) / tookMs),
  };
}
