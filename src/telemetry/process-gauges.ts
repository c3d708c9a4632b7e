import { zoneDataAgeMs, type ZoneDataFacts } from "../domain/time/zone-age.ts";
import type { ClockReading, LimiterState } from "../platform/index.ts";
import type { Instruments } from "./instruments.ts";

export interface ProcessGaugesInput {
  version: string;
  /** By which rules of time zones this process goes. */
  zones: ZoneDataFacts;
  limiter: { readonly state: LimiterState };
  platform: { clock(): ClockReading | undefined };
  now: () => number;
}

/** Has gauges say how this process stands now. */
export function tellProcess(instruments: Instruments, input: ProcessGaugesInput): void {
  const { version, zones, limiter, platform, now } = input;
  instruments.forget("process");
  instruments.set("outdial_build_info", { version }, 1);
  const { underWay, waiting, concurrency, perSecond, heldForMs } = limiter.state;
  instruments.set("outdial_platform_requests_under_way", {}, underWay);
  instruments.set("outdial_platform_requests_waiting", {}, waiting);
  instruments.set("outdial_platform_requests_limit", {}, concurrency);
  if (perSecond !== undefined) instruments.set("outdial_platform_requests_per_second_limit", {}, perSecond);
  instruments.set("outdial_platform_held_seconds", {}, heldForMs / 1_000);
  const clock = platform.clock();
  if (clock) {
    const aheadMs = clock.platformMs - clock.localMs;
    instruments.set("outdial_clock_skew_seconds", { clock: "platform" }, aheadMs / 1_000);
  }
  instruments.set(
    "outdial_zone_data_age_seconds",
    { version: zones.version },
    zoneDataAgeMs(zones, now()) / 1_000,
  );
}
