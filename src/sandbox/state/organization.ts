import type { Clock } from "../clock.ts";
import { IdSequence } from "../ids.ts";
import { AgentLinks } from "./agent-links.ts";
import { Agents } from "./agents.ts";
import { ApiKeys } from "./api-keys.ts";
import { Batches } from "./batches.ts";
import { Billing } from "./billing.ts";
import { Calls } from "./calls.ts";
import { ChatSessions } from "./chat-sessions.ts";
import { Executions } from "./executions.ts";
import type { Kept } from "./kept.ts";
import { KnowledgeBases } from "./knowledge-bases.ts";
import { PhoneNumbers } from "./phone-numbers.ts";
import { Schedules } from "./schedules.ts";
import { Workflows } from "./workflows.ts";

/** One customer of the platform and all that it owns. */
export class Organization {
  readonly id: string;
  /** Its place among the organizations of the sandbox, from 0. */
  readonly ordinal: number;
  readonly apiKeys: ApiKeys;
  readonly agents: Agents;
  readonly agentLinks: AgentLinks;
  readonly phoneNumbers: PhoneNumbers;
  readonly batches: Batches;
  readonly calls: Calls;
  readonly billing: Billing;
  readonly workflows: Workflows;
  readonly executions: Executions;
  readonly schedules: Schedules;
  readonly knowledgeBases: KnowledgeBases;
  readonly chatSessions: ChatSessions;

  constructor(seed: number, clock: Clock, ordinal: number, balanceUsd: number) {
    const sequence = (kind: string) => new IdSequence(seed, `${kind} of organization ${ordinal}`);
    this.id = new IdSequence(seed, "organization").at(ordinal);
    this.ordinal = ordinal;
    this.apiKeys = new ApiKeys(clock, sequence("api key"));
    this.agents = new Agents(clock, sequence("agent"));
    this.agentLinks = new AgentLinks(clock);
    this.phoneNumbers = new PhoneNumbers(clock, sequence("phone number"), sequence("sip connection"));
    this.batches = new Batches(this, clock, sequence("batch"), sequence("item"));
    this.calls = new Calls(seed, clock, sequence("call"));
    this.billing = new Billing(
      clock,
      { entry: sequence("ledger entry"), event: sequence("usage event"), call: sequence("call") },
      balanceUsd,
    );
    this.workflows = new Workflows(clock, sequence("workflow"), `${seed} ${ordinal}`);
    this.executions = new Executions(clock, sequence("execution"));
    this.schedules = new Schedules(clock);
    this.knowledgeBases = new KnowledgeBases(seed, clock, sequence("knowledge base"), sequence("document"));
    this.chatSessions = new ChatSessions(
      seed,
      clock,
      sequence("chat session"),
      sequence("chat message"),
      this.billing,
    );
  }

  /** What survives a restart, by the name under which it is in the data file; see `Kept`. */
  kept(): Readonly<Record<string, Kept>> {
    return {
      apiKeys: this.apiKeys,
      agents: this.agents,
      agentLinks: this.agentLinks,
      phoneNumbers: this.phoneNumbers,
      billing: this.billing,
      workflows: this.workflows,
      executions: this.executions,
      schedules: this.schedules,
      knowledgeBases: this.knowledgeBases,
      chatSessions: this.chatSessions,
    };
  }
}
