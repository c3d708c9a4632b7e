import { ago, moment, OWN_ZONE } from "../format.ts";
import { words } from "../words.ts";

/** A moment as people say it, with the moment itself behind it. */
export function When({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="quiet">{words.none}</span>;
  return (
    <time dateTime={at} title={`${moment(at)} · ${moment(at, "UTC")}`}>
      {ago(at)}
    </time>
  );
}

/** A moment in somebody's local time, and in UTC, where it proves something. */
export function Proof({ at, zone }: { at: string | null | undefined; zone?: string | undefined }) {
  if (!at) return <span class="quiet">{words.none}</span>;
  return (
    <time dateTime={at}>
      {moment(at, zone ?? OWN_ZONE)} <span class="quiet small">{moment(at, "UTC")}</span>
    </time>
  );
}
