import { isStricterThanSaid, MINUTE_MS, objectionsTo, type Dial, type Person } from "./dial-oracle.ts";
import { supposedDial, type Planned, type Running } from "./dial-records.ts";

/*
 * A second reading of who is called first. Somebody goes before somebody else where both could be called when the other
 * was planned: of a higher level of `contact_priority` always, of the same one by the order of their list.
 *
 * It speaks of first calls to people whose number nobody had in hand before: of whoever was, the ledger may know better
 * for a minute why they wait.
 */

/** Somebody of a list. Those who stand behind others there have higher ids. */
export interface Listed {
  id: number;
  person: Person;
}

/** What is known of a life. */
interface Lived {
  log: readonly Dial[];
  planned: readonly Planned[];
}

export function orderObjections(
  campaign: Running,
  list: readonly Listed[],
  { log, planned }: Lived,
): object[] {
  if (campaign.isStanding) return [];
  const found: object[] = [];
  const own = planned.filter((one) => one.campaign === campaign);
  const dials = log.filter((dial) => dial.campaign === campaign.id);
  for (const planning of new Set(own.map((one) => one.planning))) {
    const batches = own.filter((one) => one.planning === planning);
    const leased = new Set(
      own.flatMap((one) => (one.planning <= planning ? one.called.map(({ contact }) => contact) : [])),
    );
    const touched = phonesTouched(planning, planned);
    const passedOver = list.filter(
      ({ id, person }) =>
        !leased.has(id) && !touched.has(person.phone) && dials.some(({ contact }) => contact === id),
    );
    for (const batch of batches) {
      for (const { contact: id } of batch.called) {
        const taken = list.find((one) => one.id === id);
        if (taken === undefined) continue;
        for (const other of passedOver) {
          const why = goesBefore(other, taken, { batch, dials, isFirst: !touched.has(taken.person.phone) });
          if (why === undefined || !couldBeCalled(campaign, other, batch)) continue;
          found.push({
            campaign: campaign.specs[0]?.name,
            at: new Date(batch.plannedMs).toISOString(),
            objection: `${taken.person.phone} is planned before ${other.person.phone}, who has ${why}`,
          });
        }
      }
    }
  }
  return found;
}

/** Numbers that were on a batch or were called before. */
function phonesTouched(planning: number, planned: readonly Planned[]): ReadonlySet<string> {
  const before = planned.filter((one) => one.planning < planning);
  return new Set(before.flatMap(({ called }) => called.map(({ phone }) => phone)));
}

function goesBefore(
  other: Listed,
  taken: Listed,
  { batch: { spec }, dials, isFirst }: { batch: Planned; dials: readonly Dial[]; isFirst: boolean },
): string | undefined {
  if (spec.contact_priority !== undefined) {
    const [theirs, its] = [levelOf(other.person), levelOf(taken.person)];
    if (theirs !== its) return theirs > its ? `level ${theirs}, not ${its}` : undefined;
  }
  // Who shares no batch takes lines of the same planning beside each other.
  if (!isFirst || spec.caller_ids !== undefined || !areAlike(other.person, taken.person)) return undefined;
  const variantOf = ({ id }: Listed) => dials.find(({ contact }) => contact === id)?.variant;
  if (variantOf(other) !== variantOf(taken)) return undefined;
  const newestFirst = spec.order === "newest_first";
  if (other.id > taken.id !== newestFirst) return undefined;
  return newestFirst ? "come later" : "come sooner";
}

/** As lists are drawn: what they are worth, from 0 to 9, on ten levels. */
function levelOf({ worth }: Person): number {
  return Math.min(9, Math.floor((worth / 9) * 10));
}

function areAlike(one: Person, other: Person): boolean {
  return one.zones.join() === other.zones.join() && one.places.join() === other.places.join();
}

/** No rule speaks against it, nor a few minutes later: who may be called for a moment only is not called any more. */
function couldBeCalled(campaign: Running, { id, person }: Listed, { rules, plannedMs }: Planned): boolean {
  if (isStricterThanSaid(rules) || rules.calledUs.some(({ phone }) => phone === person.phone)) return false;
  return [plannedMs, plannedMs + 3 * MINUTE_MS].every((atMs) => {
    const dial = supposedDial(campaign, { contact: id, person, atMs, rules });
    return objectionsTo(dial, []).length === 0;
  });
}
