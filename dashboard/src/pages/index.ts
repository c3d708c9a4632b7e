import type { FunctionComponent } from "preact";

import type { Rights } from "../api/session.ts";
import { lazily } from "../parts/lazily.tsx";
import type { Params } from "../parts/params.ts";
import { words } from "../words.ts";
import { AuditPage } from "./admin/audit.tsx";
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

interface Place extends Rights {
  /** With its parameters, as the router reads it. */
  path: string;
  show: FunctionComponent<{ params: Params }>;
}

/** What the API asks of whoever reads what a page is about: others are told so in its place. */
const OPERATOR: Rights = { needs: "operator" };
const ADMIN: Rights = { needs: "admin" };
const ADMIN_OF_ALL: Rights = { needs: "admin", ofEveryBrand: true };
const OF_ALL: Rights = { ofEveryBrand: true };

/** Every page, the first that fits wins. */
export const PAGES: readonly Place[] = [
  { path: "/", show: OverviewPage },
  { path: "/campaigns/new", show: NewCampaignPage, ...OPERATOR },
  { path: "/campaigns/:ref/:part?", show: CampaignPage },
  { path: "/calls/:id", show: CallPage, ...OPERATOR },
  { path: "/people", show: PeoplePage },
  { path: "/people/:phone", show: PersonPage },
  { path: "/forgettings", show: ForgettingsPage, ...ADMIN_OF_ALL },
  { path: "/forgettings/:id", show: ForgettingPage, ...ADMIN_OF_ALL },
  { path: "/attention", show: AttentionPage },
  { path: "/sequences", show: SequencesPage },
  { path: "/sequences/new", show: NewSequencePage, ...OPERATOR },
  { path: "/sequences/:ref/edit", show: EditSequencePage },
  { path: "/sequences/:ref", show: SequencePage },
  { path: "/enrolments/:id", show: EnrolmentPage },
  { path: "/follow-ups", show: FollowUpsPage },
  { path: "/follow-ups/:id", show: FollowUpPage, ...OPERATOR },
  { path: "/schedules", show: SchedulesPage },
  { path: "/schedules/:name", show: SchedulePage },
  { path: "/automations", show: AutomationsPage, ...OF_ALL },
  { path: "/automations/:name", show: AutomationPage, ...OF_ALL },
  { path: "/triggers", show: TriggersPage },
  { path: "/triggers/:name", show: TriggerPage },
  { path: "/deliveries/:id", show: DeliveryPage, ...OPERATOR },
  { path: "/rules/:part?", show: RulesPage, ...OPERATOR },
  { path: "/suppressions", show: SuppressionsPage },
  { path: "/audit", show: AuditPage, ...ADMIN },
  { path: "/tokens", show: TokensPage, ...ADMIN_OF_ALL },
  { path: "/system", show: SystemPage },
];

/** What stands at the side. */
export const SIDE: readonly ({ path: string; name: string } & Rights)[] = [
  { path: "/", name: words.pages.overview },
  { path: "/attention", name: words.pages.attention },
  { path: "/people", name: words.pages.people },
  { path: "/sequences", name: words.pages.sequences },
  { path: "/follow-ups", name: words.pages.followUps },
  { path: "/triggers", name: words.pages.triggers },
  { path: "/rules", name: words.pages.rules, ...OPERATOR },
  { path: "/schedules", name: words.pages.schedules },
  { path: "/automations", name: words.pages.automations, ...OF_ALL },
  { path: "/suppressions", name: words.pages.suppressions },
  { path: "/audit", name: words.pages.audit, ...ADMIN },
  { path: "/tokens", name: words.pages.tokens, ...ADMIN_OF_ALL },
  { path: "/forgettings", name: words.pages.forgettings, ...ADMIN_OF_ALL },
  { path: "/system", name: words.pages.system },
];
