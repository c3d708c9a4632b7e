import type { FunctionComponent } from "preact";

import type { Guarded } from "../api/rights.ts";
import { lazily } from "../parts/lazily.tsx";
import type { Params } from "../parts/params.ts";
import { words } from "../words.ts";
import { AuditPage } from "./admin/audit.tsx";
import { SessionsPage } from "./admin/sessions.tsx";
import { SystemPage } from "./admin/system.tsx";
import { TokensPage } from "./admin/tokens.tsx";
import { AutomationPage, AutomationsPage } from "./after-calls/automations.tsx";
import { FollowUpPage, FollowUpsPage } from "./after-calls/follow-ups.tsx";
import { SchedulePage, SchedulesPage } from "./after-calls/schedules.tsx";
import { AttentionPage } from "./attention.tsx";
import { CallPage } from "./campaign/call.tsx";
import { CampaignPage } from "./campaign/campaign.tsx";
import { NewCampaignPage } from "./campaign/new.tsx";
import { SuppressionsPage } from "./doors/suppressions.tsx";
import { DeliveryPage, TriggerPage, TriggersPage } from "./doors/triggers.tsx";
import { OverviewPage } from "./overview.tsx";
import { ForgettingPage, ForgettingsPage } from "./people/forgettings.tsx";
import { PeoplePage } from "./people.tsx";
import { PersonPage } from "./person.tsx";
import { EnrolmentPage } from "./sequences/enrolment.tsx";
import { SequencesPage } from "./sequences/list.tsx";
import { SequencePage } from "./sequences/sequence.tsx";

/** Editors are large, and opened by few. */
const NewSequencePage = lazily(async () => (await import("./sequences/edit.tsx")).NewSequencePage);
const EditSequencePage = lazily(async () => (await import("./sequences/edit.tsx")).EditSequencePage);

const RulesPage = lazily(async () => (await import("./rules/rules.tsx")).RulesPage);

interface Place {
  /** With its parameters, as the router reads it. */
  path: string;
  show: FunctionComponent<{ params: Params }>;
  /** What it stands for, where not everybody may ask for that: others are told so in its place. */
  of?: Guarded;
}

/** Every page, the first that fits wins. */
export const PAGES: readonly Place[] = [
  { path: "/", show: OverviewPage },
  { path: "/campaigns/new", show: NewCampaignPage, of: "createCampaign" },
  { path: "/campaigns/:ref/:part?", show: CampaignPage },
  { path: "/calls/:id", show: CallPage, of: "readCall" },
  { path: "/people", show: PeoplePage },
  { path: "/people/:phone", show: PersonPage },
  { path: "/forgettings", show: ForgettingsPage, of: "listForgettings" },
  { path: "/forgettings/:id", show: ForgettingPage, of: "readForgetting" },
  { path: "/attention", show: AttentionPage },
  { path: "/sequences", show: SequencesPage },
  { path: "/sequences/new", show: NewSequencePage, of: "putSequence" },
  { path: "/sequences/:ref/edit", show: EditSequencePage },
  { path: "/sequences/:ref", show: SequencePage },
  { path: "/enrolments/:id", show: EnrolmentPage },
  { path: "/follow-ups", show: FollowUpsPage },
  { path: "/follow-ups/:id", show: FollowUpPage, of: "readFollowUp" },
  { path: "/schedules", show: SchedulesPage },
  { path: "/schedules/:name", show: SchedulePage },
  { path: "/automations", show: AutomationsPage, of: "readAutomationHealth" },
  { path: "/automations/:name", show: AutomationPage, of: "readAutomation" },
  { path: "/triggers", show: TriggersPage },
  { path: "/triggers/:name", show: TriggerPage },
  { path: "/deliveries/:id", show: DeliveryPage, of: "readDelivery" },
  { path: "/rules/:part?", show: RulesPage, of: "testRules" },
  { path: "/suppressions", show: SuppressionsPage },
  { path: "/audit", show: AuditPage, of: "listAudit" },
  { path: "/tokens", show: TokensPage, of: "listTokens" },
  { path: "/sessions", show: SessionsPage, of: "listSessions" },
  { path: "/system", show: SystemPage },
];

/** What stands at the side. */
export const SIDE: readonly (Pick<Place, "path" | "of"> & { name: string })[] = [
  { path: "/", name: words.pages.overview },
  { path: "/attention", name: words.pages.attention },
  { path: "/people", name: words.pages.people },
  { path: "/sequences", name: words.pages.sequences },
  { path: "/follow-ups", name: words.pages.followUps },
  { path: "/triggers", name: words.pages.triggers },
  { path: "/rules", name: words.pages.rules, of: "testRules" },
  { path: "/schedules", name: words.pages.schedules },
  { path: "/automations", name: words.pages.automations, of: "readAutomationHealth" },
  { path: "/suppressions", name: words.pages.suppressions },
  { path: "/audit", name: words.pages.audit, of: "listAudit" },
  { path: "/tokens", name: words.pages.tokens, of: "listTokens" },
  { path: "/sessions", name: words.pages.sessions, of: "listSessions" },
  { path: "/forgettings", name: words.pages.forgettings, of: "listForgettings" },
  { path: "/system", name: words.pages.system },
];
