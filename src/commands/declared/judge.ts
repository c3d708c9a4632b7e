import { nationalHome } from "../../contacts/phone-region.ts";
import { normalisePhone } from "../../contacts/phone.ts";
import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import { isOver, objectionTo } from "../../domain/campaigns/campaign-state.ts";
import { fieldChanges, type FieldChange } from "../../domain/declared/difference.ts";
import { documentOf, keyOf, type Declared } from "../../domain/declared/documents.ts";
import type { SuppressionListDefinition } from "../../domain/declared/suppression-list.ts";
import {
  declaredSpecOf,
  type DeclaredRun,
  type ScheduleSays,
} from "../../domain/schedules/recurring-spec.ts";
import { specDifference } from "../../domain/campaigns/spec-difference.ts";
import { readAutomation } from "../../ledger/automations/automations.ts";
import { findCampaign, type Campaign } from "../../ledger/campaigns/campaigns.ts";
import type { Db } from "../../ledger/ground/connection.ts";
import { findDeclaration, notSuppressed, type Declaration } from "../../ledger/declared/declarations.ts";
import { digestOf } from "../../ledger/ground/digest.ts";
import { isOfSchedule } from "../../ledger/schedules/schedule-runs.ts";
import { findSchedule, listSchedulesOf } from "../../ledger/schedules/schedules.ts";
import type { SourceDefinition } from "../../domain/policy/source-definition.ts";
import { definitionOf as webhookDefinitionOf, findWebhook } from "../../ledger/events/webhooks.ts";
import { findRoute, readableRoute } from "../../ledger/notices/routes.ts";
import { readSource, scrubAddress } from "../../ledger/ground/suppression-sources.ts";
import { definitionOf } from "../suppression-sources.ts";
import { findSequence, readDefinition } from "../../ledger/sequences/sequences.ts";
import { findStoredTrigger, readableDefinition } from "../../ledger/triggers/triggers.ts";

/** What applying a document would come to. Judged by what is there, whoever wrote it: not by what was declared last. */
export interface Judgement {
  change: "create" | "change" | "same" | "refused";
  fields: FieldChange[];
  reason?: string;
  /** Of a campaign: what it is to be, with what its schedules say of it. */
  spec?: CampaignSpec;
}

const CREATE: Judgement = { change: "create", fields: [] };

function changed(fields: FieldChange[]): Judgement {
  return { change: fields.length === 0 ? "same" : "change", fields };
}

function refused(reason: string, fields: FieldChange[] = []): Judgement {
  return { change: "refused", fields, reason };
}

/** @param beside the schedules that are declared with it, in place of those of their names that are there */
export async function judge(
  db: Db,
  declared: Declared,
  beside: readonly ScheduleSays[] = [],
): Promise<Judgement> {
  const { kind, definition } = declared;
  const before = await findDeclaration(db, keyOf(declared));
  const wasPruned = before?.pruned === true;
  switch (kind) {
    case "attention-route": {
      const there = await findRoute(db, definition.name);
      return there
        ? changed(fieldChanges(readableRoute(there)?.definition ?? there.definition, definition))
        : CREATE;
    }
    case "event-webhook": {
      const there = await findWebhook(db, definition.name);
      return there
        ? changed(fieldChanges(webhookDefinitionOf(there) ?? there.definition, definition))
        : CREATE;
    }
    case "automation": {
      const there = await readAutomation(db, definition.name);
      if (!there) return CREATE;
      if (there.state === "removing") return refused("is being removed: try again in a moment");
      return changed(fieldChanges(there.definition, definition));
    }
    case "suppression-source": {
      const there = await readSource(db, definition.name);
      return there ? changed(sourceChanges(definitionOf(there), definition)) : CREATE;
    }
    case "suppression-list":
      return judgeSuppressions(db, definition, before, digestOf(documentOf(declared)));
    case "campaign":
      return judgeCampaign(db, definition, { wasPruned, beside });
    case "sequence": {
      const there = await findSequence(db, definition.brand, definition.name);
      if (!there) return CREATE;
      const fields = fieldChanges(await readDefinition(db, there.id, there.version), definition);
      const reopened = wasPruned && there.state === "closed" ? [turned("state", "closed", "active")] : [];
      return changed([...reopened, ...fields]);
    }
    case "trigger": {
      const there = await findStoredTrigger(db, definition.name);
      if (!there) return CREATE;
      const reopened = wasPruned && !there.enabled ? [turned("enabled", "false", "true")] : [];
      return changed([
        ...reopened,
        ...fieldChanges(readableDefinition(there) ?? there.definition, definition),
      ]);
    }
    case "schedule": {
      const there = await findSchedule(db, definition.name);
      return there ? changed(fieldChanges(there.definition, definition)) : CREATE;
    }
  }
}

/** Of the address of a service no query is shown: it is often a key. */
function sourceChanges(there: SourceDefinition, definition: SourceDefinition): FieldChange[] {
  const [before, after] = [there, definition].map(({ scrub, ...rest }) => ({
    ...rest,
    ...(scrub && { scrub: { ...scrub, url: scrubAddress(scrub.url) } }),
  }));
  const changes = fieldChanges(before, after);
  const isSameButQuery =
    there.scrub !== undefined &&
    definition.scrub !== undefined &&
    there.scrub.url !== definition.scrub.url &&
    before?.scrub?.url === after?.scrub?.url;
  const address = after?.scrub?.url;
  return isSameButQuery
    ? [...changes, { field: "scrub.url", before: address, after: `${address} (another query)` }]
    : changes;
}

function turned(field: string, before: string, after: string): FieldChange {
  return { field, before, after };
}

interface Around {
  wasPruned: boolean;
  beside: readonly ScheduleSays[];
}

async function judgeCampaign(
  db: Db,
  document: CampaignSpec,
  { wasPruned, beside }: Around,
): Promise<Judgement> {
  const schedules = await schedulesOf(db, document, beside);
  const owner = schedules.find((schedule) => schedule.has_spec);
  if (owner)
    return refused(
      `has its spec in schedule ${owner.name}, too (run.spec), and each run puts that in place of this one: take it out of there, leave this document out, or remove the schedule (\`outdial schedule remove ${owner.name}\`)`,
    );
  const newest = await findCampaign(db, document.brand, document.name);
  const spec = declaredSpecOf(document, schedules, newest && (await asRun(db, newest)));
  const judgement = judgeSpec(newest, spec, wasPruned);
  if (judgement.change !== "create") return { ...judgement, spec };
  // What stays in the run before it for that run's sake is not for the next one.
  const next = declaredSpecOf(document, schedules, undefined);
  return { ...judgeSpec(newest, next, wasPruned), spec: next };
}

async function asRun(db: Db, { id, spec, state }: Campaign): Promise<DeclaredRun> {
  return { spec, state, isOfSchedule: !isOver(state) && (await isOfSchedule(db, id)) };
}

async function schedulesOf(
  db: Db,
  { brand, name }: CampaignSpec,
  beside: readonly ScheduleSays[],
): Promise<ScheduleSays[]> {
  const there = await listSchedulesOf(db, { brand, name });
  const declared = new Set(beside.map((schedule) => schedule.name));
  return [
    ...there.filter((schedule) => !declared.has(schedule.name)),
    ...beside.filter((schedule) => schedule.campaign === name && schedule.brand === brand),
  ];
}

function judgeSpec(newest: Campaign | undefined, spec: CampaignSpec, wasPruned: boolean): Judgement {
  if (!newest) return CREATE;
  const fields = fieldChanges(newest.spec, spec);
  if (isOver(newest.state)) {
    if (fields.length === 0 && !wasPruned) return { change: "same", fields };
    return { change: "create", fields, reason: `run ${newest.run} is over: this is the next one` };
  }
  if (fields.length === 0) return { change: "same", fields };
  const objection = objectionTo("amend", newest.state);
  if (objection !== undefined) return refused(`${objection}: apply again when it is over`, fields);
  const fixed = specDifference(newest.spec, spec).filter(({ amendable }) => !amendable);
  if (fixed.length === 0) return { change: "change", fields };
  const named = fixed.map(({ field }) => field).join(", ");
  const remedy =
    newest.state === "scheduled"
      ? "cancel it, which has never been started, and apply again"
      : "give it another name, or apply again when it is over";
  return refused(`can't be amended in ${named}, which make it another campaign: ${remedy}`, fields);
}

async function judgeSuppressions(
  db: Db,
  definition: SuppressionListDefinition,
  before: Declaration | undefined,
  digest: string,
): Promise<Judgement> {
  const { numbers, file, file_sha256, brand } = definition;
  if (numbers === undefined) {
    if (file_sha256 === undefined)
      return refused(`names the file ${file ?? ""}, which only the command line reads: give its numbers`);
    if (before?.digest === digest) return { change: "same", fields: [] };
    return before ? changed([{ field: "file", before: "another content", after: file }]) : CREATE;
  }
  const { phones, problems } = phonesOf(definition);
  if (problems.length > 0) return refused(problems.join("; "));
  const missing = await notSuppressed(db, { phones, brand });
  if (missing.length === 0) return { change: "same", fields: [] };
  const told = { field: "numbers", before: undefined, after: `${missing.length} of ${phones.length} to add` };
  return { change: before ? "change" : "create", fields: [told] };
}

/** The numbers of a list in E.164 form, and which entries are no numbers. */
export function phonesOf({ numbers = [], default_region }: SuppressionListDefinition): {
  phones: string[];
  problems: string[];
} {
  const home = default_region === undefined ? undefined : nationalHome(default_region);
  const problems: string[] = [];
  const phones = new Set<string>();
  for (const [index, number] of numbers.entries()) {
    const reading = normalisePhone(number, home);
    if (reading.ok) phones.add(reading.phone);
    else problems.push(`numbers[${index}] (${JSON.stringify(number)}): ${reading.message}`);
  }
  return { phones: [...phones], problems };
}
