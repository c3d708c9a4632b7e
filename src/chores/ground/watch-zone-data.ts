import {
  isOldZoneData,
  OLD_ZONE_DATA_REMEDY,
  zoneDataText,
  type ZoneDataFacts,
} from "../../domain/time/zone-age.ts";
import { listAttention, raiseAttention, resolveAttention } from "../../ledger/ground/attention.ts";
import type { ActivityDeps } from "../../activities/deps.ts";

const KIND = "zone_data_old";

/**
 * Tells people when the rules of time zones are old, once for each release: where no newer one is out, the entry can
 * be resolved, and does not come back.
 *
 * Safe to repeat.
 */
export async function watchZoneData(
  { ledger, now }: Pick<ActivityDeps, "ledger" | "now">,
  zones: ZoneDataFacts,
): Promise<void> {
  const nowMs = now();
  const isOld = isOldZoneData(zones, nowMs);
  const { items } = await listAttention(ledger.db, { kind: KIND, resolved: true, limit: 200 });
  for (const { subject, resolvedAtMs } of items) {
    if (resolvedAtMs !== undefined || (isOld && subject === zones.version)) continue;
    const resolution = `the time zone data ${zones.version} is in use`;
    await resolveAttention(ledger.db, { kind: KIND, subject, by: "engine", resolution, nowMs });
  }
  if (!isOld || items.some(({ subject }) => subject === zones.version)) return;
  await raiseAttention(ledger.db, {
    kind: KIND,
    subject: zones.version,
    brand: "default",
    summary: `the time zone data ${zoneDataText(zones)} is older than half a year: where a country changed its clocks since, calling hours there are off`,
    remedy: OLD_ZONE_DATA_REMEDY,
    nowMs,
  });
}
