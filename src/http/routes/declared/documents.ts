import { documentOf, keyOf, type Declared, type DeclaredKey } from "../../../domain/declared/documents.ts";
import { literalSecrets } from "../../../domain/ground/literal-secrets.ts";
import { listAutomations } from "../../../ledger/automations/automations.ts";
import { readCampaign } from "../../../ledger/campaigns/campaigns.ts";
import type { Db } from "../../../ledger/ground/connection.ts";
import { findDeclaration, listDeclarable } from "../../../ledger/declared/declarations.ts";
import { listRoutes, readableRoute } from "../../../ledger/notices/routes.ts";
import { listSchedules, listSchedulesOf } from "../../../ledger/schedules/schedules.ts";
import { listSequences, readDefinition } from "../../../ledger/sequences/sequences.ts";
import { definitionOf } from "../../../commands/suppression-sources.ts";
import { listSources } from "../../../ledger/ground/suppression-sources.ts";
import { listTriggers, readableDefinition } from "../../../ledger/triggers/triggers.ts";
import type { ExportedKind } from "../../wire/declared.ts";

export interface Page {
  documents: Record<string, unknown>[];
  withheld: (DeclaredKey & { fields: string[] })[];
  nextSkip: number | undefined;
}

/** What is there as documents, declared or not, a page of it. What pruning closed is not there in this sense. */
export async function documentsOf(
  db: Db,
  kind: ExportedKind,
  { skip, limit }: { skip: number; limit: number },
): Promise<Page> {
  const found = await read(db, kind, { skip, limit: limit + 1 });
  const page: Page = {
    documents: [],
    withheld: [],
    nextSkip: found.length > limit ? skip + limit : undefined,
  };
  for (const { declared, isOpen, isElsewhere, unreadable } of found.slice(0, limit)) {
    if (isElsewhere === true) continue;
    if (!declared) {
      page.withheld.push({ kind, brand: "", name: unreadable, fields: [] });
      continue;
    }
    const key = keyOf(declared);
    if (!isOpen && (await findDeclaration(db, key))?.pruned === true) continue;
    const fields = hiddenIn(declared);
    if (fields.length > 0) page.withheld.push({ ...key, fields });
    else page.documents.push(documentOf(declared));
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
type Found = { isOpen: boolean; isElsewhere?: boolean } & (
  | { declared: Declared; unreadable?: undefined }
  | { declared?: undefined; unreadable: string }
);

async function read(db: Db, kind: ExportedKind, page: { skip: number; limit: number }): Promise<Found[]> {
  const paged = <T>(items: readonly T[]) => items.slice(page.skip, page.skip + page.limit);
  switch (kind) {
    case "attention-route":
      return paged(await listRoutes(db)).map((stored) => {
        const definition = readableRoute(stored)?.definition;
        return definition
          ? { declared: { kind, definition }, isOpen: true }
          : { unreadable: stored.name, isOpen: true };
      });
    case "automation": {
      const all = (await listAutomations(db)).filter(({ state }) => state !== "removing");
      return paged(all).map(({ definition }) => ({ declared: { kind, definition }, isOpen: true }));
    }
    case "suppression-source":
      return paged(await listSources(db, undefined)).map((source) => ({
        declared: { kind, definition: definitionOf(source) },
        isOpen: true,
      }));
    case "trigger":
      return paged(await listTriggers(db)).map((trigger) => {
        const definition = readableDefinition(trigger);
        const isOpen = trigger.enabled;
        return definition ? { declared: { kind, definition }, isOpen } : { unreadable: trigger.name, isOpen };
      });
    case "schedule":
      return paged(await listSchedules(db)).map(({ definition }) => ({
        declared: { kind, definition },
        isOpen: true,
      }));
    case "sequence": {
      const { sequences } = await listSequences(db, page);
      const found: Found[] = [];
      for (const { id, version, state } of sequences) {
        const definition = await readDefinition(db, id, version);
        found.push({ declared: { kind, definition }, isOpen: state !== "closed" });
      }
      return found;
    }
    case "campaign": {
      const found: Found[] = [];
      for (const { id } of await listDeclarable(db, page)) {
        const campaign = await readCampaign(db, id);
        if (!campaign) continue;
        // Its spec is exported with its schedule, and has one owner.
        const isElsewhere = (await listSchedulesOf(db, campaign)).some((schedule) => schedule.has_spec);
        found.push({ declared: { kind, definition: campaign.spec }, isOpen: true, isElsewhere });
      }
      return found;
    }
  }
}
