import { PeopleGatherer, type People } from "../domain/campaigns/rehearsal/people.ts";
import { numberKindOf } from "../domain/policy/number-kind.ts";
import { createBreather } from "./breather.ts";
import { openNumbers } from "./read-numbers.ts";
import type { ReadContactsOptions } from "./read-contacts.ts";
import type { ContactSource } from "./text-decoding.ts";
import {
  validateContacts,
  type ContactsValidation,
  type ValidateContactsOptions,
} from "./validate-contacts.ts";

/** A list as an import would take it, in a few bytes a person, and what that import would say. */
export interface RehearsedList {
  people: People;
  validation: ContactsValidation;
}

/** Reads a list to its end, by the rules of an import. Nothing is written. */
export async function readRehearsedPeople(
  source: ContactSource,
  options: ValidateContactsOptions,
  suppressed: ReadonlySet<string>,
): Promise<RehearsedList> {
  const gatherer = new PeopleGatherer();
  const validation = await validateContacts(source, {
    ...options,
    onContact: ({ phone }, zones) => gatherer.add(zones, numberKindOf(phone), suppressed.has(phone)),
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
