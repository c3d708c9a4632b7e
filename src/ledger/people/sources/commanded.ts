import { sql } from "drizzle-orm";

import { acceptedAt } from "../../campaigns/contact-facts.ts";
import { rows, type Db } from "../../ground/connection.ts";
import {
  campaignOf,
  CAMPAIGN_COLUMNS,
  isOfBrand,
  momentOf,
  OF_CONTACT,
  pageOf,
  type CampaignColumns,
  type EntryRow,
  type FoundEntry,
  type StoryQuestion,
} from "../source.ts";

/** What the audit calls it, and what it means to people. `campaign.running` is told apart by when it was first so. */
const COMMANDS = {
  "campaign.paused": "the campaign was paused",
  "campaign.kept_paused": "the campaign was to stay paused",
  "campaign.breaker_closed": "the campaign went on: the probe of its breaker went well",
  "campaign.running": "the campaign went on",
  "campaign.draining": "the campaign was told to end",
} as const;

const STARTED = "the campaign was started";

interface CommandedRow extends EntryRow, CampaignColumns {
  action: keyof typeof COMMANDS;
  actor: string;
  reason: string | null;
  isStart: boolean;
}

/** Who started, paused, resumed and ended a campaign while it had the contact: people, and itself. */
export async function readCommanded(db: Db, question: StoryQuestion): Promise<FoundEntry[]> {
  const found = await rows<CommandedRow>(
    db,
    pageOf(
      sql`select distinct on (a.id) 'commanded:' || a.id as id, ${momentOf(sql`a.at`)}, ${CAMPAIGN_COLUMNS}, a.action, a.actor,
            a.detail ->> 'reason' as reason, (a.action = 'campaign.running' and a.at is not distinct from p.started_at) as "isStart"
          from contacts c ${OF_CONTACT} join audit a on a.campaign_id = c.campaign_id
            and a.action in ('campaign.paused', 'campaign.kept_paused', 'campaign.breaker_closed', 'campaign.running', 'campaign.draining')
          where c.phone = ${question.phone} and ${isOfBrand(sql`p.brand`, question)}
            and (c.ended_at is null or a.at < c.ended_at) and a.at >= ${acceptedAt}
          order by a.id`,
      question,
    ),
  );
  return found.map((row) => {
    const what = row.isStart ? STARTED : COMMANDS[row.action];
    return {
      ...campaignOf(row),
      id: row.id,
      atMs: row.atMs,
      kind: "commanded",
      what: row.reason === null ? what : `${what}: ${row.reason}`,
      facts: { by: row.actor, reason: row.reason },
    };
  });
}
