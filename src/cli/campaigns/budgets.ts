import { Option } from "commander";

import type { BalanceSeenWire, BudgetWire } from "../../http/wire/budgets.ts";
import { microsOf, usdText } from "../../domain/campaigns/money.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText } from "../view/words.ts";

const brandOption = () => new Option("--brand <brand>", "of this brand; without it, of all brands together");

interface SetOptions {
  brand?: string;
  total?: string;
  perDay?: string;
  zone?: string;
  restart: boolean;
}

export function registerBudgetCommands(budget: CliCommand): void {
  registerSet(budget);
  registerCheck(budget);
  budget
    .command("list")
    .description("Lists what brands may spend, and what is spent and held of it.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const { items } = await withRunningSystem(config, (api) => api.budgets.list());
      const rows = items.map((item) => [
        item.brand ?? "all brands",
        item.total === null ? "" : usd(item.total),
        item.total === null ? "" : `${usd(item.spent)} + ${usd(item.held)}`,
        item.per_day === null ? "" : `${usd(item.per_day)}${item.zone === "UTC" ? "" : ` (${item.zone})`}`,
        `${usd(item.today.spent)} + ${usd(item.today.held)}`,
        item.from,
      ]);
      const heading = ["of", "total", "spent + held", "a day", "today", "since"];
      voice.present(listing("no budgets of brands", heading, rows, voice.colours));
      voice.json({ items });
    });
  budget
    .command("remove")
    .grave()
    .description(
      "Takes a budget back: its campaigns may spend what their own budgets say. What was, and why, is kept.",
    )
    .addOption(brandOption())
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(jsonOption())
    .does(async ({ config, voice }, { brand, reason }: { brand?: string; reason: string }) => {
      const result = await withRunningSystem(config, (api) => api.budgets.remove({ brand, reason }));
      voice.tell([`no budget any more: ${budgetText(result.removed)}`]);
      voice.json(result);
    });
}

function registerCheck(budget: CliCommand): void {
  budget
    .command("check")
    .description(
      "Reads what the platform's account has, now, and has campaigns that wait for money look again at once.",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nA running system does this by itself, every minute while anybody is to be called.\n\nExample:\n  outdial budget check",
    )
    .does(async ({ config, voice }) => {
      const seen = await withRunningSystem(config, (api) => api.budgets.check());
      voice.tell(checkedLines(seen));
      voice.json(seen);
    });
}

/** What the account has, and what follows. */
export function checkedLines(seen: BalanceSeenWire): string[] {
  const { balance, unknown, is_limit: isLimit, no_credit: noCredit, campaigns } = seen;
  const has =
    balance === null
      ? `what the platform's account has can't be read: ${unknown ?? "it names no balance"}`
      : `the platform's account has ${usd(balance)}${isLimit ? "" : ", and lets more be spent than that"}`;
  return [
    has,
    ...(noCredit
      ? [`nobody is called for want of credit since ${noCredit.since} (${noCredit.reason}): add some`]
      : []),
    ...(campaigns > 0 ? [`${countText(campaigns, "campaign")} told to look again`] : []),
  ];
}

function registerSet(budget: CliCommand): void {
  budget
    .command("set")
    .grave()
    .description(
      "What a brand, or all of them together, may spend, in US dollars; it takes the place of the one before. At a cap campaigns wait, and go on by themselves.",
    )
    .addOption(brandOption())
    .option("--total <usd>", "in all, since it was set first")
    .option("--per-day <usd>", "on a day")
    .option(
      "--zone <zone>",
      "by whose midnight that day ends, as an IANA name; without it, as before, and at first that of UTC",
    )
    .option("--restart", "the total counts from now on, whatever was spent before", false)
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  outdial budget set --brand acme --per-day 100 --zone America/New_York --total 2500",
    )
    .does(async ({ config, voice }, { brand, total, perDay, zone, restart }: SetOptions) => {
      const result = await withRunningSystem(config, (api) =>
        api.budgets.set({ brand, total, per_day: perDay, zone, restart }),
      );
      voice.tell([budgetText(result.budget)]);
      voice.json(result);
    });
}

function usd(amount: number): string {
  return usdText(microsOf(amount));
}

function budgetText({ brand, total, per_day: perDay, zone, from }: BudgetWire): string {
  const amounts = [
    ...(total === null ? [] : [`${usd(total)} from ${from} on`]),
    ...(perDay === null ? [] : [`${usd(perDay)} on a day of ${zone}`]),
  ];
  return `${brand === null ? "all brands together" : `brand ${brand}`}: ${amounts.join(", ")}`;
}
