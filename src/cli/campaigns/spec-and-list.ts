import type { CampaignSpec } from "../../domain/campaigns/campaign-spec.ts";
import type { Api } from "../api/client.ts";
import { checkList, findList, openList, readMap, type ListReading } from "../contact-list.ts";
import type { Voice } from "../context.ts";
import { countText, numberText } from "../view/words.ts";
import { readSpecFile } from "./run/spec-file.ts";

export interface SpecAndListOptions {
  contacts?: string;
  map: readonly string[];
  defaultRegion?: string;
}

export interface SpecAndList {
  spec: CampaignSpec;
  /** Adds the list to the campaign, where there is one, and says what became of its rows. */
  takeList: (api: Api, campaignId: string) => Promise<string[]>;
}

/** Reads a campaign and its list to their ends, and says who on it can never be called. */
export async function readSpecAndList(
  voice: Voice,
  file: string,
  { contacts, map, defaultRegion }: SpecAndListOptions,
): Promise<SpecAndList> {
  const spec = readSpecFile(file);
  const reading: ListReading = { map: readMap(map), defaultRegion: defaultRegion ?? spec.default_region };
  if (contacts === undefined) return { spec, takeList: async () => [] };
  const list = await findList(contacts);
  for (const line of await checkList(list, reading, spec, false)) voice.tell([voice.colours.yellow(line)]);
  return {
    spec,
    takeList: async (api, campaignId) => {
      const { rows, already } = await api.campaigns.upload(campaignId, {
        readable: openList(list, () => {}),
        digest: list.digest,
        sourceName: list.name,
        ...reading,
      });
      const taken = `${countText(rows.read, "row")} read, ${countText(rows.accepted, "contact")} taken, ${numberText(rows.rejected)} rejected, ${numberText(rows.duplicate)} duplicate`;
      return [`${list.name}: ${taken}${already ? " (it was in the campaign already)" : ""}`];
    },
  };
}
