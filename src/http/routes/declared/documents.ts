import { documentOf, keyOf, type Declared, type DeclaredKey } from "../../../domain/declared/documents.ts";
import { literalSecrets } from "../../../domain/ground/literal-secrets.ts";
import { listAutomations } from "../../../ledger/automations/automations.ts";
import { readCampaign } from "../../../ledger/campaigns/campaigns.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { findDeclaration, listDeclarable } from "../../../ledger/declared/declarations.ts";
import { listRoutes, readableRoute } from "../../../ledger/notices/routes.ts";
import { definitionOf as webhookDefinitionOf, listWebhooks } from "../../../ledger/events/webhooks.ts";
import { listSchedules, listSchedulesOf } from "../../../ledger/schedules/schedules.ts";
import { listSequences, readDefinition } from "../../../ledger/sequences/sequences.ts";
import { definitionOf } from "../../../commands/suppression-sources.ts";
import { listSources } from "../../../ledger/ground/suppression-sources.ts";
import { listTriggers, readableDefinition } from "../../../ledger/triggers/triggers.ts";
import type { ExportedKind } from "../../wire/declared.ts";
import { cutPage } from "../../cursor.ts";

export interface Page {
  items: Record<string, unknown>[];
  withheld: (DeclaredKey & { fields: string[] })[];
  next_after: string | null;
}

/** What is there as documents, declared or not, a page of it. What pruning closed is not there in this sense. */
export async function documentsOf(
  db: Db,
  kind: ExportedKind,
  { after, limit, within }: PageAsked,
): Promise<Page> {
  const found = await read(db, kind, { after, within, limit: limit + 1 });
  const { page: shown, next_after } = cutPage(found, limit, ({ place }) => [place.brand, place.name]);
  const page: Page = { items: [], withheld: [], next_after };
  for (const { declared, isOpen, isElsewhere, unreadable } of shown) {
    if (isElsewhere === true) continue;
    if (!declared) {
      page.withheld.push({ kind, brand: "", name: unreadable, fields: [] });
      continue;
    }
    const key = keyOf(declared);
    if (!isOpen && (await findDeclaration(db, key))?.pruned === true) continue;
    const fields = hiddenIn(declared);
    if (fields.length > 0) page.withheld.push({ ...key, fields });
    else page.items.push(documentOf(declared));
  }
  return page;
}

/** Fields that hold what is not to be handed out: secrets, and of a service's address a query, which is often a key. */
function hiddenIn({ kind, definition }: Declared): string[] {
  const literal = literalSecrets(definition);
  const isKeyed =
    kind === "suppression-source" &&
    definition.scrub !== undefined &&
    new URL(definition.scrub.url).search !== "";
  return isKeyed ? [...new Set([...literal, "scrub.url"])] : literal;
}

/** What is there, or the name of what this version can't read. */
type Found = { place: NamePlace; isOpen: boolean; isElsewhere?: boolean } & (
  | { declared: Declared; unreadable?: undefined }
  | { declared?: undefined; unreadable: string }
);

interface NamePlace {
  brand: string;
  name: string;
}

interface PageAsked {
  after: NamePlace | undefined;
  limit: number;
  /** The brands of whoever asks: what is declared for others, or for all, is not there. Undefined: all. */
  within: readonly string[] | undefined;
}

/** What is declared for every brand at once. */
const OF_ALL: ReadonlySet<ExportedKind> = new Set([
  "attention-route",
  "event-webhook",
  "automation",
  "suppression-source",
]);

async function read(db: Db, kind: ExportedKind, page: PageAsked): Promise<Found[]> {
  const paged = <T extends { name: string }>(items: readonly T[]) => cutBehind(items, page);
  const placeOf = (name: string) => ({ brand: "", name });
  const { within } = page;
  if (within !== undefined && OF_ALL.has(kind)) return [];
  switch (kind) {
    case "attention-route":
      return paged(await listRoutes(db)).map((stored) => {
        const definition = readableRoute(stored)?.definition;
        const place = placeOf(stored.name);
        return definition
          ? { place, declared: { kind, definition }, isOpen: true }
          : { place, unreadable: stored.name, isOpen: true };
      });
    case "event-webhook":
      return paged(await listWebhooks(db)).map((stored) => {
        const definition = webhookDefinitionOf(stored);
        const place = placeOf(stored.name);
        return definition
          ? { place, declared: { kind, definition }, isOpen: true }
          : { place, unreadable: stored.name, isOpen: true };
      });
    case "automation": {
      const all = (await listAutomations(db)).filter(({ state }) => state !== "removing");
      return paged(all).map(({ name, definition }) => ({
        place: placeOf(name),
        declared: { kind, definition },
        isOpen: true,
      }));
    }
    case "suppression-source":
      return paged(await listSources(db, undefined)).map((source) => ({
        place: placeOf(source.name),
        declared: { kind, definition: definitionOf(source) },
        isOpen: true,
      }));
    case "trigger":
      return paged(await listTriggers(db, { within })).map((trigger) => {
        const definition = readableDefinition(trigger);
        const [place, isOpen] = [placeOf(trigger.name), trigger.enabled];
        return definition
          ? { place, declared: { kind, definition }, isOpen }
          : { place, unreadable: trigger.name, isOpen };
      });
    case "schedule":
      return paged(await listSchedules(db, { within })).map(({ name, definition }) => ({
        place: placeOf(name),
        declared: { kind, definition },
        isOpen: true,
      }));
    case "sequence":
      return readSequences(db, page);
    case "campaign":
      return readCampaigns(db, page);
  }
}

async function readSequences(db: Db, { after, ...page }: PageAsked): Promise<Found[]> {
  const { sequences } = await listSequences(db, { ...(after && { after }), ...page });
  const found: Found[] = [];
  for (const { id, brand, name, version, state } of sequences) {
    const definition = await readDefinition(db, id, version);
    const isOpen = state !== "closed";
    found.push({ place: { brand, name }, declared: { kind: "sequence", definition }, isOpen });
  }
  return found;
}

async function readCampaigns(db: Db, page: PageAsked): Promise<Found[]> {
  const found: Found[] = [];
  for (const { id, brand, name } of await listDeclarable(db, page)) {
    const campaign = await readCampaign(db, id);
    if (!campaign) throw new Error("a campaign vanished, which none does");
    // Its spec is exported with its schedule, and has one owner.
    const isElsewhere = (await listSchedulesOf(db, campaign)).some((schedule) => schedule.has_spec);
    const declared = { kind: "campaign" as const, definition: campaign.spec };
    found.push({ place: { brand, name }, declared, isOpen: true, isElsewhere });
  }
  return found;
}

/** Of what is little and read whole, in an order of its own: by letters here, so that a place stays one. */
function cutBehind<T extends { name: string }>(items: readonly T[], { after, limit }: PageAsked): T[] {
  const ordered = items.toSorted(({ name: one }, { name: other }) => (one < other ? -1 : 1));
  const behind = after === undefined ? ordered : ordered.filter(({ name }) => name > after.name);
  return behind.slice(0, limit);
}
