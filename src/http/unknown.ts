import { Problem } from "./problem.ts";

/*
 * Answers about what is not there, each in one place: what is of a brand that the caller is not for is answered by the
 * same words.
 */

export function unknownSequence(ref: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_sequence",
    detail: `there is no sequence ${JSON.stringify(ref)}: list them with \`outdial sequence list\`, and name the brand where it is not the default one`,
  });
}

/** Versions of a sequence are counted from 1, and all of them are kept. */
export function unknownVersion(
  { name, version: newest }: { name: string; version: number },
  version: number,
): Problem {
  return new Problem({
    status: 404,
    code: "unknown_sequence",
    detail: `sequence ${JSON.stringify(name)} has no version ${version}: its newest is ${newest}, and its first 1`,
  });
}

export function unknownEnrolment(id: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_enrolment",
    detail: `there is no enrolment ${id}: \`outdial sequence enrolments <sequence>\` lists those of a sequence`,
  });
}

const FOLLOW_UPS = "`outdial follow-up list` has the follow-ups, and `outdial follow-up show` their actions";

export function unknownFollowUp(id: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_follow_up",
    detail: `there is no follow-up ${id}: ${FOLLOW_UPS}`,
  });
}

export function unknownAction(id: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_action",
    detail: `there is no action ${id}: ${FOLLOW_UPS}`,
  });
}

export function unknownAttention(id: number | string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_attention",
    detail: `there is no entry ${id} in the attention list: see \`outdial attention list\` or GET /v1/attention`,
  });
}

export function unknownBlackout(id: number | string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_blackout",
    detail: `there is no blackout ${id}: list them to see which there are`,
  });
}

export function unknownSource(name: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_source",
    detail: `there is no source of suppressions named ${name}: list them to see which there are`,
  });
}

/** Its id is not said again: some platforms may make theirs of a number. */
export function unknownCall(): Problem {
  return new Problem({
    status: 404,
    code: "unknown_call",
    detail: `the ledger has no call with this id: \`outdial campaign calls <campaign>\` or GET /v1/campaigns/{ref}/calls lists those of a campaign, with the platform's ids`,
  });
}

export function unknownBatch(id: string, campaign: { name: string; run: number }): Problem {
  return new Problem({
    status: 404,
    code: "unknown_batch",
    detail: `campaign "${campaign.name}" (run ${campaign.run}) has no batch ${id}: \`outdial campaign batches <campaign>\` or GET /v1/campaigns/{ref}/batches lists them`,
  });
}

export function unknownContact(campaign: { name: string; run: number }): Problem {
  return new Problem({
    status: 404,
    code: "unknown_contact",
    detail: `campaign "${campaign.name}" (run ${campaign.run}) has no contact with this number: see rejects.csv for the rows of its lists that made none`,
  });
}

export function unknownTrigger(name: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_trigger",
    detail: `there is no trigger ${JSON.stringify(name)}: list them with \`outdial trigger list\``,
  });
}

export function unknownDelivery(): Problem {
  return new Problem({
    status: 404,
    code: "unknown_delivery",
    detail: "there is no such delivery: list them with `outdial trigger deliveries`",
  });
}

export function unknownSchedule(name: string): Problem {
  return new Problem({
    status: 404,
    code: "unknown_schedule",
    detail: `there is no schedule ${JSON.stringify(name)}: list them with \`outdial schedule list\``,
  });
}
