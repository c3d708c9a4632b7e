import { useEffect, useState } from "preact/hooks";

import { ago, moment, OWN_ZONE } from "../format.ts";
import { words } from "../words.ts";

const MINUTE_MS = 60_000;

/** Whatever is shown as it lies from now. */
const shown = new Set<() => void>();
let minutes: ReturnType<typeof setInterval> | undefined;

/** Shows whatever uses it anew once a minute, all in one moment, without anything being asked for. */
export function useMinutes(): void {
  const [, again] = useState(0);
  useEffect(() => {
    const show = () => again((times) => times + 1);
    shown.add(show);
    minutes ??= setInterval(() => {
      for (const one of shown) one();
    }, MINUTE_MS);
    return () => {
      shown.delete(show);
      if (shown.size > 0) return;
      clearInterval(minutes);
      minutes = undefined;
    };
  }, []);
}

/** A moment as people say it, with the moment itself behind it. */
export function When({ at }: { at: string | null | undefined }) {
  useMinutes();
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
