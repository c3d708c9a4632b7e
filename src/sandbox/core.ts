import { KeyRing } from "./auth.ts";
import { Clock } from "./clock.ts";
import { DialLog } from "./dial-log.ts";
import { showIn } from "./dialect.ts";
import { Faults } from "./faults.ts";
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
  readonly scenario: ScenarioRun;
  /** See the option of that name. */
  readonly recordingBytes: number;
}

/** Wires a core. `baseUrl` is asked when a URL of the sandbox's own has to be shown. */
export function createCore(settings: SandboxSettings, baseUrl: () => string): Core {
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
  const callViews = new CallViews(settings.seed, clock, faults, baseUrl);
  const webhooks = new Webhooks(clock, faults, callViews, show, settings.webhooks);
  callRun.observe(webhooks);
  const batchRun = new BatchRun(clock, callRun, faults, streams);
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
    scenario: new ScenarioRun(clock, faults),
  };
  if (snapshot !== null) {
    restoreSnapshot(core, snapshot);
  }
  admitKeys(core, settings);
  return core;
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
