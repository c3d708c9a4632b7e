import { Option } from "commander";
import fs from "node:fs";
import path from "node:path";

import type { CliCommand } from "../cli-command.ts";
import type { CampaignWire } from "../../http/wire/campaigns.ts";
import type { WithdrawalWire } from "../../http/wire/withdrawals.ts";
import type { Api } from "../api/client.ts";
import { faultOf, readMap } from "../contact-list.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { brandOption, jsonOption, mapOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { countText, numberText } from "../view/words.ts";

interface WithdrawOptions {
  brand: string;
  phone: readonly string[];
  contacts?: string;
  allOpen?: true;
  map: readonly string[];
  defaultRegion?: string;
  reason: string;
  json?: true;
}

/** What the API takes in one request. */
const A_REQUEST = 1_000;

/** Numbers and rows that are shown; `--json` has more. */
const SHOWN = 20;
const MOST_HANDED_BACK = 10_000;

const HELP = `
Whoever waits is excluded, as withdrawn. Of whoever may be ringing the call ends by itself, and no other follows, no
callback either. Other campaigns, later runs and sequences may still call them: that takes outdial suppress.
With a list the command exits with 2 where a row has no number; give it again after it was interrupted.

Examples:
  outdial campaign withdraw spring-renewal --phone +12025550143 --reason "renewed in the shop"
  outdial campaign withdraw spring-renewal --contacts renewed.csv --reason "renewed meanwhile"`;

const phoneOption = () =>
  new Option("--phone <number>", "somebody's number; again for each")
    .argParser((text: string, before: readonly string[]) => [...before, text])
    .default([], "none");

export function registerCampaignWithdraw(campaign: CliCommand): void {
  campaign
    .command("withdraw")
    .grave()
    .description("Takes people out of a campaign, and of its callbacks, while it goes on.")
    .argument("<campaign>", "its name or id")
    .addOption(brandOption())
    .addOption(phoneOption())
    .option("--contacts <list>", "CSV or NDJSON file with a column of phone numbers")
    .option("--all-open", "everybody who is not through yet; the campaign takes other lists as before")
    .requiredOption("--reason <text>", "why; it is kept with each of them")
    .addOption(mapOption())
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, ref: string, options: WithdrawOptions) => {
      const ways = [options.phone.length > 0, options.contacts !== undefined, options.allOpen === true];
      if (ways.filter(Boolean).length !== 1)
        throw new CliError("give one of --phone, --contacts and --all-open", EXIT.badInput);
      if (options.contacts !== undefined) await fs.promises.access(options.contacts);
      const done = await withRunningSystem(config, (api) => withdrawAll(api, ref, options));
      voice.tell(withdrawnText(done));
      voice.json(done);
      return done.rows.rejected === 0 ? EXIT.ok : EXIT.badInput;
    });
}

type Withdrawn = Omit<WithdrawalWire, "more"> & {
  rows: { read: number; rejected: number };
  rejected: { line: number; reason: string }[];
};

async function withdrawAll(api: Api, ref: string, options: WithdrawOptions): Promise<Withdrawn> {
  const { phone, contacts, reason, defaultRegion } = options;
  const campaign = await api.campaigns.get(ref, options.brand);
  const done: Withdrawn = {
    excluded: 0,
    ringing: 0,
    already: 0,
    over: 0,
    unknown: [],
    stopped_batches: 0,
    in_flight: { batches: 0, calls_up: 0, uncertain: 0 },
    rows: { read: 0, rejected: 0 },
    rejected: [],
  };
  const give = async (whom: { phones: readonly string[] } | { all_open: true }): Promise<boolean> => {
    const body = { ...whom, reason, default_region: defaultRegion };
    const { more, ...one } = await api.campaigns.withdraw(campaign.id, body);
    add(done, one);
    return more;
  };
  if (options.allOpen) while (await give({ all_open: true }));
  for (let from = 0; from < phone.length; from += A_REQUEST)
    await give({ phones: phone.slice(from, from + A_REQUEST) });
  if (contacts !== undefined) {
    for await (const phones of numbersOf(contacts, campaign, options, done)) await give({ phones });
  }
  return done;
}

function add(done: Withdrawn, one: Omit<WithdrawalWire, "more">): void {
  for (const count of ["excluded", "ringing", "already", "over", "stopped_batches"] as const)
    done[count] += one[count];
  for (const count of ["batches", "calls_up", "uncertain"] as const)
    done.in_flight[count] += one.in_flight[count];
  done.unknown.push(...one.unknown.slice(0, MOST_HANDED_BACK - done.unknown.length));
}

/** The numbers of a list, as many at a time as a request takes. */
async function* numbersOf(
  file: string,
  campaign: CampaignWire,
  { map, defaultRegion }: WithdrawOptions,
  done: Withdrawn,
): AsyncGenerator<readonly string[]> {
  const { openNumbers } = await import("../../contacts/read-numbers.ts");
  const region = defaultRegion ?? campaign.spec["default_region"];
  const name = path.basename(file);
  const opened = openNumbers(fs.createReadStream(file), {
    fileName: name,
    map: readMap(map),
    ...(typeof region === "string" && { defaultRegion: region }),
  });
  const { chunks } = await opened.catch((error: unknown) => {
    throw faultOf({ name }, error);
  });
  for await (const { rows } of chunks) {
    const phones: string[] = [];
    done.rows.read += rows.length;
    for (const row of rows) {
      if (row.kind === "numbers") phones.push(...row.phones);
      const unread = row.kind === "rejected" ? row : row.unread;
      if (unread === undefined) continue;
      done.rows.rejected += 1;
      const { line, reason } = unread;
      if (done.rejected.length < MOST_HANDED_BACK) done.rejected.push({ line, reason });
    }
    for (let from = 0; from < phones.length; from += A_REQUEST) yield phones.slice(from, from + A_REQUEST);
  }
  if (done.rows.read === 0)
    throw new CliError(
      `${name} has a header and no rows, and nobody was withdrawn: give the list that is meant, or --phone for single numbers`,
      EXIT.badInput,
    );
}

/** `1 was`, `2 were`. */
function people(count: number): string {
  return `${numberText(count)} ${count === 1 ? "was" : "were"}`;
}

/** What became of it, for people. */
function withdrawnText(done: Withdrawn): string[] {
  const { excluded, ringing, already, over, unknown, stopped_batches, rows, rejected } = done;
  const stopped =
    stopped_batches === 0
      ? ""
      : `; stopped ${countText(stopped_batches, "batch", "batches")} that had one of them`;
  return [
    `${countText(excluded, "contact")} withdrawn${stopped}`,
    ...(ringing > 0 ? [`${numberText(ringing)} more may be ringing: no other call follows`] : []),
    ...(over > 0 ? [`${people(over)} through already, and ${over === 1 ? "gets" : "get"} no callback`] : []),
    ...(already > 0 ? [`${people(already)} withdrawn before`] : []),
    ...(unknown.length > 0
      ? [`${countText(unknown.length, "number")} ${unknown.length === 1 ? "is" : "are"} not in the campaign:`]
      : []),
    ...shownOf(unknown),
    ...(rows.rejected > 0 ? [`${countText(rows.rejected, "row")} with what can't be read:`] : []),
    ...shownOf(
      rejected.map(({ line, reason }) => `line ${line}: ${reason}`),
      rows.rejected,
    ),
  ];
}

function shownOf(texts: readonly string[], count = texts.length): string[] {
  const more = count - Math.min(SHOWN, texts.length);
  return [
    ...texts.slice(0, SHOWN).map((text) => `  ${text}`),
    ...(more > 0 ? [`  and ${numberText(more)} more (--json has them)`] : []),
  ];
}
