import type { Operations } from "outdial/api";

export type Role = "viewer" | "operator" | "admin";

export interface Caller {
  role: Role;
  /** Null: of every brand. */
  brands: readonly string[] | null;
}

/** What it takes to be shown something. */
export interface Rights {
  /** The least role. */
  needs: Role;
  /** It is about all brands at once, and not for whoever is for some. */
  ofEveryBrand?: true;
}

const VIEWER_OF_ALL: Rights = { needs: "viewer", ofEveryBrand: true };
const OPERATOR: Rights = { needs: "operator" };
const OPERATOR_OF_ALL: Rights = { needs: "operator", ofEveryBrand: true };
const ADMIN: Rights = { needs: "admin" };
const ADMIN_OF_ALL: Rights = { needs: "admin", ofEveryBrand: true };

/**
 * What the API asks of whoever asks for these; every other is for all who are signed in. What is offered follows it, by
 * the operation that it stands for. A test holds it against the API's own table.
 */
export const RIGHTS = {
  stopAll: OPERATOR_OF_ALL,
  goOn: ADMIN_OF_ALL,
  examine: ADMIN_OF_ALL,
  listSessions: ADMIN_OF_ALL,
  endOtherSession: ADMIN_OF_ALL,

  createCampaign: OPERATOR,
  validateContacts: OPERATOR,
  rehearseCampaign: OPERATOR,
  uploadContacts: OPERATOR,
  startCampaign: OPERATOR,
  pauseCampaign: OPERATOR,
  resumeCampaign: OPERATOR,
  approveCampaign: OPERATOR,
  cancelCampaign: OPERATOR,
  previewAmendment: OPERATOR,
  amendCampaign: OPERATOR,
  withdrawContacts: OPERATOR,
  downloadRejects: OPERATOR,
  readCall: OPERATOR,
  testRules: OPERATOR,

  acknowledgeAttention: OPERATOR,
  resolveAttention: OPERATOR,

  putSequence: OPERATOR,
  checkSequence: OPERATOR,
  rehearseSequence: OPERATOR,
  pauseSequence: OPERATOR,
  resumeSequence: OPERATOR,
  enroll: OPERATOR,
  pauseEnrolment: OPERATOR,
  resumeEnrolment: OPERATOR,
  moveEnrolment: OPERATOR,
  skipEnrolment: OPERATOR,
  exitEnrolment: OPERATOR,

  readFollowUp: OPERATOR,
  retryAction: OPERATOR,
  skipAction: OPERATOR,
  replayAction: OPERATOR,

  runSchedule: OPERATOR,
  pauseSchedule: OPERATOR,
  resumeSchedule: OPERATOR,
  repairSchedule: OPERATOR,
  backfillSchedule: OPERATOR,

  readAutomationHealth: VIEWER_OF_ALL,
  readAutomation: VIEWER_OF_ALL,
  listExecutions: VIEWER_OF_ALL,
  testAutomation: OPERATOR_OF_ALL,
  retryAutomation: OPERATOR_OF_ALL,
  rerunExecution: OPERATOR_OF_ALL,
  deployAutomation: ADMIN_OF_ALL,

  enableTrigger: OPERATOR,
  disableTrigger: OPERATOR,
  tryTrigger: OPERATOR,
  readDelivery: OPERATOR,
  retryDelivery: OPERATOR,
  skipDelivery: OPERATOR,
  retryDeliveries: OPERATOR,

  addSuppressions: OPERATOR,
  addBlackout: OPERATOR,
  removeBlackout: OPERATOR,

  forgetPerson: ADMIN_OF_ALL,
  listForgettings: ADMIN_OF_ALL,
  readForgetting: ADMIN_OF_ALL,
  listAudit: ADMIN,
  listTokens: ADMIN_OF_ALL,
  createToken: ADMIN_OF_ALL,
  revokeToken: ADMIN_OF_ALL,
} as const satisfies Partial<Record<keyof Operations, Rights>>;

/** An operation that is not for everybody who is signed in. */
export type Guarded = keyof typeof RIGHTS;

const RANKS: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** What the page offers follows the rights of whoever is signed in; what is done, the server decides for itself. */
export function mayAsk({ role, brands }: Caller, operation: Guarded | undefined): boolean {
  if (operation === undefined) return true;
  const { needs, ofEveryBrand }: Rights = RIGHTS[operation];
  return RANKS[role] >= RANKS[needs] && (!ofEveryBrand || brands === null);
}
