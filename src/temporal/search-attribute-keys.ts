import { defineSearchAttributeKey, SearchAttributeType, type SearchAttributePair } from "@temporalio/common";

/*
 * What Temporal finds workflows by: the same as their memo shows (faces.ts), and how a campaign stands. Workflows may use
 * this: pure.
 */

const NAME = defineSearchAttributeKey("OutdialName", SearchAttributeType.KEYWORD);
const BRAND = defineSearchAttributeKey("OutdialBrand", SearchAttributeType.KEYWORD);
const PERSON = defineSearchAttributeKey("OutdialPerson", SearchAttributeType.KEYWORD);
const STATE = defineSearchAttributeKey("OutdialState", SearchAttributeType.KEYWORD);

/** Keywords, all of them: what has to be registered in a namespace before a workflow may carry it. */
export const SEARCH_ATTRIBUTES: readonly string[] = [NAME, BRAND, PERSON, STATE].map((key) => key.name);

/** PostgreSQL and MySQL keep so much of a keyword, and refuse the workflow where it is longer. */
const LONGEST_KEYWORD = 255;

function keyword(text: string): string {
  return Array.from(text).slice(0, LONGEST_KEYWORD).join("");
}

/**
 * Stands in the memo of whatever carries search attributes. A workflow must not read its own instead: what it is told of
 * them at a replay depends on what its namespace knows by then.
 */
export const SEARCHABLE = "searchable";

/** What a workflow is found by at its start, by what stands in its memo. */
export function searchAttributesOf(memo: Readonly<Record<string, unknown>>): SearchAttributePair[] {
  return [
    { key: NAME, value: memo["name"] },
    { key: BRAND, value: memo["brand"] },
    { key: PERSON, value: memo["person"] },
  ].flatMap(({ key, value }) => (typeof value === "string" ? [{ key, value: keyword(value) }] : []));
}

/** What a campaign is found by from now on. */
export function searchAttributeOfState(state: string): SearchAttributePair {
  return { key: STATE, value: state };
}
