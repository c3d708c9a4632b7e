import { endWith, serveBeside, type SideServer } from "../side-server.ts";

/** How a worker or server stands, for whoever supervises it. */
type Standing =
  | { phase: "starting" }
  | { phase: "running"; atMs: number; problem: string | undefined }
  | { phase: "draining" };

export interface HealthServer extends SideServer {
  readonly tell: (standing: Standing) => void;
}

/** Three beats of the pulse: one may be late on a busy machine. */
const OLD_AFTER_MS = 30_000;

/**
 * Answers probes over HTTP, at the address of OUTDIAL_HEALTH_LISTEN.
 *
 * - `/healthz`: the process lives, and whoever gets no answer may end it. It says so while it starts and drains, too, and
 *   while the ledger or Temporal is away: ending it would mend neither.
 * - `/readyz`: it has what it needs. 503 while it starts, drains, or lacks something, with what.
 */
export async function serveHealth(
  address: { host: string; port: number },
  now: () => number,
): Promise<HealthServer> {
  let standing: Standing = { phase: "starting" };
  const served = await serveBeside({
    setting: "OUTDIAL_HEALTH_LISTEN",
    address,
    paths: "probes are answered at /healthz and /readyz",
    answer(path) {
      if (path === "/healthz") return (response) => endWith(response, 200, "lives");
      if (path !== "/readyz") return undefined;
      const lacking = whyNotReady(standing, now());
      return (response) => endWith(response, lacking === undefined ? 200 : 503, lacking ?? "ready");
    },
  });
  return {
    ...served,
    tell(next) {
      // What drains never comes back.
      if (standing.phase !== "draining") standing = next;
    },
  };
}

/** Undefined: it is ready. */
function whyNotReady(standing: Standing, nowMs: number): string | undefined {
  switch (standing.phase) {
    case "starting":
      return "it starts";
    case "draining":
      return "it drains";
    case "running":
      if (nowMs - standing.atMs > OLD_AFTER_MS) return "it has not looked at what it needs for half a minute";
      return standing.problem;
  }
}
