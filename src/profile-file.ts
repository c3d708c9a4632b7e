import fs from "node:fs";
import path from "node:path";

import { reasonWords } from "./domain/ground/reason-words.ts";
import type { Config } from "./config.ts";
import {
  effectsOf,
  isAbout,
  NO_PROFILE,
  readPlatformProfile,
  type PlatformProfile,
  type ProfileEffects,
} from "./domain/campaigns/platform-profile.ts";

/** What is known of the platform beyond its contract, as it stands on the disk. */
export type FoundProfile =
  | { kind: "absent"; file: string }
  /** It can't be read, or is no profile. */
  | { kind: "unreadable"; file: string; reason: string }
  /** It is about another platform than the settings name. */
  | { kind: "other_platform"; file: string; profile: PlatformProfile }
  | { kind: "found"; file: string; profile: PlatformProfile };

/** Where a profile stands: where the settings say, else in the data folder. */
export function profileFile({ platform, dataDir }: Config): string {
  return platform.profile ?? path.join(dataDir, "platform-profile.json");
}

/** A profile is some KB. */
const LARGEST_BYTES = 1024 * 1024;

/** @param file where it stands; by default where the settings say */
export function findProfile(config: Config, file = profileFile(config)): FoundProfile {
  let text: string;
  try {
    if (fs.statSync(file).size > LARGEST_BYTES) {
      return { kind: "unreadable", file, reason: "it is too large for a profile" };
    }
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return { kind: "absent", file };
    }
    return { kind: "unreadable", file, reason: reasonWords(error) };
  }
  const profile = parse(text);
  if (!profile) return { kind: "unreadable", file, reason: "it is no profile made by `outdial qualify`" };
  const { baseUrl } = config.platform;
  const isOurs = baseUrl !== undefined && isAbout(profile, baseUrl);
  return { kind: isOurs ? "found" : "other_platform", file, profile };
}

function parse(text: string): PlatformProfile | undefined {
  try {
    return readPlatformProfile(JSON.parse(text));
  } catch {
    // No JSON: what is wrong with it says less than that it is no profile.
    return undefined;
  }
}

/** The part of a logger that is told which profile is used, and why not. */
export interface ProfileLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** A profile was named in the settings and can't be used: what makes dialing careful must not be lost in silence. */
class PlatformProfileError extends Error {
  override readonly name = "PlatformProfileError";
}

/**
 * What is known of the platform beyond its contract. One about another platform that only stands in the data
 * folder is passed over.
 *
 * @throws PlatformProfileError where OUTDIAL_PLATFORM_PROFILE names no profile, or one of another platform.
 */
export function profileInForce(config: Config, log: ProfileLog): ProfileEffects {
  const found = findProfile(config);
  const isNamed = config.platform.profile !== undefined;
  switch (found.kind) {
    case "absent":
      if (!isNamed) return NO_PROFILE;
      throw new PlatformProfileError(
        `OUTDIAL_PLATFORM_PROFILE names ${found.file}, and there is no such file: make it with \`outdial qualify\`, or unset it`,
      );
    case "unreadable":
      if (isNamed) {
        throw new PlatformProfileError(
          `OUTDIAL_PLATFORM_PROFILE names ${found.file}, which can't be used (${found.reason}): make it again with \`outdial qualify\`, or unset it`,
        );
      }
      log.warn({ file: found.file, reason: found.reason }, "the platform's profile can't be used");
      return NO_PROFILE;
    case "other_platform":
      if (isNamed && config.platform.baseUrl !== undefined) {
        throw new PlatformProfileError(
          `OUTDIAL_PLATFORM_PROFILE names ${found.file}, which is about ${found.profile.base_url} and not about PLATFORM_BASE_URL: make one of this platform with \`outdial qualify\`, or unset it`,
        );
      }
      log.warn({ file: found.file, of: found.profile.base_url }, "the profile is of another platform");
      return NO_PROFILE;
    case "found":
      log.info({ file: found.file, madeAt: found.profile.made_at }, "the platform's profile is read");
      return effectsOf(found.profile);
  }
}

/** Writes a profile in one piece: whoever reads it meanwhile reads the old one or the new one. */
export async function writeProfile(file: string, profile: PlatformProfile): Promise<void> {
  await fs.promises.mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await fs.promises.writeFile(temporary, `${JSON.stringify(profile, undefined, 2)}\n`, { mode: 0o600 });
    await fs.promises.rename(temporary, file);
  } catch (error) {
    await fs.promises.rm(temporary, { force: true });
    throw error;
  }
}
