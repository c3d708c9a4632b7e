import { reasonWords } from "../../domain/ground/reason-words.ts";
import { missingWording } from "../../domain/campaigns/agent-wording.ts";
import { createLog } from "../../log.ts";
import type { Config } from "../../config.ts";
import { isLoopback } from "../../http/loopback.ts";
import {
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  TimeoutError,
  UnauthorizedError,
  type Agent,
  type Platform,
} from "../../platform/index.ts";
import type { CliPorts } from "../context.ts";
import type { Caller } from "./caller.ts";
import { fail, ok, warn, type Check } from "./check.ts";
import { checkKey } from "./key.ts";
import { clockCheck } from "./ledger.ts";

/** Numbers shown by name. */
const NUMBERS_SHOWN = 5;

/** Whether the platform can be reached with the key, and would dial for whoever is given. */
export async function checkPlatform(
  config: Config,
  ports: CliPorts,
  caller: Caller | undefined,
): Promise<Check[]> {
  const { baseUrl, apiKey } = config.platform;
  if (baseUrl === undefined || apiKey === undefined) {
    const missing = [
      ...(baseUrl === undefined ? ["PLATFORM_BASE_URL"] : []),
      ...(apiKey === undefined ? ["PLATFORM_API_KEY"] : []),
    ];
    return [
      fail(
        "platform",
        `${missing.join(" and ")} not set`,
        "set the platform's address and key, for example PLATFORM_BASE_URL=https://api.voice.example.com; `outdial demo` needs neither",
      ),
    ];
  }
  const platform = await ports.openPlatform(config, createLog({ level: "silent" }));
  try {
    return await platformChecks(config, platform, caller);
  } finally {
    await platform.close();
  }
}

/** The same, through a client that is open. */
export async function platformChecks(
  config: Config,
  platform: Platform,
  caller: Caller | undefined,
): Promise<Check[]> {
  const { baseUrl = "", apiKey = "" } = config.platform;
  const address = addressChecks(baseUrl);
  const [balance, isReached] = await checkBalance(platform, baseUrl);
  if (!isReached) return [...address, balance];
  const clock = platform.clock();
  return [
    ...address,
    ok("platform", `${baseUrl} answers`),
    ...(clock ? [clockCheck("platform's clock", clock.platformMs - clock.localMs)] : []),
    balance,
    ...(await checkKey(config, platform, apiKey)),
    await checkNumbers(platform, caller),
    ...(await checkAgents(platform, caller?.agentIds ?? [])),
  ];
}

function addressChecks(baseUrl: string): Check[] {
  const { protocol, hostname, pathname } = new URL(baseUrl);
  const isOpen = protocol === "http:" && !isLoopback(hostname);
  return [
    ...(/\/v1\/?$/.test(pathname)
      ? [
          fail(
            "PLATFORM_BASE_URL",
            `${baseUrl} ends in /v1, which every path begins with already`,
            "leave /v1 out",
          ),
        ]
      : []),
    ...(isOpen
      ? [warn("PLATFORM_BASE_URL", "http sends the key and the contacts in the clear", "use https")]
      : []),
  ];
}

/** The first question also tells whether anybody answers, and whether the key is good. */
async function checkBalance(
  platform: Platform,
  baseUrl: string,
): Promise<[check: Check, isReached: boolean]> {
  try {
    const { current_balance } = await platform.billing.balance();
    if (current_balance === undefined) return [ok("balance", "the platform does not say"), true];
    const text = `${current_balance.toFixed(2)} USD`;
    return [
      current_balance > 0
        ? ok("balance", text)
        : fail("balance", text, "add credit on the platform: it refuses calls without"),
      true,
    ];
  } catch (error) {
    if (error instanceof UnauthorizedError) {
      return [
        fail(
          "platform key",
          `refused: it is missing, wrong or expired (${reasonWords(error)})`,
          "set PLATFORM_API_KEY to a valid key of this platform, and check its address allowlist",
        ),
        false,
      ];
    }
    if (error instanceof ConnectionError || error instanceof TimeoutError) {
      return [
        fail(
          "platform",
          `${baseUrl} does not answer (${reasonWords(error)})`,
          "check PLATFORM_BASE_URL, the network and any proxy",
        ),
        false,
      ];
    }
    if (error instanceof ForbiddenError) {
      return [
        warn(
          "balance",
          `the key may not ask for it (${reasonWords(error)})`,
          "give the key the scope for billing to see it; calls do not need it",
        ),
        true,
      ];
    }
    if (error instanceof NotFoundError) {
      return [
        fail(
          "platform",
          `${baseUrl} answers, and knows no /v1/billing/balance`,
          "check PLATFORM_BASE_URL: is there a path prefix, or /v1 too many?",
        ),
        false,
      ];
    }
    return [
      fail("platform", reasonWords(error), "try again, and if it stays so, ask whoever runs the platform"),
      false,
    ];
  }
}

async function checkNumbers(platform: Platform, caller: Caller | undefined): Promise<Check> {
  try {
    const owned: string[] = [];
    for await (const { phone_number } of platform.phoneNumbers.iterate({ limit: 100 })) {
      if (phone_number !== undefined) owned.push(`+${phone_number.replace(/^\+/, "")}`);
    }
    const missing = (caller?.fromNumbers ?? []).filter((number) => !owned.includes(number));
    if (missing.length > 0) {
      return fail(
        "numbers",
        `${missing.join(", ")} not owned`,
        "register them on the platform, or take them out of from_numbers",
      );
    }
    if (owned.length === 0)
      return fail("numbers", "none owned", "register a number to call from on the platform");
    const more = owned.length - NUMBERS_SHOWN;
    return ok(
      "numbers",
      `${owned.length} owned: ${owned.slice(0, NUMBERS_SHOWN).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    );
  } catch (error) {
    return scopeOr("numbers", error, "phone_numbers:read");
  }
}

async function checkAgents(platform: Platform, agentIds: readonly string[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const agentId of agentIds) checks.push(...(await checkAgent(platform, agentId)));
  return checks;
}

async function checkAgent(platform: Platform, agentId: string): Promise<Check[]> {
  try {
    const agent = await platform.agents.get(agentId);
    const name = agent.agent_name ?? agentId;
    if (agent.is_published === false)
      return [fail("agent", `${name} is a draft`, "publish it on the platform")];
    return [ok("agent", `${name} is published`), ...wordingChecks(agent, name)];
  } catch (error) {
    if (error instanceof NotFoundError) {
      return [
        fail(
          "agent",
          `the platform has no agent ${agentId}`,
          "check agent_id, and that the key is of the organization that has it",
        ),
      ];
    }
    return [scopeOr("agent", error, "agents:read")];
  }
}

/** What laws on automated calls ask an agent to say, as far as words for it can be found. */
function wordingChecks(agent: Agent, name: string): Check[] {
  return missingWording(agent, name).map((told) => {
    const [what = told, remedy = ""] = told.split(/: (?=[^:]*$)/);
    return warn("agent's words", what, remedy);
  });
}

function scopeOr(name: string, error: unknown, scope: string): Check {
  return error instanceof ForbiddenError
    ? fail(name, `the key lacks a scope (${reasonWords(error)})`, `give the key ${scope}`)
    : fail(name, reasonWords(error), "try again, and if it stays so, ask whoever runs the platform");
}
