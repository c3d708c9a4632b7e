import type { Readable } from "node:stream";

import {
  amendResultSchema,
  campaignPageSchema,
  campaignSchema,
  explanationSchema,
  haltResultSchema,
  importResultSchema,
  progressSchema,
  reportSchema,
  resumeResultSchema,
  startResultSchema,
  type CampaignWire,
} from "../../http/wire/campaign.ts";
import { attentionPageSchema, attentionSchema } from "../../http/wire/attention.ts";
import {
  suppressionAddedSchema,
  suppressionImportSchema,
  suppressionPageSchema,
  suppressionRemovedSchema,
} from "../../http/wire/suppression.ts";
import {
  goOnResultSchema,
  recoverResultSchema,
  stopAllResultSchema,
  sweepSchema,
  systemSchema,
} from "../../http/wire/system.ts";
import { ApiProblemError } from "./errors.ts";
import { automationsOver } from "./automations.ts";
import { declaredOver } from "./declared.ts";
import { followUpsOver } from "./follow-ups.ts";
import { keysOver } from "./keys.ts";
import { schedulesOver } from "./schedules.ts";
import { sequencesOver } from "./sequences.ts";
import { tagsOver } from "./tags.ts";
import { openTransport, SLOW_ANSWER_MS, type ApiAddress, type Query, type Transport } from "./transport.ts";
import { triggersOver } from "./triggers.ts";

/** A list on its way. */
interface ListUpload {
  readable: Readable;
  digest: string;
  sourceName: string;
  map?: Readonly<Record<string, string>>;
  defaultRegion?: string | undefined;
  signal?: AbortSignal;
}

interface SuppressionEntry {
  phone: string;
  brand?: string | undefined;
  reason: string;
  expires_at?: string | undefined;
}

/** Everything that commands ask of a running system, over its HTTP API. `ref` is a campaign's id or name. */
export interface Api {
  readonly address: ApiAddress;
  readonly campaigns: ReturnType<typeof campaignsOver>;
  readonly suppressions: ReturnType<typeof suppressionsOver>;
  readonly followUps: ReturnType<typeof followUpsOver>;
  readonly tags: ReturnType<typeof tagsOver>;
  readonly triggers: ReturnType<typeof triggersOver>;
  readonly sequences: ReturnType<typeof sequencesOver>;
  readonly automations: ReturnType<typeof automationsOver>;
  readonly schedules: ReturnType<typeof schedulesOver>;
  readonly declared: ReturnType<typeof declaredOver>;
  readonly keys: ReturnType<typeof keysOver>;
  readonly system: ReturnType<typeof systemOver>;
  readonly attention: ReturnType<typeof attentionOver>;
  close(): Promise<void>;
}

export function openApi(address: ApiAddress): Api {
  const transport = openTransport(address);
  return {
    address,
    campaigns: campaignsOver(transport),
    suppressions: suppressionsOver(transport),
    followUps: followUpsOver(transport),
    tags: tagsOver(transport),
    triggers: triggersOver(transport),
    sequences: sequencesOver(transport),
    automations: automationsOver(transport),
    schedules: schedulesOver(transport),
    declared: declaredOver(transport),
    keys: keysOver(transport),
    system: systemOver(transport),
    attention: attentionOver(transport),
    close: () => transport.close(),
  };
}

function campaignsOver(transport: Transport) {
  const pathOf = (ref: string, rest = "") => `/v1/campaigns/${encodeURIComponent(ref)}${rest}`;
  const command = (ref: string, name: string, brand: string | undefined, body: object) =>
    ({ method: "POST", path: pathOf(ref, `/${name}`), query: { brand }, body }) as const;
  return {
    create: (spec: unknown, isNew: boolean) =>
      transport.ask(campaignSchema, { method: "POST", path: "/v1/campaigns", body: { spec, new: isNew } }),
    get: (ref: string, brand?: string) =>
      transport.ask(campaignSchema, { path: pathOf(ref), query: { brand } }),
    /** Undefined where there is none. Standing campaigns are nobody's to run. */
    async find(ref: string, brand?: string): Promise<CampaignWire | undefined> {
      try {
        const found = await transport.ask(campaignSchema, { path: pathOf(ref), query: { brand } });
        return found.standing ? undefined : found;
      } catch (error) {
        if (error instanceof ApiProblemError && error.code === "unknown_campaign") return undefined;
        throw error;
      }
    },
    list: (query: { skip?: number; limit?: number; open?: boolean; standing?: boolean }) =>
      transport.ask(campaignPageSchema, { path: "/v1/campaigns", query }),
    upload: (ref: string, list: ListUpload) =>
      transport.ask(importResultSchema, {
        method: "POST",
        path: pathOf(ref, "/contacts"),
        query: { ...listQuery(list), digest: list.digest },
        stream: { contentType: "application/octet-stream", readable: list.readable },
        // The answer comes when the last row is in.
        answerWithinMs: 0,
        ...(list.signal && { signal: list.signal }),
      }),
    start: (
      ref: string,
      input: { brand?: string | undefined; allowPartial: boolean; reason?: string | undefined },
    ) =>
      transport.ask(
        startResultSchema,
        command(ref, "start", input.brand, { allow_partial: input.allowPartial, reason: input.reason }),
      ),
    pause: (ref: string, input: CommandInput) =>
      transport.ask(haltResultSchema, command(ref, "pause", input.brand, { reason: input.reason })),
    resume: (ref: string, input: CommandInput) =>
      transport.ask(resumeResultSchema, command(ref, "resume", input.brand, { reason: input.reason })),
    cancel: (ref: string, input: CommandInput) =>
      transport.ask(haltResultSchema, command(ref, "cancel", input.brand, { reason: input.reason })),
    amend: (ref: string, input: CommandInput & { spec: unknown }) =>
      transport.ask(
        amendResultSchema,
        command(ref, "amend", input.brand, { reason: input.reason, spec: input.spec }),
      ),
    progress: (ref: string, brand?: string) =>
      transport.ask(progressSchema, { path: pathOf(ref, "/progress"), query: { brand } }),
    report: (ref: string, brand?: string) =>
      transport.ask(reportSchema, {
        path: pathOf(ref, "/report"),
        query: { brand },
        answerWithinMs: SLOW_ANSWER_MS,
      }),
    /** To be read to its end. */
    download: (ref: string, file: "results.csv" | "rejects.csv") =>
      transport.open({ path: pathOf(ref, `/${file}`), answerWithinMs: SLOW_ANSWER_MS }),
    explanation: (ref: string, phone: string, brand?: string) =>
      transport.ask(explanationSchema, {
        path: pathOf(ref, `/contacts/${encodeURIComponent(phone)}/explanation`),
        query: { brand },
      }),
  };
}

export interface CommandInput {
  brand?: string | undefined;
  reason?: string | undefined;
}

function listQuery(list: Omit<ListUpload, "digest">): Query {
  return {
    source_name: list.sourceName,
    map: list.map && JSON.stringify(list.map),
    default_region: list.defaultRegion,
  };
}

function suppressionsOver(transport: Transport) {
  const path = "/v1/suppressions";
  return {
    add: (entries: readonly SuppressionEntry[], defaultRegion: string | undefined) =>
      transport.ask(suppressionAddedSchema, {
        method: "POST",
        path,
        body: { entries, default_region: defaultRegion },
      }),
    remove: (input: {
      phone: string;
      brand: string | undefined;
      reason: string;
      defaultRegion: string | undefined;
    }) =>
      transport.ask(suppressionRemovedSchema, {
        method: "DELETE",
        path,
        body: {
          phone: input.phone,
          brand: input.brand,
          reason: input.reason,
          default_region: input.defaultRegion,
        },
      }),
    list: (query: {
      phone?: string | undefined;
      brand?: string | undefined;
      after_id?: number;
      limit?: number;
    }) => transport.ask(suppressionPageSchema, { path, query }),
    import: (
      list: Omit<ListUpload, "digest"> & { brand?: string | undefined; reason?: string | undefined },
    ) =>
      transport.ask(suppressionImportSchema, {
        method: "POST",
        path: `${path}/import`,
        query: { ...listQuery(list), brand: list.brand, reason: list.reason },
        stream: { contentType: "application/octet-stream", readable: list.readable },
        answerWithinMs: 0,
      }),
  };
}

function systemOver(transport: Transport) {
  return {
    get: () => transport.ask(systemSchema, { path: "/v1/system" }),
    /** Answers when one pass is through: some requests for each call and batch that has no end. */
    sweep: () =>
      transport.ask(sweepSchema, { method: "POST", path: "/v1/sweep", body: {}, answerWithinMs: 0 }),
    /** Answers when every batch was seen to stop, or the bound for each was reached. */
    stopAll: (reason: string) =>
      transport.ask(stopAllResultSchema, {
        method: "POST",
        path: "/v1/stop-all",
        body: { reason },
        answerWithinMs: 0,
      }),
    /**
     * Answers when everything that is found is settled: calls that are up are waited for. Whoever asks vouches for
     * the suppressions: none was lost, or they are in again.
     */
    recover: () =>
      transport.ask(recoverResultSchema, {
        method: "POST",
        path: "/v1/recover",
        body: { suppressions_complete: true },
        answerWithinMs: 0,
      }),
    goOn: (reason: string) =>
      transport.ask(goOnResultSchema, { method: "POST", path: "/v1/go-on", body: { reason } }),
  };
}

function attentionOver(transport: Transport) {
  const path = "/v1/attention";
  return {
    list: (query: {
      kind?: string | undefined;
      brand?: string | undefined;
      resolved?: boolean;
      after_id?: number;
      limit?: number;
    }) => transport.ask(attentionPageSchema, { path, query }),
    resolve: (id: number, reason: string) =>
      transport.ask(attentionSchema, { method: "POST", path: `${path}/${id}/resolve`, body: { reason } }),
  };
}
