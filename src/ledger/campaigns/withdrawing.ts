import { sql } from "drizzle-orm";

import { isOver } from "../../domain/campaigns/campaign-state.ts";
import type { ContactState } from "../../domain/campaigns/contact-state.ts";
import { writeAudit } from "../ground/audit.ts";
import { CommandRefusedError } from "../ground/command-refused.ts";
import { firstRow, rows, type Db, type Ledger } from "../ground/connection.ts";
import { putOutbox } from "../ground/outbox.ts";
import { at, listOf } from "../ground/sql.ts";
import { requestStop } from "./batches.ts";
import { lockCallbacksOf, lockCampaign, readCampaign, type Campaign } from "./campaigns.ts";
import { UnknownCampaignError } from "./commands.ts";
import { recordRefusals } from "./explanations.ts";
import { refuseContacts } from "./leasing.ts";

/*
 * Taking people out of one campaign, and out of its callbacks, while it goes on. It says nothing of other campaigns:
 * that is a suppression.
 *
 * 1. It is one transaction under the locks that leasing, starting and settling take. From its commit on no start is
 *    permitted for them, and batches that may be dialing them are asked to stop: what is left to do follows from the
 *    ledger alone (`stop_requested_at`), so that whoever is killed behind the commit stops none of them for long.
 * 2. Whoever waits is excluded. Whoever is on a batch that was never started comes off it, and is excluded then.
 * 3. Of whoever may be ringing nothing is decided here (I1): `reason` on a leased contact says that no other attempt
 *    follows (placement-changes.ts). They are done with what the call comes to, or excluded where it is proven that
 *    nobody was called.
 * 4. A number stays withdrawn for as long as the campaign is there: it takes nobody twice, and no callback is placed.
 */

/** Of contacts, refusals and batches' people: why they ended. */
const WITHDRAWN = "withdrawn";

/** Numbers in one transaction: it holds the campaign's lock, and the embedded ledger's only connection. */
export const MOST_WITHDRAWN = 1_000;

export interface WithdrawInput {
  campaignId: string;
  /** These numbers, in E.164 form; or everybody who is not through, as many as one transaction takes. */
  whom: { phones: readonly string[] } | "everybody_open";
  actor: string;
  reason: string;
  nowMs: number;
}

/** Each number is in one of these. */
export interface Withdrawal {
  /** Nobody calls them for this campaign any more. */
  excluded: number;
  /** Their call may be up. It ends by itself, and no other follows. */
  inFlight: number;
  /** They were withdrawn before, and nothing of them was open. */
  already: number;
  /** They were through before. */
  over: number;
  /** They are not in the campaign. */
  unknown: readonly string[];
  /** Everybody was meant, and there are more: withdraw again. */
  isLeft: boolean;
  stoppedBatchIds: string[];
  /** Campaigns of which somebody was taken, to be woken up. */
  campaignIds: string[];
}

/**
 * Withdraws people from a campaign and its callbacks. Safe to repeat: it changes nothing then.
 *
 * @throws UnknownCampaignError; CommandRefusedError for a standing campaign, whose people belong to what it stands for.
 */
export function withdrawContacts(ledger: Ledger, input: WithdrawInput): Promise<Withdrawal> {
  return ledger.transaction((tx) => withdrawIn(tx, input));
}

async function withdrawIn(tx: Db, input: WithdrawInput): Promise<Withdrawal> {
  const campaign = await lockCampaign(tx, input.campaignId);
  if (!campaign) throw new UnknownCampaignError(`there is no campaign ${input.campaignId}`);
  if (campaign.standing) throw await refusalOfStanding(tx, campaign);
  const campaigns = [campaign, ...(await lockCallbacksOf(tx, campaign.id))];
  const found =
    input.whom === "everybody_open"
      ? await findOpen(tx, campaigns)
      : await findByNumber(tx, campaigns, input.whom.phones);
  const fresh = await noteWithdrawn(tx, campaign, found, input);
  const stoppedBatchIds: string[] = [];
  const told: Found[] = [];
  const campaignIds: string[] = [];
  for (const one of campaigns) {
    const own = found.filter((contact) => contact.campaignId === one.id && isOpen(contact));
    if (own.length === 0) continue;
    stoppedBatchIds.push(...(await takeOut(tx, one, own, input)));
    told.push(...own);
    if (!isOver(one.state)) campaignIds.push(one.id);
  }
  const inFlight = await phonesInFlight(tx, told);
  const counts = countsOf(input.whom, found, { fresh, inFlight });
  const { nowMs, actor, reason } = input;
  if (fresh.size + told.length > 0) {
    const { unknown, ...numbers } = counts;
    const detail = { ...numbers, unknown: unknown.length, reason, stoppedBatches: stoppedBatchIds.length };
    const { excluded, inFlight: in_flight } = numbers;
    await writeAudit(tx, {
      nowMs,
      actor,
      action: "campaign.withdraw",
      campaignId: campaign.id,
      detail,
      event: { type: "campaign.people_withdrawn", data: { actor, reason, excluded, in_flight } },
    });
  }
  await putOutbox(
    tx,
    campaignIds.map((subject) => ({ kind: "campaign", subject, dueAtMs: nowMs })),
  );
  const isLeft = input.whom === "everybody_open" && found.length === MOST_WITHDRAWN;
  return { ...counts, isLeft, stoppedBatchIds, campaignIds };
}

async function refusalOfStanding(tx: Db, { parentId, name }: Campaign): Promise<CommandRefusedError> {
  const parent = parentId === undefined ? undefined : await readCampaign(tx, parentId);
  return new CommandRefusedError(
    parent
      ? `these are the callbacks of campaign "${parent.name}": withdraw people from that, which takes their callbacks back, too`
      : `campaign "${name}" has the calls of a sequence: take people out of that (outdial sequence exit), which takes their calls back, too`,
  );
}

interface Found {
  id: number;
  phone: string;
  campaignId: string;
  state: ContactState;
  /** It was taken back before; of one that is leased: its call may be up. */
  isTold: boolean;
}

/** What a withdrawal changes. */
function isOpen({ state, isTold }: Found): boolean {
  return state === "open" || (state === "leased" && !isTold);
}

const idsOf = (campaigns: readonly Campaign[]) =>
  listOf(
    campaigns.map(({ id }) => id),
    "uuid",
  );

function findByNumber(tx: Db, campaigns: readonly Campaign[], phones: readonly string[]): Promise<Found[]> {
  return rows(
    tx,
    sql`select id, phone, campaign_id as "campaignId", state, reason is not null as "isTold" from contacts
        where phone in ${listOf(phones, "text")} and campaign_id in ${idsOf(campaigns)} order by id`,
  );
}

/** Whoever is not through: by the index of who is open, and by the batches of who is not. */
function findOpen(tx: Db, campaigns: readonly Campaign[]): Promise<Found[]> {
  return rows(
    tx,
    sql`(select c.id, c.phone, c.campaign_id as "campaignId", c.state, false as "isTold"
           from batches b join attempts a on a.batch_id = b.id and a.state in ('open', 'provisional')
             join contacts c on c.id = a.contact_id
           where b.campaign_id in ${idsOf(campaigns)} and b.state <> 'settled' and c.state = 'leased' and c.reason is null
           limit ${MOST_WITHDRAWN})
        union all
        (select c.id, c.phone, c.campaign_id as "campaignId", c.state, false as "isTold"
           from lanes l join contacts c on c.lane_id = l.id and c.state = 'open'
           where l.campaign_id in ${idsOf(campaigns)} limit ${MOST_WITHDRAWN})
        limit ${MOST_WITHDRAWN}`,
  );
}

/** Writes down who, by whom and why. The numbers for which nobody had before. */
async function noteWithdrawn(
  tx: Db,
  campaign: Campaign,
  found: readonly Found[],
  { actor, reason, nowMs }: WithdrawInput,
): Promise<Set<string>> {
  if (found.length === 0) return new Set();
  const phones = [...new Set(found.map(({ phone }) => phone))];
  const noted = await rows<{ phone: string }>(
    tx,
    sql`insert into withdrawals (campaign_id, phone, actor, reason, at)
        select ${campaign.id}::uuid, p.phone, ${actor}, ${reason}, ${at(nowMs)}
        from ${listOf(phones, "text")} as p(phone) order by p.phone
        on conflict do nothing returning phone`,
  );
  return new Set(noted.map(({ phone }) => phone));
}

/** Takes contacts out of one of the campaigns, whose lock is held. Returns the batches that were asked to stop. */
async function takeOut(
  tx: Db,
  campaign: Campaign,
  contacts: readonly Found[],
  { actor, reason, nowMs }: WithdrawInput,
): Promise<string[]> {
  const idsIn = (state: ContactState) => contacts.filter((one) => one.state === state).map(({ id }) => id);
  await refuseContacts(tx, campaign, {
    excluded: idsIn("open").map((id) => ({ id, reason: WITHDRAWN })),
    postponed: [],
    nowMs,
  });
  await recordRefusals(tx, {
    refusals: contacts.map(({ id: contactId }) => ({
      contactId,
      reason: WITHDRAWN,
      detail: `withdrawn by ${actor}: ${reason}`,
    })),
    policyVersion: campaign.policyVersion,
    nowMs,
  });
  const leased = idsIn("leased");
  if (leased.length === 0) return [];
  await rows(
    tx,
    sql`update contacts set reason = ${WITHDRAWN}, held = false where id in ${listOf(leased, "bigint")} and state = 'leased'`,
  );
  const batches = await rows<{ id: string }>(
    tx,
    sql`select distinct batch_id as id from attempts where contact_id in ${listOf(leased, "bigint")} and state = 'open'`,
  );
  const batchIds = batches.map(({ id }) => id);
  await requestStop(tx, { campaign, batchIds, reason: "withdrawal", nowMs });
  return batchIds;
}

/** Of those who were taken out, whoever may still be ringing: others came off a batch that was never started. */
async function phonesInFlight(tx: Db, told: readonly Found[]): Promise<Set<string>> {
  const leased = told.filter(({ state }) => state === "leased").map(({ id }) => id);
  if (leased.length === 0) return new Set();
  const left = await rows<{ phone: string }>(
    tx,
    sql`select phone from contacts where id in ${listOf(leased, "bigint")} and state = 'leased'`,
  );
  return new Set(left.map(({ phone }) => phone));
}

/** Somebody may be in the campaign and among its callbacks: what is open of them decides. */
function countsOf(
  whom: WithdrawInput["whom"],
  found: readonly Found[],
  { fresh, inFlight }: { fresh: ReadonlySet<string>; inFlight: ReadonlySet<string> },
): Pick<Withdrawal, "excluded" | "inFlight" | "already" | "over" | "unknown"> {
  const byPhone = new Map<string, Found[]>();
  for (const contact of found) byPhone.set(contact.phone, [...(byPhone.get(contact.phone) ?? []), contact]);
  const counts = { excluded: 0, inFlight: 0, already: 0, over: 0 };
  for (const [phone, contacts] of byPhone) {
    if (inFlight.has(phone)) counts.inFlight += 1;
    else if (contacts.some(isOpen)) counts.excluded += 1;
    else if (fresh.has(phone)) counts.over += 1;
    else counts.already += 1;
  }
  const unknown =
    whom === "everybody_open" ? [] : [...new Set(whom.phones)].filter((phone) => !byPhone.has(phone));
  return { ...counts, unknown };
}

/** When somebody was withdrawn from a campaign, and why; undefined where nobody did. */
export function findWithdrawal(
  db: Db,
  campaignId: string,
  phone: string,
): Promise<{ actor: string; reason: string } | undefined> {
  return firstRow(
    db,
    sql`select actor, reason from withdrawals where campaign_id = ${campaignId}::uuid and phone = ${phone}`,
  );
}
