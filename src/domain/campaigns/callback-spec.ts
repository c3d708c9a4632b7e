import type { CampaignSpec } from "./campaign-spec.ts";

/** Longest name of a campaign (campaign-spec.ts), less the ending. */
const ENDING = " callbacks";
const NAME_LIMIT = 100 - ENDING.length;

/**
 * A campaign and its callbacks together have this share of its calls more up than it says, and one at least; not more
 * than those who take its transferred calls are.
 */
const SHARE = 10;

/**
 * The spec under which the callbacks of a campaign are made: the campaign's own policy, agent and numbers, and
 * slots of their own, so that somebody who is waiting for a call does not wait for a long list to make room. Who
 * asked to be called back is not left out for having been called: caps of attempts have them wait, and those of
 * conversations, of which the one in which they asked is one, do not hold.
 * Reading it again changes nothing.
 */
export function callbackSpecOf(parent: CampaignSpec): CampaignSpec {
  const cut = parent.name.slice(0, NAME_LIMIT);
  // A cut may go through the middle of a letter that takes two units.
  const name = cut.isWellFormed() ? cut : cut.slice(0, -1);
  const {
    contacts: _contacts,
    not_called_within: _notCalledWithin,
    ramp_up: _rampUp,
    // They are paused with it, and nobody waits for approval twice.
    breaker: _breaker,
    canary: _canary,
    on_agent_change: _onAgentChange,
    contact_priority: _contactPriority,
    order: _order,
    priority: _priority,
    frequency,
    ...policy
  } = parent;
  const caps = frequency
    ?.filter(({ attempts }) => attempts !== undefined)
    .map((cap) => ({ ...cap, at_cap: "wait" as const }));
  return {
    ...policy,
    ...(caps !== undefined && caps.length > 0 && { frequency: caps }),
    name: `${name}${ENDING}`,
    concurrency: Math.min(
      Math.ceil(parent.concurrency / SHARE),
      parent.transfers?.capacity ?? Number.POSITIVE_INFINITY,
    ),
  };
}
