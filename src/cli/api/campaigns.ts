import type { CampaignWire } from "../../http/wire/campaigns.ts";
import { ApiProblemError } from "./errors.ts";
import { listQuery, type ListUpload } from "./list-upload.ts";
import { SLOW_ANSWER_MS, type Query, type Transport } from "./transport.ts";

export interface CommandInput {
  brand?: string | undefined;
  reason?: string | undefined;
}

/** `ref` is a campaign's id or name. */
export function campaignsOver(transport: Transport) {
  const asked = (ref: string, { brand, reason }: CommandInput, body: object = {}) => ({
    path: { ref },
    query: { brand },
    body: { ...body, reason },
  });
  return {
    create: (spec: unknown, isNew: boolean) =>
      transport.ask("createCampaign", { body: { spec, new: isNew } }),
    /** Answers when the last of its people is in. */
    clone: (ref: string, brand: string, body: object) =>
      transport.ask("cloneCampaign", { path: { ref }, query: { brand }, body }, { answerWithinMs: 0 }),
    get: (ref: string, brand?: string) => transport.ask("readCampaign", { path: { ref }, query: { brand } }),
    /** Undefined where there is none. Standing campaigns are nobody's to run. */
    async find(ref: string, brand?: string): Promise<CampaignWire | undefined> {
      try {
        const found = await transport.ask("readCampaign", { path: { ref }, query: { brand } });
        return found.standing ? undefined : found;
      } catch (error) {
        if (error instanceof ApiProblemError && error.code === "unknown_campaign") return undefined;
        throw error;
      }
    },
    archive: (ref: string, input: CommandInput) => transport.ask("archiveCampaign", asked(ref, input)),
    unarchive: (ref: string, input: CommandInput) => transport.ask("unarchiveCampaign", asked(ref, input)),
    list: (query: {
      after?: string | undefined;
      limit?: number;
      open?: boolean;
      standing?: boolean;
      archived?: boolean;
      brand?: string | undefined;
    }) => transport.ask("listCampaigns", { query }),
    upload: (ref: string, list: ListUpload) =>
      // The answer comes when the last row is in.
      transport.ask(
        "uploadContacts",
        {
          path: { ref },
          query: { ...listQuery(list), digest: list.digest },
          body: list.readable,
          ...(list.signal && { signal: list.signal }),
        },
        { answerWithinMs: 0 },
      ),
    start: (
      ref: string,
      input: { brand?: string | undefined; allowPartial: boolean; reason?: string | undefined },
    ) => transport.ask("startCampaign", asked(ref, input, { allow_partial: input.allowPartial })),
    pause: (ref: string, input: CommandInput) => transport.ask("pauseCampaign", asked(ref, input)),
    resume: (ref: string, input: CommandInput) => transport.ask("resumeCampaign", asked(ref, input)),
    approve: (ref: string, input: CommandInput) => transport.ask("approveCampaign", asked(ref, input)),
    canary: (ref: string, brand?: string) => transport.ask("readCanary", { path: { ref }, query: { brand } }),
    callerIds: (ref: string, brand?: string) =>
      transport.ask("listCallerIds", { path: { ref }, query: { brand } }),
    estimate: (ref: string, brand?: string) =>
      transport.ask("estimateCampaign", { path: { ref }, query: { brand } }),
    past: (agentId: string, brand: string) =>
      transport.ask("readPastCalls", { query: { agent_id: agentId, brand } }),
    cancel: (ref: string, input: CommandInput) => transport.ask("cancelCampaign", asked(ref, input)),
    amend: (ref: string, input: CommandInput & { spec: unknown; ifVersion?: number | undefined }) =>
      transport.ask("amendCampaign", asked(ref, input, { spec: input.spec, if_version: input.ifVersion })),
    /** What an amendment would do. */
    amendPreview: (ref: string, spec: unknown) =>
      transport.ask("previewAmendment", { path: { ref }, body: { spec } }),
    /** As many as fit into one request. */
    withdraw: (
      ref: string,
      input: {
        phones?: readonly string[];
        all_open?: true;
        reason: string;
        default_region?: string | undefined;
      },
    ) => transport.ask("withdrawContacts", { path: { ref }, body: input }),
    progress: (ref: string, brand?: string) =>
      transport.ask("readProgress", { path: { ref }, query: { brand } }),
    report: (ref: string, brand?: string) =>
      transport.ask("readReport", { path: { ref }, query: { brand } }, { answerWithinMs: SLOW_ANSWER_MS }),
    /** To be read to its end. */
    download: (ref: string, file: "results.csv" | "rejects.csv") =>
      transport.open(
        file === "results.csv" ? "downloadResults" : "downloadRejects",
        { path: { ref } },
        { answerWithinMs: SLOW_ANSWER_MS },
      ),
    contacts: (ref: string, query: Query) => transport.ask("listContacts", { path: { ref }, query }),
    calls: (ref: string, query: Query) => transport.ask("listCalls", { path: { ref }, query }),
    batches: (ref: string, query: Query) => transport.ask("listBatches", { path: { ref }, query }),
    explanation: (ref: string, phone: string, brand?: string) =>
      transport.ask("explainContact", { path: { ref, phone }, query: { brand } }),
  };
}
