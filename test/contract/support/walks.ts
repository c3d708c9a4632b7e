import type { Walks } from "./walk.ts";
import { accountWalks } from "./walks-of-accounts.ts";
import { agentWalks, phoneNumberWalks } from "./walks-of-agents-and-numbers.ts";
import { batchCallWalks, callWalks } from "./walks-of-calls.ts";
import { apiKeyWalks, chatWalks, knowledgeBaseWalks } from "./walks-of-keys-and-chats.ts";
import { workflowWalks } from "./walks-of-workflows.ts";

/** A walk for each row of the contract. */
export const walks: Walks = {
  ...agentWalks,
  ...callWalks,
  ...phoneNumberWalks,
  ...batchCallWalks,
  ...workflowWalks,
  ...accountWalks,
  ...knowledgeBaseWalks,
  ...apiKeyWalks,
  ...chatWalks,
};
