/**
 * Why a contact is not dialed now, each with what it means (Markdown), in the order of the rules. The ledger's refusals
 * and holds use the same words (I7), and `docs/policies.md` has its table from here.
 */
export const NEVER_REASONS = {
  suppressed: "the number is suppressed, for the brand or everywhere",
  number_not_allowed: "its kind or its country is none that [`numbers`](#which-numbers-may-be-called) allows",
  no_consent:
    "`consent`, or a [preset](presets.md), asks for consent, and none such is known of the number, or it was [withdrawn](contacts.md#consent)",
  consent_expired: "consent was given, and has ended, or ends within minutes",
  max_attempts: "it has had its attempts",
  max_per_disposition: "its last disposition has come as often as the cap allows",
  called_back: "the contact called us, and `inbound` is `close`",
  called_lately:
    "another campaign of the brand, or another run of this one, called the number within `not_called_within`",
  called_often: "the number is at a cap of `frequency` that ends contacts",
  after_end: "the campaign's `ends_at` has passed",
  no_common_window: "no opening in all its zones within 14 days, days off aside",
  no_transfer_hours:
    "its window and the hours of those who take [transferred calls](#transfers) are not open at once within 14 days, days off aside; the detail names both",
} as const;
export const WAIT_REASONS = {
  before_start: "the campaign's `starts_at` is to come",
  window:
    "closed now in one of its zones, or closing too soon for a call to begin; the detail names the rule of a [preset](presets.md), where one is why",
  day_off:
    "it would be open now, or sooner, but for a date in one of its zones: a blackout, an exception or a holiday, the campaign's own or one of a [preset](presets.md)",
  missing_source:
    "a source that [`requires_sources`](suppressions.md#required-sources) names is not there for the campaign's brand, or has no list yet; whoever puts it right lets the campaign go on at once",
  transfer_closed:
    "those who take [transferred calls](#transfers) are not there now, or go too soon for a call to begin",
  stale_list:
    "a [source of suppressions](suppressions.md#age) in the campaign's scope has a list that is older than it may be, or none yet; whoever renews it lets the campaign go on at once",
  called_back_lately: "the contact called us, and `inbound` leaves them alone for a while",
  called_just_now:
    "the brand called the number less than `least_gap` ago, or the contact itself less than that and its retry's delay",
  frequency: "the number is at a cap of `frequency` or of a [preset](presets.md)",
  not_due: "its retry is not due",
  open_attempt: "another attempt on the number is open, in any campaign; looked at again a minute later",
  undecided_call:
    "another call of the brand to the number is over, or the person called us, and the analysis of that, by which the person may have [opted out](dispositions.md), is still to come; looked at again every minute, an hour beyond that campaign's `analysis.wait` at most (an hour after a call to us). The same of one that would be a conversation too many for `frequency`, if it was one, until it is known",
  not_scrubbed:
    "a [scrubbing service](suppressions.md#scrubbing-services) in the campaign's scope has not said that the number may be dialed, or too long ago; it is asked, and its answer lets the contact go on at once",
} as const;

export type WaitReason = keyof typeof WAIT_REASONS;
export type NeverReason = keyof typeof NEVER_REASONS;

/** Reasons to wait that hold for everyone in a set of zones, by the campaign and the clock alone. */
export const ZONE_WAITS: ReadonlySet<WaitReason> = new Set([
  "before_start",
  "window",
  "day_off",
  "transfer_closed",
  "stale_list",
  "missing_source",
]);
