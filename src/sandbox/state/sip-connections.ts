import type { Clock } from "../clock.ts";
import type { Faults } from "../faults.ts";
import type { IdSequence } from "../ids.ts";
import { sipHostOf } from "../schemas/sip-connections.ts";
import type { SipConnectionFields } from "../schemas/sip-connections.ts";

/** Every field of a trunk but its password, decided. */
interface TrunkFields {
  readonly termination_uri: string;
  readonly username: string | null;
  readonly nickname: string | null;
  readonly connection_type: "inbound" | "outbound" | "both";
  readonly transport: "TCP" | "UDP" | "TLS";
}

/** A trunk of a number. The password is checked for its form and not kept: nothing here ever uses it. */
export interface SipConnectionRecord {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly createdAt: number;
  updatedAt: number;
  fields: TrunkFields;
  /** When the synchronisation that counts began; each change begins another. */
  syncBeganAt: number;
  /** What it will fail with; null: it will succeed. Settled when it begins. */
  syncError: string | null;
}

/** Between a change and the telephony layer's having it, simulated: a clear wait for those who look at once. */
const SYNC_MS = 3_000;

const DEFAULTS = {
  username: null,
  nickname: null,
  connection_type: "both",
  transport: "UDP",
} as const;

export type SyncStatus = "pending" | "synced" | "failed";

/** The SIP connections of an organization's numbers, oldest first (contract 2.4). */
export class SipConnections {
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #connections = new Map<string, SipConnectionRecord>();
  #created = 0;

  constructor(clock: Clock, ids: IdSequence) {
    this.#clock = clock;
    this.#ids = ids;
  }

  create(
    phoneNumberId: string,
    input: SipConnectionFields & { readonly termination_uri: string },
    faults: Faults,
  ): SipConnectionRecord {
    const now = this.#clock.now();
    const record: SipConnectionRecord = {
      id: this.#ids.at(this.#created),
      phoneNumberId,
      createdAt: now,
      updatedAt: now,
      fields: { ...DEFAULTS, ...given(input), termination_uri: input.termination_uri },
      syncBeganAt: now,
      syncError: null,
    };
    this.#created += 1;
    this.#connections.set(record.id, record);
    this.#beginSync(record, faults);
    return record;
  }

  patch(record: SipConnectionRecord, changes: SipConnectionFields, faults: Faults): void {
    record.fields = { ...record.fields, ...given(changes) };
    record.updatedAt = this.#clock.now();
    this.#beginSync(record, faults);
  }

  find(phoneNumberId: string, id: string): SipConnectionRecord | null {
    const record = this.#connections.get(id);
    return record?.phoneNumberId === phoneNumberId ? record : null;
  }

  of(phoneNumberId: string): SipConnectionRecord[] {
    return [...this.#connections.values()].filter((record) => record.phoneNumberId === phoneNumberId);
  }

  remove(record: SipConnectionRecord): void {
    this.#connections.delete(record.id);
  }

  /** Takes away every connection of a deleted number (contract 4.3). */
  forgetNumber(phoneNumberId: string): void {
    for (const record of this.of(phoneNumberId)) {
      this.remove(record);
    }
  }

  /** Synchronisation is a matter of time alone, so it needs no timer. */
  statusOf(record: SipConnectionRecord): SyncStatus {
    if (this.#clock.simulated(this.#clock.now() - record.syncBeganAt) < SYNC_MS) {
      return "pending";
    }
    return record.syncError === null ? "synced" : "failed";
  }

  dump(): SavedSipConnections {
    return { created: this.#created, connections: [...this.#connections.values()] };
  }

  restore(saved: SavedSipConnections): void {
    this.#created = saved.created;
    for (const record of saved.connections) {
      this.#connections.set(record.id, record);
    }
  }

  #beginSync(record: SipConnectionRecord, faults: Faults): void {
    const fault = faults.take("sip_sync_fails");
    record.syncBeganAt = this.#clock.now();
    record.syncError =
      fault === null
        ? unreachable(record.fields.termination_uri)
        : (fault.error ?? "Trunk could not be created");
  }
}

export interface SavedSipConnections {
  readonly created: number;
  readonly connections: readonly SipConnectionRecord[];
}

/** `.invalid` resolves nowhere by definition (RFC 6761): a way to a failed synchronisation without a fault. */
function unreachable(terminationUri: string): string | null {
  return sipHostOf(terminationUri).endsWith(".invalid")
    ? `Cannot resolve the host of ${terminationUri}`
    : null;
}

function given({ password: _password, ...fields }: SipConnectionFields) {
  // Entries of the fields without their undefined values are a partial of them.
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<TrunkFields>;
}
