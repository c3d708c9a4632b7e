import { attentionOver } from "./attention.ts";
import { automationsOver } from "./automations.ts";
import { campaignsOver } from "./campaigns.ts";
import { declaredOver } from "./declared.ts";
import { followUpsOver } from "./follow-ups.ts";
import { keysOver } from "./keys.ts";
import { schedulesOver } from "./schedules.ts";
import { sequencesOver } from "./sequences.ts";
import { suppressionsOver } from "./suppressions.ts";
import { systemOver } from "./system.ts";
import { tagsOver } from "./tags.ts";
import { openTransport, type ApiAddress } from "./transport.ts";
import { triggersOver } from "./triggers.ts";

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
