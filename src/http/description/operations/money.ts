import { of, OF_PLATFORM } from "./operation.ts";

const does = of("money");

export const MONEY = {
  "GET /v1/campaigns/:ref/estimate": does(
    "estimateCampaign",
    "Says what a campaign's calls are likely to cost.",
    [...OF_PLATFORM],
  ),
  "GET /v1/past-calls": does("readPastCalls", "Shows how calls of an agent went before."),
  "PUT /v1/budgets": does("putBudget", "Says what a brand, or all of them together, may spend."),
  "GET /v1/budgets": does("listBudgets", "Lists budgets, with what is spent and held."),
  "POST /v1/budgets/check": does("checkBalance", "Reads what the platform's account has, now.", [
    ...OF_PLATFORM,
  ]),
  "DELETE /v1/budgets": does("removeBudget", "Takes a budget back.", ["unknown_budget"]),
};
