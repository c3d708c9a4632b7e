import type { Config } from "../../config.ts";
import {
  effectsOf,
  NO_PROFILE,
  PROFILE_STALE_MS,
  type PlatformProfile,
} from "../../domain/campaigns/platform-profile.ts";
import { findProfile } from "../../profile-file.ts";
import { countText, durationText } from "../view/words.ts";
import { fail, ok, warn, type Check } from "./check.ts";

const DAY_MS = 24 * 60 * 60_000;

const AGAIN = "make it again with `outdial qualify --numbers <your phones>`";

/** What is known of the platform beyond its contract, how old that is, and what it changes. */
export function checkProfile(config: Config, nowMs: number): Check {
  const found = findProfile(config);
  const isNamed = config.platform.profile !== undefined;
  switch (found.kind) {
    case "absent":
      return isNamed
        ? fail(
            "profile",
            `OUTDIAL_PLATFORM_PROFILE names ${found.file}, and there is no such file`,
            `${AGAIN}, or unset it`,
          )
        : ok("profile", "none: the platform is dealt with by its contract (`outdial qualify` makes one)");
    case "unreadable": {
      const text = `${found.file} can't be used: ${found.reason}`;
      return isNamed ? fail("profile", text, `${AGAIN}, or unset it`) : warn("profile", text, AGAIN);
    }
    case "other_platform": {
      if (config.platform.baseUrl === undefined) {
        return ok("profile", `${found.file}, of ${found.profile.base_url}`);
      }
      const text = `${found.file} is of ${found.profile.base_url}`;
      return isNamed
        ? fail("profile", `OUTDIAL_PLATFORM_PROFILE names ${text}`, `${AGAIN}, or unset it`)
        : warn("profile", `${text}, and is not used`, AGAIN);
    }
    case "found":
      return checkAge(found.file, found.profile, nowMs);
  }
}

function checkAge(file: string, profile: PlatformProfile, nowMs: number): Check {
  const ageMs = nowMs - Date.parse(profile.made_at);
  const age = ageMs < DAY_MS ? "today" : `${countText(Math.floor(ageMs / DAY_MS), "day")} ago`;
  const text = `${file}, made ${age} (${profile.made_at.slice(0, 10)}) by version ${profile.outdial_version}; ${effectsText(profile)}`;
  return ageMs > PROFILE_STALE_MS ? warn("profile", text, AGAIN) : ok("profile", text);
}

/** What the engine waits anyway on a real platform; less than that changes nothing. */
const USUAL_START_DOUBT_MS = 60_000;
const USUAL_QUIET_MS = 15_000;

/** Where dialing is more careful than without it. */
function effectsText(profile: PlatformProfile): string {
  const effects = effectsOf(profile);
  const words = [...effects.endedItemWords];
  const texts = [
    ...(effects.pageLimit < NO_PROFILE.pageLimit ? [`pages of ${effects.pageLimit}`] : []),
    ...(effects.startDoubtAtLeastMs > USUAL_START_DOUBT_MS
      ? [`a start is waited for at least ${durationText(effects.startDoubtAtLeastMs)}`]
      : []),
    ...(effects.quietAtLeastMs > USUAL_QUIET_MS
      ? [`reads that must agree are at least ${durationText(effects.quietAtLeastMs)} apart`]
      : []),
    ...(words.length > 0 ? [`ends of items: ${words.join(", ")}`] : []),
    ...(effects.callsListingProves
      ? []
      : ["nobody counts as not dialed: the calls of a batch can't be listed"]),
    ...(effects.streamTokenInQuery ? [] : ["streams carry the key in the header alone"]),
  ];
  return texts.length === 0 ? "it changes nothing" : texts.join("; ");
}
