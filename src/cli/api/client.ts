import { accessOver } from "./access.ts";
import { automationsOver } from "./automations.ts";
import { campaignsOver } from "./campaigns.ts";
import { consentsOver } from "./consents.ts";
import { declaredOver } from "./declared.ts";
import { eventWebhooksOver, eventsOver } from "./events.ts";
import { followUpsOver } from "./follow-ups.ts";
import { noticesOver } from "./notices.ts";
import { peopleOver } from "./people.ts";
import { rulesOver } from "./rules.ts";
import { schedulesOver } from "./schedules.ts";
import { sequencesOver } from "./sequences.ts";
import { suppressionsOver } from "./suppressions.ts";
import { systemOver } from "./system.ts";
import { openTransport, type ApiAddress, type Transport, type Query } from "./transport.ts";
import { triggersOver } from "./triggers.ts";

/** Everything that commands ask of a running system, over its HTTP API. `ref` is a campaign's id or name. */
export interface Api {
  readonly address: ApiAddress;
  readonly access: ReturnType<typeof accessOver>;
  readonly campaigns: ReturnType<typeof campaignsOver>;
  readonly blackouts: ReturnType<typeof blackoutsOver>;
  readonly budgets: ReturnType<typeof budgetsOver>;
  readonly consents: ReturnType<typeof consentsOver>;
  readonly suppressions: ReturnType<typeof suppressionsOver>;
  readonly events: ReturnType<typeof eventsOver>;
  readonly eventWebhooks: ReturnType<typeof eventWebhooksOver>;
  readonly followUps: ReturnType<typeof followUpsOver>;
  readonly tags: ReturnType<typeof tagsOver>;
  readonly people: ReturnType<typeof peopleOver>;
  readonly triggers: ReturnType<typeof triggersOver>;
  readonly sequences: ReturnType<typeof sequencesOver>;
  readonly automations: ReturnType<typeof automationsOver>;
  readonly rules: ReturnType<typeof rulesOver>;
  readonly schedules: ReturnType<typeof schedulesOver>;
  readonly declared: ReturnType<typeof declaredOver>;
  readonly keys: ReturnType<typeof keysOver>;
  readonly system: ReturnType<typeof systemOver>;
  readonly attention: ReturnType<typeof attentionOver>;
  readonly notices: ReturnType<typeof noticesOver>;
  close(): Promise<void>;
}

export function openApi(address: ApiAddress): Api {
  const transport = openTransport(address);
  return {
    address,
    access: accessOver(transport),
    campaigns: campaignsOver(transport),
    blackouts: blackoutsOver(transport),
    budgets: budgetsOver(transport),
    consents: consentsOver(transport),
    suppressions: suppressionsOver(transport),
    events: eventsOver(transport),
    eventWebhooks: eventWebhooksOver(transport),
    followUps: followUpsOver(transport),
    tags: tagsOver(transport),
    people: peopleOver(transport),
    triggers: triggersOver(transport),
    sequences: sequencesOver(transport),
    automations: automationsOver(transport),
    rules: rulesOver(transport),
    schedules: schedulesOver(transport),
    declared: declaredOver(transport),
    keys: keysOver(transport),
    system: systemOver(transport),
    attention: attentionOver(transport),
    notices: noticesOver(transport),
    close: () => transport.close(),
  };
}

function attentionOver(transport: Transport) {
  return {
    list: (query: {
      kind?: string | undefined;
      brand?: string | undefined;
      resolved?: boolean;
      after?: string | undefined;
      limit?: number;
    }) => transport.ask("listAttention", { query }),
    resolve: (id: number, reason: string) =>
      transport.ask("resolveAttention", { path: { id }, body: { reason } }),
    acknowledge: (id: number, body: { by?: string | undefined; for?: string | undefined }) =>
      transport.ask("acknowledgeAttention", { path: { id }, body }),
  };
}

function keysOver(transport: Transport) {
  return {
    status: () => transport.ask("readKeyStatus"),
    rotate: (graceHours: number | undefined) =>
      transport.ask("rotateKey", { body: { grace_hours: graceHours } }),
    rotations: (query: Query) => transport.ask("listKeyRotations", { query }),
  };
}

/** Words that follow-ups gave to people, over the HTTP API. */
function tagsOver(transport: Transport) {
  return {
    list: (query: {
      brand: string;
      phone?: string | undefined;
      tag?: string | undefined;
      after?: string | undefined;
      limit: number;
    }) => transport.ask("listTags", { query }),
    remove: (body: { brand: string; phone: string; tag: string; reason?: string | undefined }) =>
      transport.ask("removeTag", { body }),
  };
}

function budgetsOver(transport: Transport) {
  return {
    set: (body: {
      brand?: string | undefined;
      total?: string | undefined;
      per_day?: string | undefined;
      zone?: string | undefined;
      restart: boolean;
    }) => transport.ask("putBudget", { body }),
    list: () => transport.ask("listBudgets"),
    check: () => transport.ask("checkBalance"),
    remove: (body: { brand?: string | undefined; reason: string }) => transport.ask("removeBudget", { body }),
  };
}

function blackoutsOver(transport: Transport) {
  return {
    add: (body: { from: string; to?: string | undefined; name: string; brand?: string | undefined }) =>
      transport.ask("addBlackout", { body }),
    list: (query: { brand?: string | undefined }) => transport.ask("listBlackouts", { query }),
    remove: (id: number, reason: string) =>
      transport.ask("removeBlackout", { path: { id }, body: { reason } }),
  };
}
