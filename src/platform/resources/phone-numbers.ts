import type { Caller } from "../caller.ts";
import type { Page } from "../decoding.ts";
import { iterate, rows } from "../lists.ts";
import type {
  DispatchRule,
  PhoneNumber,
  PhoneNumberAgents,
  PhoneNumberCreate,
  PhoneNumbersQuery,
  PhoneNumberUpdate,
  SipConnection,
  SipConnectionCreate,
  SipConnectionUpdate,
} from "../operations/phone-numbers.ts";
import type { WalkOptions } from "../paging.ts";
import type { CallOptions } from "../request.ts";
import type { Answering } from "../sent.ts";

/** Numbers that the caller may call from, and that may be called (contract 4.3). */
export interface PhoneNumbers {
  create(number: PhoneNumberCreate, options?: CallOptions): Promise<PhoneNumber>;
  /** One number with its SIP connections, dispatch rules and country allowlists. */
  get(phoneNumberId: string, options?: CallOptions): Promise<PhoneNumber>;
  /** One page. */
  list(query?: PhoneNumbersQuery, options?: CallOptions): Promise<Page<PhoneNumber>>;
  /** All of them, page by page (paging.ts). */
  iterate(query?: PhoneNumbersQuery, options?: WalkOptions): AsyncGenerator<PhoneNumber, void, undefined>;
  update(phoneNumberId: string, changes: PhoneNumberUpdate, options?: CallOptions): Promise<PhoneNumber>;
  /** Deletes the number and its SIP connections. */
  delete(phoneNumberId: string, options?: CallOptions): Promise<void>;
  setAgents(phoneNumberId: string, agents: PhoneNumberAgents, options?: CallOptions): Promise<PhoneNumber>;
}

export function phoneNumbers(caller: Caller): Answering<PhoneNumbers> {
  const at = (id: string) => ({ id });
  return {
    create: (body, options) => caller.call("phoneNumbers.create", { params: {}, body }, options),
    get: (id, options) => caller.call("phoneNumbers.get", { params: at(id) }, options),
    list: (query, options) => caller.call("phoneNumbers.list", { params: {}, query }, options),
    iterate: (query, options) => iterate(caller, "phoneNumbers.list", { params: {}, query }, options),
    update: (id, body, options) => caller.call("phoneNumbers.update", { params: at(id), body }, options),
    delete: (id, options) => caller.call("phoneNumbers.delete", { params: at(id) }, options),
    setAgents: (id, body, options) =>
      caller.call("phoneNumbers.setAgents", { params: at(id), body }, options),
  };
}

/** How a number reaches its carrier (contract 4.3). Synchronised to the telephony layer by the platform. */
export interface SipConnections {
  create(
    phoneNumberId: string,
    connection: SipConnectionCreate,
    options?: CallOptions,
  ): Promise<SipConnection>;
  get(phoneNumberId: string, connectionId: string, options?: CallOptions): Promise<SipConnection>;
  /** All connections of a number. */
  list(phoneNumberId: string, options?: CallOptions): Promise<readonly SipConnection[]>;
  update(
    phoneNumberId: string,
    connectionId: string,
    changes: SipConnectionUpdate,
    options?: CallOptions,
  ): Promise<SipConnection>;
  delete(phoneNumberId: string, connectionId: string, options?: CallOptions): Promise<void>;
}

export function sipConnections(caller: Caller): Answering<SipConnections> {
  const at = (id: string, connectionId: string) => ({ id, connection_id: connectionId });
  return {
    create: (id, body, options) => caller.call("sipConnections.create", { params: { id }, body }, options),
    get: (id, connectionId, options) =>
      caller.call("sipConnections.get", { params: at(id, connectionId) }, options),
    list: (id, options) => rows(caller, "sipConnections.list", { params: { id } }, options),
    update: (id, connectionId, body, options) =>
      caller.call("sipConnections.update", { params: at(id, connectionId), body }, options),
    delete: (id, connectionId, options) =>
      caller.call("sipConnections.delete", { params: at(id, connectionId) }, options),
  };
}

/** What routes a number's inbound calls to an agent (contract 4.3). */
export interface DispatchRules {
  /** All rules of a number. */
  list(phoneNumberId: string, options?: CallOptions): Promise<readonly DispatchRule[]>;
}

export function dispatchRules(caller: Caller): Answering<DispatchRules> {
  return { list: (id, options) => rows(caller, "dispatchRules.list", { params: { id } }, options) };
}
