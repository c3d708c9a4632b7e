import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import type { Dial } from "./dial-oracle.ts";

/* What is written down of a life beside its dials, for those who judge it. */

export interface Running {
  id: string;
  brand: string;
  /** Of a campaign's callbacks: the campaign. */
  parent: Running | undefined;
  /** Calls are placed into it one by one. */
  isStanding: boolean;
  /** All that were in force, the newest last. */
  specs: CampaignSpecInput[];
  paused: boolean;
  cancelled: boolean;
  withdrawn: ReadonlySet<string>;
  /** What its own pauses depend on, in its order. */
  events: CampaignEvent[];
}

export type CampaignEvent =
  | { kind: "planned" | "resumed" | "approved"; atMs: number; spec: CampaignSpecInput }
  | { kind: "dialed"; atMs: number; spec: CampaignSpecInput; dial: Dial }
  | {
      kind: "settled";
      atMs: number;
      spec: CampaignSpecInput;
      /** Of its batch. */
      plannedMs: number;
      dispositions: readonly Disposition[];
    };

/** A batch, as it was planned. */
export interface Planned {
  id: string;
  campaign: Running;
  /** Those of one planning have the same; later ones have more. */
  planning: number;
  plannedMs: number;
  /** When its start was permitted. */
  begunMs: number | undefined;
  spec: CampaignSpecInput;
  from: string;
  variant: string | undefined;
  size: number;
}
