/* How sandboxes that Outdial starts are reached and speak. Light: the command line reads it before anything else. */

export const SANDBOX_DIALECTS = ["contract", "published"] as const;

/** Steps of dots are taken out of a path by clients before they send it. */
const MOUNT_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/;

/** A path to mount a sandbox under, without a slash at its end; undefined where it is none. */
export function readMountPath(text: string): string | undefined {
  const path = text.replace(/\/+$/, "");
  return MOUNT_PATH.test(path) ? path : undefined;
}
