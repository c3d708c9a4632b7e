import type { CampaignWire } from "../../http/wire/campaigns.ts";
import { ApiProblemError } from "./errors.ts";
import { listQuery, type ListUpload } from "./list-upload.ts";
import { SLOW_ANSWER_MS, type Query, type Transport } from "./transport.ts";

const wire = () => import("../../http/wire/campaigns.ts");
const listsWire = () => import("../../http/wire/campaigns/contacts.ts");

export interface CommandInput {
  brand?: string | undefined;
  reason?: string | undefined;
}

/** `ref` is a campaign's id or name. */
export function campaignsOver(transport: Transport) {
  const pathOf = (ref: string, rest = "") => `/v1/campaigns/${encodeURIComponent(ref)}${rest}`;
  const command = (ref: string, name: string, brand: string | undefined, body: object) =>
    ({ method: "POST", path: pathOf(ref, `/${name}`), query: { brand }, body }) as const;
  return {
    create: (spec: unknown, isNew: boolean) =>
      transport.ask(async () => (await wire()).campaignCreatedSchema, {
        method: "POST",
        path: "/v1/campaigns",
        body: { spec, new: isNew },
      }),
    /** Answers when the last of its people is in. */
    clone: (ref: string, brand: string, body: object) =>
      transport.ask(async () => (await wire()).campaignClonedSchema, {
        ...command(ref, "clone", brand, body),
        answerWithinMs: 0,
      }),
    get: (ref: string, brand?: string) =>
      transport.ask(async () => (await wire()).campaignSchema, { path: pathOf(ref), query: { brand } }),
    /** Undefined where there is none. Standing campaigns are nobody's to run. */
    async find(ref: string, brand?: string): Promise<CampaignWire | undefined> {
      try {
        const found = await transport.ask(async () => (await wire()).campaignSchema, {
          path: pathOf(ref),
          query: { brand },
        });
        return found.standing ? undefined : found;
      } catch (error) {
        if (error instanceof ApiProblemError && error.code === "unknown_campaign") return undefined;
        throw error;
      }
    },
    archive: (ref: string, input: CommandInput) =>
      transport.ask(
        async () => (await wire()).archiveResultSchema,
        command(ref, "archive", input.brand, { reason: input.reason }),
      ),
    unarchive: (ref: string, input: CommandInput) =>
      transport.ask(
        async () => (await wire()).archiveResultSchema,
        command(ref, "unarchive", input.brand, { reason: input.reason }),
      ),
    list: (query: {
      after?: string | undefined;
      limit?: number;
      open?: boolean;
      standing?: boolean;
      archived?: boolean;
      brand?: string | undefined;
    }) => transport.ask(async () => (await wire()).campaignPageSchema, { path: "/v1/campaigns", query }),
    upload: (ref: string, list: ListUpload) =>
      transport.ask(async () => (await wire()).importResultSchema, {
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
        async () => (await wire()).startResultSchema,
        command(ref, "start", input.brand, { allow_partial: input.allowPartial, reason: input.reason }),
      ),
    pause: (ref: string, input: CommandInput) =>
      transport.ask(
        async () => (await wire()).haltResultSchema,
        command(ref, "pause", input.brand, { reason: input.reason }),
      ),
    resume: (ref: string, input: CommandInput) =>
      transport.ask(
        async () => (await wire()).resumeResultSchema,
        command(ref, "resume", input.brand, { reason: input.reason }),
      ),
    approve: (ref: string, input: CommandInput) =>
      transport.ask(
        async () => (await wire()).resumeResultSchema,
        command(ref, "approve", input.brand, { reason: input.reason }),
      ),
    canary: (ref: string, brand?: string) =>
      transport.ask(async () => (await wire()).canarySchema, {
        path: pathOf(ref, "/canary"),
        query: { brand },
      }),
    callerIds: (ref: string, brand?: string) =>
      transport.ask(async () => (await import("../../http/wire/caller-ids.ts")).callerIdsSchema, {
        path: pathOf(ref, "/caller-ids"),
        query: { brand },
      }),
    estimate: (ref: string, brand?: string) =>
      transport.ask(async () => (await import("../../http/wire/estimates.ts")).estimateSchema, {
        path: pathOf(ref, "/estimate"),
        query: { brand },
      }),
    past: (agentId: string, brand: string) =>
      transport.ask(async () => (await wire()).pastCallsSchema, {
        path: "/v1/past-calls",
        query: { agent_id: agentId, brand },
      }),
    cancel: (ref: string, input: CommandInput) =>
      transport.ask(
        async () => (await wire()).haltResultSchema,
        command(ref, "cancel", input.brand, { reason: input.reason }),
      ),
    amend: (ref: string, input: CommandInput & { spec: unknown; ifVersion?: number | undefined }) =>
      transport.ask(
        async () => (await wire()).amendResultSchema,
        command(ref, "amend", input.brand, {
          reason: input.reason,
          spec: input.spec,
          if_version: input.ifVersion,
        }),
      ),
    /** What an amendment would do. */
    amendPreview: (ref: string, spec: unknown) =>
      transport.ask(async () => (await import("../../http/wire/amendments.ts")).amendmentPreviewSchema, {
        method: "POST",
        path: pathOf(ref, "/amend/preview"),
        body: { spec },
      }),
    /** As many as fit into one request. */
    withdraw: (
      ref: string,
      input: {
        phones?: readonly string[];
        all_open?: true;
        reason: string;
        default_region?: string | undefined;
      },
    ) =>
      transport.ask(async () => (await import("../../http/wire/withdrawals.ts")).withdrawalSchema, {
        method: "POST",
        path: pathOf(ref, "/withdrawals"),
        body: input,
      }),
    progress: (ref: string, brand?: string) =>
      transport.ask(async () => (await wire()).progressSchema, {
        path: pathOf(ref, "/progress"),
        query: { brand },
      }),
    report: (ref: string, brand?: string) =>
      transport.ask(async () => (await wire()).reportSchema, {
        path: pathOf(ref, "/report"),
        query: { brand },
        answerWithinMs: SLOW_ANSWER_MS,
      }),
    /** To be read to its end. */
    download: (ref: string, file: "results.csv" | "rejects.csv") =>
      transport.open({ path: pathOf(ref, `/${file}`), answerWithinMs: SLOW_ANSWER_MS }),
    contacts: (ref: string, query: Query) =>
      transport.ask(async () => (await listsWire()).contactPageSchema, {
        path: pathOf(ref, "/contacts"),
        query,
      }),
    calls: (ref: string, query: Query) =>
      transport.ask(async () => (await listsWire()).attemptPageSchema, {
        path: pathOf(ref, "/calls"),
        query,
      }),
    batches: (ref: string, query: Query) =>
      transport.ask(async () => (await listsWire()).batchPageSchema, {
        path: pathOf(ref, "/batches"),
        query,
      }),
    explanation: (ref: string, phone: string, brand?: string) =>
      transport.ask(async () => (await wire()).explanationSchema, {
        path: pathOf(ref, `/contacts/${encodeURIComponent(phone)}/explanation`),
        query: { brand },
      }),
  };
}
