import { callerObjections, stickyObjections } from "./dial-callers.ts";
import { journeyObjections } from "./dial-journeys.ts";
import { lineObjections } from "./dial-lines.ts";
import { orderObjections } from "./dial-order.ts";
import type { Running } from "./dial-records.ts";
import type { DialLife, LivedContact } from "./dial-life.ts";
import { mayBeLeftOut, objectionsTo, ofCallbacks, type Dial } from "./dial-oracle.ts";
import { pauseObjections } from "./dial-pauses.ts";

/** What speaks against a life that is over: each dial, and each end of somebody, with why it should not be. */
export async function objectionsToLife(lived: DialLife): Promise<unknown[]> {
  const { log, campaigns } = lived;
  const found: unknown[] = [];
  for (const [index, dial] of log.entries()) {
    const objections = objectionsTo(dial, log.slice(0, index));
    if (objections.length > 0) found.push({ at: new Date(dial.atMs).toISOString(), ...dial, objections });
  }
  found.push(...objectionsToCallers(lived), ...objectionsToVariants(log), ...lived.liveness.objections);
  found.push(...lineObjections(log, lived.engine.planned, lived.account));
  for (const journey of await lived.journeys())
    found.push(...journeyObjections(journey, { log, turnsMs: lived.sequences.turnsMs }));
  for (const campaign of campaigns) {
    const { name } = campaign.specs[0] ?? {};
    if (!campaign.isStanding)
      found.push(...pauseObjections(campaign.events).map((objection) => ({ name, objection })));
    const contacts = await lived.contactsOf(campaign);
    found.push(...orderObjections(campaign, contacts, { log, planned: lived.engine.planned }));
    for (const contact of contacts) {
      const { id, phone, state, reason } = contact;
      if (!isFairEnd(lived, campaign, contact)) found.push({ name, id, phone, state, reason, isFair: false });
    }
  }
  return found;
}

function isFairEnd(lived: DialLife, campaign: Running, { id, state, reason, person }: LivedContact): boolean {
  const own = lived.log.filter((dial) => dial.contact === id);
  if (state === "done") return own.length > 0;
  // Somebody left, or a call that was given up in the end.
  const asked = lived.sequences.calls.find(({ contact }) => contact === id)?.enrolment;
  if (asked && (reason === "give_up" || (reason === "exited" && asked.hasLeft))) return true;
  const { brand, parent } = campaign;
  // Callbacks obey the campaign whose they are, and may be told by themselves.
  const obeyed = parent ?? campaign;
  const facts = {
    own,
    wasSuppressed: lived.wasSuppressed(person.phone, brand),
    wasWithdrawn: obeyed.withdrawn.has(person.phone),
    wasCancelled: campaign.cancelled || obeyed.cancelled,
    hasCalledUs: lived.hasCalledUs(person.phone),
    isAlwaysWelcome: lived.isAlwaysWelcome(person, brand),
  };
  const specs = parent ? parent.specs.map(ofCallbacks) : campaign.specs;
  return state === "excluded" && mayBeLeftOut(reason ?? "", person, specs, facts);
}

function objectionsToCallers({ engine: { planned, rests }, log }: DialLife): unknown[] {
  const ofBatches = planned.flatMap((batch) => {
    const dials = log.filter((dial) => dial.batch === batch.id);
    const objections = callerObjections(batch, dials, { log, planned, rests });
    return objections.length === 0 ? [] : [{ ...batch, campaign: batch.campaign.id, objections }];
  });
  const people = new Map(log.map(({ person }) => [person.phone, person]));
  const unstuck = [...people.keys()].flatMap((phone) => {
    const dials = log.filter(({ person }) => person.phone === phone);
    return stickyObjections(dials, { planned, rests }).map((objection) => ({ phone, objection }));
  });
  return [...ofBatches, ...unstuck];
}

/** Somebody is called by the same variant each time, in all campaigns of a brand that compare the same ones. */
function objectionsToVariants(log: readonly Dial[]): unknown[] {
  const seen = new Map<string, string | undefined>();
  return log.flatMap<object>(({ brand, person: { phone }, variant, rules: { spec } }) => {
    const names = spec.variants?.map(({ name }) => name);
    if (names === undefined)
      return variant === undefined ? [] : [{ phone, variant, objection: "no such variant" }];
    const key = `${brand} ${phone} ${names.join()}`;
    const before = seen.get(key) ?? variant;
    seen.set(key, variant);
    const isFair = variant !== undefined && names.includes(variant) && variant === before;
    return isFair ? [] : [{ phone, before, variant, objection: "another variant than before" }];
  });
}
