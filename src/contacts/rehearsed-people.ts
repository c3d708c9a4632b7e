import { priorityOf } from "../domain/campaigns/list-order.ts";
import { PeopleGatherer, type People } from "../domain/campaigns/rehearsal/people.ts";
import { policyOf, type CampaignSpec } from "../domain/campaigns/campaign-spec.ts";
import { whereUnder } from "../domain/campaigns/whereabouts.ts";
import { asksConsent } from "../domain/policy/dialing-policy.ts";
import { numberKindOf } from "../domain/policy/number-kind.ts";
import { createBreather } from "../ledger/ground/breather.ts";
import type { AcceptedRow } from "./contact-row.ts";
import { openNumbers } from "./read-numbers.ts";
import type { ReadContactsOptions } from "./read-contacts.ts";
import type { ContactSource } from "./text-decoding.ts";
import { validateContacts, type ContactsValidation } from "./validate-contacts.ts";

/** A list as an import would take it, in a few bytes a person, and what that import would say. */
export interface RehearsedList {
  people: People;
  validation: ContactsValidation;
}

interface RehearsedUnder {
  spec: CampaignSpec;
  suppressed: ReadonlySet<string>;
  nowMs: number;
  /** Told of the people of each chunk of rows, before the next one is read. */
  afterChunk?: (
    people: readonly { phone: string; person: number }[],
    gatherer: Pick<PeopleGatherer, "suppress">,
  ) => Promise<void>;
}

/**
 * Reads a list to its end, by the rules of an import into a campaign. Nothing is written.
 *
 * @param suppressed numbers of whom nobody is called.
 */
export async function readRehearsedPeople(
  source: ContactSource,
  options: ReadContactsOptions,
  { spec, suppressed, nowMs, ...asked }: RehearsedUnder,
): Promise<RehearsedList> {
  const gatherer = new PeopleGatherer();
  const policy = policyOf(spec, 1);
  // A row whose number was there before makes no contact, and what it says of consent counts all the same.
  const personOf = asksConsent(policy) ? new Map<string, number>() : undefined;
  let chunk: { phone: string; person: number }[] = [];
  const take = (row: AcceptedRow, isDuplicate: boolean): void => {
    const { phone, consent, variables } = row;
    const person = isDuplicate
      ? personOf?.get(phone)
      : gatherer.add({
          ...whereUnder(spec, row),
          kind: numberKindOf(phone),
          priority: priorityOf(spec.contact_priority, variables),
          isSuppressed: suppressed.has(phone),
        });
    if (asked.afterChunk && !isDuplicate && person !== undefined) chunk.push({ phone, person });
    if (!personOf || person === undefined) return;
    personOf.set(phone, person);
    if (!consent) return;
    const { basis, obtainedAtMs, expiresAtMs } = consent;
    gatherer.consented(person, { basis, atMs: obtainedAtMs, expiresAtMs });
  };
  const validation = await validateContacts(source, {
    ...options,
    campaign: {
      window: policy.window,
      transfers: policy.transfers,
      isStrict: spec.zones === "strict",
      nowMs,
    },
    onContact: take,
    afterChunk: async () => {
      const people = chunk;
      chunk = [];
      await asked.afterChunk?.(people, gatherer);
    },
  });
  return { people: gatherer.people(), validation };
}

/** The numbers of a list of whom not to call, as `outdial suppress import` reads them. */
export async function readSuppressedNumbers(
  source: ContactSource,
  options: ReadContactsOptions,
): Promise<Set<string>> {
  const phones = new Set<string>();
  const breathe = createBreather();
  const { chunks } = await openNumbers(source, options);
  for await (const { rows } of chunks) {
    for (const row of rows) {
      if (row.kind === "numbers") for (const phone of row.phones) phones.add(phone);
    }
    await breathe();
  }
  return phones;
}
