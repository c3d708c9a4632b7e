import { KeyRing } from "./auth.ts";
import { Clock } from "./clock.ts";
import { DialLog } from "./dial-log.ts";
import { showIn } from "./dialect.ts";
import { Faults } from "./faults.ts";
import type { Fault } from "./faults.ts";
import { LivekitRooms } from "./rooms/livekit-rooms.ts";
import type { RoomSource } from "./rooms/room-source.ts";
import { NO_ROOMS_HERE, SIMULATED_ROOMS } from "./rooms/rooms.ts";
import type { Rooms } from "./rooms/rooms.ts";
import { ROOM_FAULTS } from "./schemas/room-faults.ts";
import type { SandboxSettings } from "./options.ts";
import { Outcomes } from "./outcomes.ts";
import { organizationFrom } from "./seed.ts";
import type { OrganizationSeed } from "./seed.ts";
import { ScenarioRun } from "./scenario.ts";
import { readSnapshot, restoreSnapshot } from "./snapshot.ts";
import { Simulator } from "./simulator.ts";
import { BatchRun } from "./state/batch-run.ts";
import { CallRun } from "./state/call-run.ts";
import type { Organization } from "./state/organization.ts";
import { WorkflowRun } from "./state/workflow-run.ts";
import { Stats } from "./stats.ts";
import { BatchStreams } from "./stream.ts";
import { BatchViews } from "./views/batch-call.ts";
import { CallViews } from "./views/call.ts";
import { Webhooks } from "./webhooks.ts";

/** Everything behind the sandbox's routes, without a socket. */
export interface Core {
  readonly seed: number;
  readonly clock: Clock;
  readonly faults: Faults;
  readonly outcomes: Outcomes;
  readonly dialLog: DialLog;
  readonly stats: Stats;
  readonly keys: KeyRing;
  /** The first one, which the options describe. */
  readonly organization: Organization;
  readonly organizations: readonly Organization[];
  readonly callRun: CallRun;
  readonly batchRun: BatchRun;
  readonly workflowRun: WorkflowRun;
  readonly streams: BatchStreams;
  readonly batchViews: BatchViews;
  readonly callViews: CallViews;
  readonly webhooks: Webhooks;
  readonly rooms: Rooms;
  readonly scenario: ScenarioRun;
  /** See the option of that name. */
  readonly recordingBytes: number;
}

/**
 * Wires a core. `baseUrl` is asked when a URL of the sandbox's own has to be shown; `roomSource` is that of the
 * settings, opened.
 */
export function createCore(
  settings: SandboxSettings,
  baseUrl: () => string,
  roomSource: RoomSource | null,
): Core {
  const snapshot = settings.data === null ? null : readSnapshot(settings.data, settings.seed);
  const clock = new Clock(settings.speed, snapshot?.epoch_ms);
  const faults = new Faults();
  const outcomes = new Outcomes(new Simulator(settings.seed, settings.simulator));
  const dialLog = new DialLog(clock);
  const organizations = organizationsOf(settings, clock, snapshot?.organizations.length ?? 0);
  const [organization] = organizations;
  const batchViews = new BatchViews(clock, settings.itemWords, faults);
  const show = showIn(settings.dialect);
  const streams = new BatchStreams(clock, faults, batchViews, show, settings.stream);
  const callRun = new CallRun(clock, outcomes, dialLog, faults);
  const rooms = roomsOf(settings, { clock, faults, callRun, organizations }, roomSource);
  const callViews = new CallViews(settings.seed, clock, faults, baseUrl, rooms.url);
  const webhooks = new Webhooks(clock, faults, callViews, show, settings.webhooks);
  callRun.observe(webhooks);
  const batchRun = new BatchRun(clock, callRun, faults, streams);
  faults.refuseWhere((fault) => whyNotInRooms(fault, roomSource));
  faults.onAdded((fault) => {
    if (fault.kind === "stream_close") {
      streams.closeByFault();
    } else if (fault.kind === "vanish") {
      const batch = organizations
        .map(({ batches }) => batches.find(fault.batch_call_id))
        .find((found) => found !== null);
      if (batch === undefined) {
        throw new Error(`no batch call ${fault.batch_call_id} that could vanish`);
      }
      batchRun.vanish(batch);
    } else if (fault.kind === "room_server_restarts" && roomSource !== null) {
      restartServer(roomSource, rooms, settings);
    }
  });
  const core: Core = {
    seed: settings.seed,
    clock,
    faults,
    outcomes,
    dialLog,
    stats: new Stats(),
    keys: new KeyRing(organizations),
    organization,
    organizations,
    recordingBytes: settings.recordingBytes,
    callRun,
    batchRun,
    workflowRun: new WorkflowRun(settings.seed, clock, faults, callRun, organizations),
    streams,
    batchViews,
    callViews,
    webhooks,
    rooms,
    scenario: new ScenarioRun(clock, faults),
  };
  if (snapshot !== null) {
    restoreSnapshot(core, snapshot);
  }
  admitKeys(core, settings);
  return core;
}

function roomsOf(
  settings: SandboxSettings,
  parts: Pick<Core, "clock" | "faults" | "callRun" | "organizations">,
  source: RoomSource | null,
): Rooms {
  if (source === null) {
    return settings.rooms === "simulated" ? SIMULATED_ROOMS : NO_ROOMS_HERE;
  }
  const { api, library, patienceMs } = source;
  const onTrouble = (error: unknown) => settings.logger?.warn({ err: error }, "trouble in a room");
  return new LivekitRooms({ api, library, patienceMs, seed: settings.seed, onTrouble, ...parts });
}

function whyNotInRooms({ kind }: Fault, source: RoomSource | null): string | null {
  if (!ROOM_FAULTS.has(kind)) {
    return null;
  }
  if (source === null) {
    return "this sandbox has no rooms on a LiveKit server, so nothing can go wrong in them";
  }
  return kind === "room_server_restarts" && source.restart === null
    ? "this sandbox did not start its LiveKit server, and does not restart it"
    : null;
}

function restartServer({ restart }: RoomSource, rooms: Rooms, settings: SandboxSettings): void {
  void restart?.()
    .then(() => rooms.reopen())
    .catch((error: unknown) => settings.logger?.error({ err: error }, "the LiveKit server did not restart"));
}

/** The organizations that the options describe. The first `saved` ones are in the data file: they begin empty. */
function organizationsOf(
  settings: SandboxSettings,
  clock: Clock,
  saved: number,
): readonly [Organization, ...Organization[]] {
  const open = (described: OrganizationSeed, ordinal: number): Organization => {
    const content = ordinal < saved ? { ...described, agents: [], numbers: [] } : described;
    return organizationFrom(settings.seed, clock, ordinal, content);
  };
  const first = open(settings.organization, 0);
  return [first, ...settings.otherOrganizations.map((described, index) => open(described, index + 1))];
}

/** Keys of the options open their organization whatever the data file says; those that it has stay as they are. */
function admitKeys({ organizations }: Core, { apiKeys, otherOrganizations }: SandboxSettings): void {
  const keys = [apiKeys, ...otherOrganizations.map((described) => described.apiKeys)];
  for (const [ordinal, organization] of organizations.entries()) {
    for (const key of keys[ordinal] ?? []) {
      organization.apiKeys.admit(key);
    }
  }
}
