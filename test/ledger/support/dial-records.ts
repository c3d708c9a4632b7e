import type { CampaignSpecInput } from "../../../src/domain/campaigns/campaign-spec.ts";
import type { Disposition } from "../../../src/domain/policy/disposition.ts";
import type { Dial, Rules } from "./dial-oracle.ts";

/* What is written down of a life beside its dials, for those who judge it. */

export interface Running {
  id: string;
  brand: string;
  /** Of a campaign's callbacks: the campaign. */
  parent: Running | undefined;
  /** Calls are placed into it one by one. */
  isStanding: boolean;
  /** Of calls of a sequence's step: that sequence. */
  sequence: string | undefined;
  /** All that were in force, the newest last. */
  specs: CampaignSpecInput[];
  paused: boolean;
  cancelled: boolean;
  withdrawn: ReadonlySet<string>;
  /** What its own pauses depend on, in its order. */
  events: CampaignEvent[];
}

/** One that begins. */
export function running(
  one: Pick<Running, "id" | "brand"> &
    Partial<Pick<Running, "isStanding" | "parent" | "sequence">> & { spec: CampaignSpecInput },
): Running {
  const { id, brand, spec, isStanding = false, parent, sequence } = one;
  return {
    id,
    brand,
    isStanding,
    parent,
    sequence,
    specs: [spec],
    paused: false,
    cancelled: false,
    withdrawn: new Set(),
    events: [],
  };
}

/** A call that nobody made: what would speak against it? */
export function supposedDial(
  campaign: Running,
  { contact, person, atMs, rules }: Pick<Dial, "contact" | "person" | "atMs" | "rules">,
): Dial {
  return {
    campaign: campaign.id,
    parent: campaign.parent?.id,
    brand: campaign.brand,
    contact,
    person,
    from: "",
    variant: undefined,
    batch: "",
    atMs,
    startMs: atMs,
    endMs: atMs,
    disposition: "unknown",
    isLate: false,
    rules,
  };
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

/** Somebody on a batch. */
export interface Called {
  phone: string;
  contact: number;
}

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
  /** In force when it was planned. */
  rules: Rules;
  /** Who was to be called. */
  called: readonly Called[];
  from: string;
  variant: string | undefined;
  size: number;
  /** Calls of it that may be up at once. */
  slots: number;
}
