import type { Clock } from "../clock.ts";
import type { IdSequence } from "../ids.ts";
import { normalizedPhone } from "../schemas/phone.ts";
import type { PhoneNumberCreate, PhoneNumberPatch } from "../schemas/phone-numbers.ts";
import type { Kept } from "./kept.ts";
import { SipConnections } from "./sip-connections.ts";
import type { SavedSipConnections } from "./sip-connections.ts";

export interface PhoneNumberRecord {
  readonly id: string;
  readonly phone: string;
  readonly createdAt: number;
  fields: Required<PhoneNumberPatch>;
}

const DEFAULTS = {
  nickname: null,
  provider: "custom",
  inbound_agent_id: null,
  outbound_agent_id: null,
  allowed_inbound_countries: ["*"],
  allowed_outbound_countries: ["*"],
  inbound_webhook_url: null,
};

/** The numbers that an organization may call from, oldest first. */
export class PhoneNumbers implements Kept<SavedNumbers> {
  readonly sipConnections: SipConnections;
  readonly #clock: Clock;
  readonly #ids: IdSequence;
  readonly #numbers = new Map<string, PhoneNumberRecord>();
  readonly #byPhone = new Map<string, PhoneNumberRecord>();
  #created = 0;

  constructor(clock: Clock, ids: IdSequence, sipIds: IdSequence) {
    this.#clock = clock;
    this.#ids = ids;
    this.sipConnections = new SipConnections(clock, sipIds);
  }

  /** Registers a number; null if it is registered already. */
  create(input: PhoneNumberCreate): PhoneNumberRecord | null {
    const { phone_number, ...fields } = input;
    const phone = normalizedPhone(phone_number);
    if (this.#byPhone.has(phone)) {
      return null;
    }
    const record: PhoneNumberRecord = {
      id: this.#ids.at(this.#created),
      phone,
      createdAt: this.#clock.now(),
      fields: { ...DEFAULTS, ...defined(fields) },
    };
    this.#created += 1;
    this.#numbers.set(record.id, record);
    this.#byPhone.set(phone, record);
    return record;
  }

  find(id: string): PhoneNumberRecord | null {
    return this.#numbers.get(id) ?? null;
  }

  /** Whether the organization may call from this number. */
  owns(phone: string): boolean {
    return this.findByPhone(phone) !== null;
  }

  findByPhone(phone: string): PhoneNumberRecord | null {
    return this.#byPhone.get(normalizedPhone(phone)) ?? null;
  }

  all(): PhoneNumberRecord[] {
    return [...this.#numbers.values()];
  }

  patch(record: PhoneNumberRecord, changes: PhoneNumberPatch): void {
    record.fields = { ...record.fields, ...defined(changes) };
  }

  remove(record: PhoneNumberRecord): void {
    this.#numbers.delete(record.id);
    this.#byPhone.delete(record.phone);
    this.sipConnections.forgetNumber(record.id);
  }

  /** Takes a deleted agent off every number. */
  forgetAgent(agentId: string): void {
    for (const record of this.#numbers.values()) {
      if (record.fields.inbound_agent_id === agentId) {
        record.fields = { ...record.fields, inbound_agent_id: null };
      }
      if (record.fields.outbound_agent_id === agentId) {
        record.fields = { ...record.fields, outbound_agent_id: null };
      }
    }
  }

  dump(): SavedNumbers {
    return { created: this.#created, numbers: this.all(), sip: this.sipConnections.dump() };
  }

  restore(saved: SavedNumbers): void {
    this.#created = saved.created;
    for (const record of saved.numbers) {
      this.#numbers.set(record.id, record);
      this.#byPhone.set(record.phone, record);
    }
    this.sipConnections.restore(saved.sip);
  }
}

interface SavedNumbers {
  readonly created: number;
  readonly numbers: readonly PhoneNumberRecord[];
  readonly sip: SavedSipConnections;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The fields that were given: one that is undefined must not blot out what is there. */
function defined<T extends object>(fields: T): Defined<T> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  // Entries of a T without its undefined values are a partial T.
  return Object.fromEntries(given) as Defined<T>;
}
