import { nextInLine, shareLines } from "../../domain/campaigns/account-lines.ts";
import { noteOffered, readLineClaims, withdrawClaims } from "../../ledger/campaigns/line-claims.ts";
import type { ActivityDeps } from "../deps.ts";

/** What offering lines needs. */
export type OfferDeps = Pick<ActivityDeps, "ledger" | "account" | "wake" | "now" | "log">;

/** Offers under way, by ledger: whoever comes meanwhile has another one made after it, with the others who came. */
const underWay = new WeakMap<OfferDeps["ledger"], { now: Promise<void>; next: Promise<void> | undefined }>();

/**
 * Wakes up the campaigns whose turn it is to take the account's idle lines. Nothing where lines are not shared. A hint:
 * one that is lost costs others two seconds (`keepLinesFull`), so a ledger that is away fails nobody here.
 */
export async function offerLines(deps: OfferDeps): Promise<void> {
  if (!deps.account) return;
  try {
    await offerOnce(deps);
  } catch (error) {
    deps.log.warn({ error: String(error) }, "idle lines could not be offered; they will be, within seconds");
  }
}

function offerOnce(deps: OfferDeps): Promise<void> {
  const others = underWay.get(deps.ledger);
  if (!others) return begin(deps);
  others.next ??= others.now.catch(() => {}).then(() => begin(deps));
  return others.next;
}

function begin(deps: OfferDeps): Promise<void> {
  const now = offer(deps).finally(() => {
    if (underWay.get(deps.ledger)?.now === now) underWay.delete(deps.ledger);
  });
  underWay.set(deps.ledger, { now, next: undefined });
  return now;
}

/** The same on a clock of its own, for offers that were lost and for campaigns that were offered lines and don't move. */
export async function keepLinesFull(deps: OfferDeps): Promise<void> {
  if (!deps.account) return;
  const passedOver = await withdrawClaims(deps.ledger, deps.now());
  if (passedOver > 0) deps.log.warn({ campaigns: passedOver }, "campaigns that wait for lines do not plan");
  await offer(deps);
}

async function offer({ ledger, account, wake, now }: OfferDeps): Promise<void> {
  if (!account) return;
  const claims = await readLineClaims(ledger.db);
  const next = nextInLine(shareLines(account, claims, now()), claims);
  const ids = next.map(({ id }) => id);
  if (ids.length === 0) return;
  await noteOffered(ledger.db, ids, now());
  // Those, too, whose row somebody has at the moment: it may be for something else than a planning.
  for (const id of ids) wake.campaign(id);
}
