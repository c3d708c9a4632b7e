import { batchSummary, shortened } from "./summaries.ts";

/*
 * What Temporal's web UI shows of a workflow: one line, and a memo of what and whom it is about. Names are those that
 * people gave to campaigns and sequences; a person's number is masked, everything else of people stays in the ledger.
 */

/** The part of a workflow's start that people see. */
export interface Face {
  /** One line. */
  staticSummary: string;
  memo: Readonly<Record<string, string>>;
}

/** Whom and what a workflow is about, as the ledger has it. */
export interface Subject {
  /** What people call the campaign, sequence, automation or schedule. */
  name?: string;
  brand?: string;
  /** The person's number, masked. */
  person?: string;
}

/** @param words what the workflow is, such as "Follow-up of a call of"; the subject's name stands behind it */
export function faceOf(words: string, { name, brand, person }: Subject): Face {
  const whom = person === undefined ? "" : `: ${person}`;
  const about = name === undefined ? "" : ` ${name}`;
  return {
    staticSummary: shortened(`${words}${about}${whom}`),
    memo: {
      ...(name !== undefined && { name }),
      ...(brand !== undefined && { brand }),
      ...(person !== undefined && { person }),
    },
  };
}

/** A batch's, with the memo of its campaign: as the campaign's workflow has it. */
export function faceOfBatch(campaign: Subject): Face {
  return { ...faceOf("Batch of", campaign), staticSummary: batchSummary(campaign.name) };
}
