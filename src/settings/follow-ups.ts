import path from "node:path";
import { z } from "zod";

import { reasonWords } from "../domain/ground/reason-words.ts";
import { parseAllowList } from "../outbound/allow-list.ts";
import { listed, setting, type ValuesOf } from "./setting.ts";

const allowList = z
  .string()
  .default("")
  .transform((text) => listed(text, ","))
  .superRefine((entries, context) => {
    try {
      parseAllowList(entries);
    } catch (error) {
      context.addIssue(reasonWords(error));
    }
  });

export const FOLLOW_UP_SETTINGS = {
  OUTDIAL_OUTBOUND_ALLOW: setting({
    schema: allowList,
    meaning:
      "Hosts, addresses and ranges that webhooks, scrubbing services and attention routes may be sent to although they are not public, or not https; separated by commas.",
    example: "n8n.internal,10.20.0.0/16",
    default: "none: public addresses by https only",
  }),
  OUTDIAL_RECORDINGS_DIR: setting({
    schema: z.string().min(1).optional(),
    meaning: "Folder where follow-ups keep recordings of calls.",
    example: "/var/lib/outdial/recordings",
    default: "recordings in the data folder",
  }),
} as const;

export interface FollowUpSettings {
  /** Hosts, addresses and ranges that may be sent to although they are not public. */
  readonly outboundAllow: readonly string[];
  readonly recordingsDir: string;
}

export function readFollowUpSettings(
  values: ValuesOf<typeof FOLLOW_UP_SETTINGS>,
  dataDir: string,
): FollowUpSettings {
  return {
    outboundAllow: values.OUTDIAL_OUTBOUND_ALLOW,
    recordingsDir: path.resolve(values.OUTDIAL_RECORDINGS_DIR ?? path.join(dataDir, "recordings")),
  };
}
