import { Option } from "commander";

import { CONTACT_STATES } from "../../domain/campaigns/contact-state.ts";
import { BATCH_STATES } from "../../domain/campaigns/batch-state.ts";
import { DISPOSITIONS } from "../../domain/policy/disposition.ts";
import type { AttemptWire, BatchWire, ContactWire } from "../../http/wire/campaigns/contacts.ts";
import type { Api } from "../api/client.ts";
import type { CliCommand } from "../cli-command.ts";
import { brandOption, instant, jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { provenMoment } from "../view/local-times.ts";
import { listing } from "../view/report.ts";

interface Page<Item> {
  items: Item[];
  next_after: string | null;
}

/** How a list is asked for and shown. */
interface Listed<Item> {
  name: string;
  description: string;
  options: readonly Option[];
  ask: (
    campaigns: Api["campaigns"],
    ref: string,
    query: Record<string, string | number | boolean | undefined>,
  ) => Promise<Page<Item>>;
  nothing: string;
  header: readonly string[];
  row: (item: Item) => string[];
}

/** Who is in a campaign, its calls, and the batches in which they are made. */
export function registerCampaignLists(campaign: CliCommand): void {
  register(campaign, CONTACTS);
  register(campaign, CALLS);
  register(campaign, BATCHES);
}

const phoneOption = () => new Option("--phone <phone>", "only this number");
const dispositionOption = (flags: string, what: string) => new Option(flags, what).choices([...DISPOSITIONS]);

const CONTACTS: Listed<ContactWire> = {
  name: "contacts",
  description: "Lists a campaign's contacts, in the order in which they came in.",
  options: [
    new Option("--state <state>", "only those in this state").choices([...CONTACT_STATES]),
    dispositionOption("--outcome <outcome>", "only those who are done, and came to this"),
    new Option("--reason <reason>", "only those who are excluded, or done, for this reason"),
    dispositionOption("--last-disposition <word>", "only those whose last call came to this"),
    new Option("--attempts <n>", "only those with so many calls").argParser(wholeNumber(0, 1_000)),
    new Option("--due-from <time>", "only those who are open and due from then on").argParser(instant),
    new Option("--due-before <time>", "only those who are open and due before then").argParser(instant),
    new Option("--refused-by <rule>", "only those whom this rule of the gate kept from being called"),
    phoneOption(),
    new Option("--phone-prefix <digits>", "only numbers that begin so, such as +1202"),
  ],
  ask: (campaigns, ref, query) => campaigns.contacts(ref, query),
  nothing: "no such contacts",
  header: ["phone", "state", "came to", "calls", "last call", "due"],
  row: (contact) => [
    contact.phone,
    contact.state,
    contact.outcome ?? contact.reason ?? "",
    String(contact.attempts),
    contact.last_disposition ?? "",
    contact.due_at === null ? (contact.held ? "held" : "") : provenMoment(contact.due_at, contact.zones),
  ],
};

const CALLS: Listed<AttemptWire> = {
  name: "calls",
  description: "Lists a campaign's calls that are under way or are over, the newest batches first.",
  options: [
    new Option("--state <state>", "only those that are under way, or over").choices(["live", "ended"]),
    dispositionOption("--disposition <disposition>", "only those that came to this"),
    phoneOption(),
  ],
  ask: (campaigns, ref, query) => campaigns.calls(ref, query),
  nothing: "no such calls",
  header: ["phone", "call", "came to", "began", "seconds", "from", "id"],
  row: (call) => [
    call.phone,
    `${call.attempt_no}: ${call.state}`,
    call.disposition ?? (call.state === "ended" ? "not known yet" : ""),
    call.started_at === null ? "" : provenMoment(call.started_at, call.zones),
    call.duration_seconds === null ? "" : String(Math.round(call.duration_seconds)),
    call.from_number,
    call.call_id ?? "",
  ],
};

const BATCHES: Listed<BatchWire> = {
  name: "batches",
  description: "Lists a campaign's batches, the newest first.",
  options: [
    new Option("--state <state>", "only those in this state").choices([...BATCH_STATES]),
    new Option("--unsettled", "only those that are not settled"),
  ],
  ask: (campaigns, ref, query) => campaigns.batches(ref, query),
  nothing: "no such batches",
  header: ["batch", "state", "people", "returned", "lines", "from", "planned", "stopped", "trouble"],
  row: (batch) => [
    batch.batch_id,
    batch.state,
    String(batch.size),
    String(batch.returned),
    `${batch.held_slots} of ${batch.slots}`,
    batch.from_number,
    batch.planned_at,
    batch.stop_reason ?? "",
    batch.trouble ?? "",
  ],
};

function register<Item>(campaign: CliCommand, listed: Listed<Item>): void {
  const command = campaign
    .command(listed.name)
    .description(listed.description)
    .argument("<campaign>", "its name or id");
  for (const option of listed.options) command.addOption(option);
  command
    .addOption(brandOption())
    .option("--limit <n>", "so many at most", wholeNumber(1, 500), 50)
    .option("--after <cursor>", "go on where the page before ended")
    .addOption(jsonOption())
    .does(async ({ config, voice }, ref: string, { json: _json, ...options }: Record<string, unknown>) => {
      const page = await withRunningSystem(config, (api) => listed.ask(api.campaigns, ref, queryOf(options)));
      voice.tell(listing(listed.nothing, [...listed.header], page.items.map(listed.row), voice.colours));
      if (page.next_after !== null) voice.tell([`more: --after ${page.next_after}`]);
      voice.json(page);
    });
}

/** Options are named as the fields of the query that they are. */
function queryOf(options: Record<string, unknown>): Record<string, string | number | boolean | undefined> {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "number" || typeof value === "boolean"
        ? [[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]]
        : [],
    ),
  );
}
