import { z } from "zod";

import * as access from "../wire/access.ts";
import * as amendments from "../wire/amendments.ts";
import * as attention from "../wire/attention.ts";
import * as automations from "../wire/automations.ts";
import * as blackouts from "../wire/blackouts.ts";
import * as budgets from "../wire/budgets.ts";
import * as oftenCalled from "../wire/people/often-called.ts";
import * as outlook from "../wire/campaigns/outlook.ts";
import * as timeline from "../wire/campaigns/timeline.ts";
import * as callerIds from "../wire/caller-ids.ts";
import * as campaigns from "../wire/campaigns.ts";
import * as contacts from "../wire/campaigns/contacts.ts";
import * as validation from "../wire/campaigns/validation.ts";
import * as consents from "../wire/consents.ts";
import * as declared from "../wire/declared.ts";
import * as estimates from "../wire/estimates.ts";
import * as eventWebhooks from "../wire/event-webhooks.ts";
import * as events from "../wire/events.ts";
import * as followUps from "../wire/follow-ups.ts";
import * as inFlight from "../wire/in-flight.ts";
import * as keys from "../wire/keys.ts";
import * as notices from "../wire/notices.ts";
import * as personCalls from "../wire/people/calls.ts";
import * as forgettings from "../wire/people/forgettings.ts";
import * as dataKeys from "../wire/data-keys.ts";
import * as retention from "../wire/people/retention.ts";
import * as people from "../wire/people.ts";
import * as presets from "../wire/presets.ts";
import * as problem from "../wire/problem.ts";
import * as rehearsals from "../wire/campaigns/rehearsals.ts";
import * as rules from "../wire/rules.ts";
import * as schedules from "../wire/schedules.ts";
import * as sessions from "../wire/sessions.ts";
import * as sequences from "../wire/sequences.ts";
import * as sequenceRehearsals from "../wire/sequences/rehearsals.ts";
import * as suppressions from "../wire/suppressions.ts";
import * as system from "../wire/system.ts";
import * as tags from "../wire/tags.ts";
import * as text from "../wire/text.ts";
import * as tries from "../wire/tries.ts";
import * as triggers from "../wire/triggers.ts";
import * as withdrawals from "../wire/withdrawals.ts";

/** What routes answer with. Every schema that one of them exports is a component of the description. */
const WIRE = [
  access,
  amendments,
  attention,
  automations,
  blackouts,
  budgets,
  callerIds,
  campaigns,
  contacts,
  validation,
  consents,
  declared,
  estimates,
  eventWebhooks,
  events,
  followUps,
  personCalls,
  inFlight,
  keys,
  notices,
  oftenCalled,
  outlook,
  forgettings,
  retention,
  dataKeys,
  people,
  presets,
  problem,
  rehearsals,
  rules,
  schedules,
  sequences,
  sessions,
  sequenceRehearsals,
  suppressions,
  system,
  tags,
  text,
  timeline,
  tries,
  triggers,
  withdrawals,
];

/** `campaignPageSchema` is described as `CampaignPage`, and `triggerSchemaOut` as `Trigger`. */
function componentName(exported: string): string | undefined {
  const [, name] = /^(\w+?)Schema(?:Out)?$/.exec(exported) ?? [];
  return name === undefined ? undefined : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

/** Gives schemas their names in the description. @throws Error where two want the same */
export function nameComponents(): void {
  const named = new Map<string, unknown>();
  for (const [exported, schema] of WIRE.flatMap((module) => Object.entries(module))) {
    const id = componentName(exported);
    if (id === undefined || !(schema instanceof z.ZodType)) continue;
    if (named.has(id) && named.get(id) !== schema)
      throw new Error(`two schemas of src/http/wire are called ${id}: call one of them otherwise`);
    named.set(id, schema);
    z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), id });
  }
}
