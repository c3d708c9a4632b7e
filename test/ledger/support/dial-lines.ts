import type { AccountLines } from "../../../src/domain/campaigns/account-lines.ts";
import type { Dial } from "./dial-oracle.ts";
import type { Planned, Running } from "./dial-records.ts";

/* A second reading of how many calls may be up at once: of a campaign, of a brand, and of the whole account. */

/** Calls that are up. */
export function upAt(calls: readonly Dial[], atMs: number): Dial[] {
  return calls.filter((call) => call.atMs <= atMs && atMs < call.endMs);
}

/** At most so many lines have these, while all who are on them wait or are called. */
export function taken(batches: readonly Planned[]): number {
  return batches.reduce((sum, { size }) => sum + size, 0);
}

/** Lists; calls that are placed one by one have what is kept for them, too. */
const isList = ({ isStanding }: Running): boolean => !isStanding;

/** Whether the account has a line for one call more of a campaign. */
export function hasLineOfAccount(
  campaign: Running,
  underWay: readonly Planned[],
  account: AccountLines | undefined,
): boolean {
  if (account === undefined) return true;
  const { limit, reserve, brands } = account;
  const { brand } = campaign;
  return (
    taken(underWay) < limit &&
    taken(underWay.filter((one) => one.campaign.brand === brand)) < (brands?.get(brand) ?? limit) &&
    (!isList(campaign) || taken(underWay.filter((one) => isList(one.campaign))) < limit - reserve)
  );
}

/**
 * What speaks against a call for how many are up. Lines were given to its batch when that was planned: those that were
 * planned later took what was left then.
 */
export function lineObjections(
  log: readonly Dial[],
  planned: readonly Planned[],
  account: AccountLines | undefined,
): object[] {
  const batches = new Map(planned.map((one) => [one.id, one]));
  return log.flatMap<object>((dial) => {
    const own = batches.get(dial.batch);
    if (own === undefined) return [{ dial, objection: "its batch was never planned" }];
    const up = upAt(log, dial.atMs).flatMap(({ batch }) => batches.get(batch) ?? []);
    const before = up.filter(({ planning }) => planning <= own.planning);
    const { limit = Number.POSITIVE_INFINITY, reserve = 0, brands } = account ?? {};
    const { brand } = own.campaign;
    const counts: [string, number, number][] = [
      ["of its batch", up.filter(({ id }) => id === own.id).length, own.slots],
      [
        "of its campaign",
        before.filter(({ campaign }) => campaign === own.campaign).length,
        own.spec.concurrency,
      ],
      [
        "of its brand",
        before.filter(({ campaign }) => campaign.brand === brand).length,
        brands?.get(brand) ?? Number.POSITIVE_INFINITY,
      ],
      ["of the account", before.length, limit],
    ];
    if (reserve > 0 && isList(own.campaign))
      counts.push(["of lists", before.filter(({ campaign }) => isList(campaign)).length, limit - reserve]);
    return counts
      .filter(([, count, most]) => count > most)
      .map(([whose, count, most]) => ({
        at: new Date(dial.atMs).toISOString(),
        phone: dial.person.phone,
        objection: `${count} calls ${whose} are up where ${most} may be`,
      }));
  });
}
