import { ScheduleClient, type Client, type WorkflowService } from "@temporalio/client";

type CreateRequest = Parameters<WorkflowService["createSchedule"]>[0];
type UpdateRequest = Parameters<WorkflowService["updateSchedule"]>[0];

/**
 * Sends the clocks of a schedule's zone with the schedule. The server knows the field (`timezone_data`) and goes by it
 * in place of its own zone data; the SDK's options do not have it.
 */
export class ScheduleClientWithClocks extends ScheduleClient {
  readonly #clocks: Uint8Array;

  /** @param clocks a TZif file; empty, and the server goes by the zone's name. */
  constructor(client: Client, clocks: Uint8Array) {
    super({ ...client.schedule.options, connection: client.connection });
    this.#clocks = clocks;
  }

  override get workflowService(): WorkflowService {
    const service = super.workflowService;
    return Object.assign(Object.create(service), {
      createSchedule: (request: CreateRequest) => service.createSchedule(this.#withClocks(request)),
      updateSchedule: (request: UpdateRequest) => service.updateSchedule(this.#withClocks(request)),
    });
  }

  #withClocks<Request extends CreateRequest | UpdateRequest>(request: Request): Request {
    const { schedule } = request;
    return { ...request, schedule: { ...schedule, spec: { ...schedule?.spec, timezoneData: this.#clocks } } };
  }
}
