export type { Endpoint } from "./endpoint.ts";
/** The platform's client as a library: everything that is promised to its users, and nothing else. */
export type { Download } from "./answer.ts";
export {
  type ClientBatchCalls,
  type ClientCalls,
  type ClientChat,
  createPlatform,
  type Platform,
  type PlatformClient,
} from "./client.ts";
export type { ClockReading } from "./clock.ts";
export { type JsonValue, type Page, unnamedField } from "./decoding.ts";
export { type EndpointName, endpoints } from "./endpoints.ts";
export {
  AbortedError,
  BadGatewayError,
  ConflictError,
  ConnectionError,
  type Effect,
  EndlessListError,
  type FieldError,
  ForbiddenError,
  GatewayTimeoutError,
  InternalServerError,
  InvalidRequestError,
  NotFoundError,
  PaymentRequiredError,
  PlatformError,
  type PlatformErrorCode,
  RateLimitedError,
  RedirectedError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedResponseError,
  UnexpectedStatusError,
  UnprocessableError,
} from "./errors.ts";
export type { Fetch, FetchAnswer } from "./fetch-dispatcher.ts";
export type { PlatformHooks, RequestEvent, ResponseEvent } from "./hooks.ts";
export { givenKey, type KeyFile, KeyFileError, openKeyFile, type PlatformKey } from "./key-file.ts";
export {
  createLimiter,
  type Limiter,
  type LimiterOptions,
  type LimiterState,
  type Refusal,
} from "./limiter.ts";
export type { Gathered, ListPage } from "./list-page.ts";
export { loggingHooks, type RequestLogger } from "./logging.ts";
export { looksSecret, maskPhone, maskText, maskValue } from "./masking.ts";
export { momentOf } from "./moments.ts";
export {
  isEndpointName,
  type OperationEntry,
  operationOf,
  operations,
  type ResourceName,
  resources,
} from "./operations.ts";
export type {
  Agent,
  AgentCreate,
  AgentPublishQuery,
  AgentsQuery,
  AgentUpdate,
  AgentVersion,
  AgentWorkflowLink,
  ExportedAgent,
  LinkedAgent,
  LinkedWorkflow,
  WorkflowLink,
} from "./operations/agents.ts";
export type { AnalyticsQuery, AnalyticsSummary, CallsByDay, LatencyMetrics } from "./operations/analytics.ts";
export type {
  ApiKey,
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyRotate,
  ApiKeysQuery,
  ApiKeyUpdate,
  ApiKeyUsage,
} from "./operations/api-keys.ts";
export type {
  BatchCall,
  BatchCallCreate,
  BatchCallItem,
  BatchCallItemsQuery,
  BatchCallsQuery,
} from "./operations/batch-calls.ts";
export type {
  BalanceCheck,
  BillingPeriod,
  CallUsage,
  CreditBalance,
  DailyUsage,
  PricingEstimate,
  PricingEstimateRequest,
  ServicePricing,
  Transaction,
  TransactionsQuery,
  UsageEvent,
  UsageQuery,
  UsageSummary,
} from "./operations/billing.ts";
export type { Call, CallsQuery, PhoneCallCreate, TestCallCreate, WebCallCreate } from "./operations/calls.ts";
export type {
  ChatMessage,
  ChatReply,
  ChatSession,
  ChatSessionCreate,
  ChatSessionsQuery,
  ChatTestCreate,
} from "./operations/chat.ts";
export type { DefaultsConfig, LanguageEntry, ProviderCategory, ProviderConfig } from "./operations/config.ts";
export type {
  KnowledgeBase,
  KnowledgeBaseCreate,
  KnowledgeBaseDocument,
  UploadedDocument,
} from "./operations/knowledge-bases.ts";
export type { Answer, Operation } from "./operations/operation.ts";
export type {
  DispatchRule,
  PhoneNumber,
  PhoneNumberAgents,
  PhoneNumberCreate,
  PhoneNumbersQuery,
  PhoneNumberUpdate,
  SipConnection,
  SipConnectionCreate,
  SipConnectionUpdate,
} from "./operations/phone-numbers.ts";
export type {
  CreatedWorkflow,
  CredentialField,
  CredentialSchema,
  DeployedWorkflow,
  ExecutedWorkflow,
  ExportedWorkflow,
  GeneratedWorkflow,
  ScheduleStatus,
  Workflow,
  WorkflowCreate,
  WorkflowExecute,
  WorkflowExecution,
  WorkflowExecutionsQuery,
  WorkflowGenerate,
  WorkflowLinkUpdate,
  WorkflowSchedule,
  WorkflowSecrets,
  WorkflowsQuery,
  WorkflowUpdate,
  UpdatedWorkflow,
} from "./operations/workflows.ts";
export type { PlatformOptions, RetryPolicy, Timeouts } from "./options.ts";
export type { WalkOptions } from "./paging.ts";
export type { CallOptions, RawRequest, RequestInput } from "./request.ts";
export type { Agents } from "./resources/agents.ts";
export type { Analytics } from "./resources/analytics.ts";
export type { ApiKeys } from "./resources/api-keys.ts";
export type { BatchCalls } from "./resources/batch-calls.ts";
export type { Billing } from "./resources/billing.ts";
export type { Calls } from "./resources/calls.ts";
export type { Chat } from "./resources/chat.ts";
export type { Config } from "./resources/config.ts";
export type { KnowledgeBases } from "./resources/knowledge-bases.ts";
export type { DispatchRules, PhoneNumbers, SipConnections } from "./resources/phone-numbers.ts";
export type { Workflows } from "./resources/workflows.ts";
export { type CallRoom, joinCall, type Sound } from "./rooms/call-room.ts";
export { type ChatRoom, joinChat } from "./rooms/chat-room.ts";
export type { JoinOptions, RoomMessage } from "./rooms/joined-room.ts";
export type { Answering, Listing, Sent, WithResponse } from "./sent.ts";
export {
  type BatchStream,
  type BatchStreamOptions,
  type BatchStreamRequest,
  openBatchStream,
  type StreamCounters,
  type StreamState,
  type StreamStateChange,
  type StreamTiming,
} from "./stream/batch-stream.ts";
export { type BatchEvent, followBatch, type FollowOptions } from "./stream/events.ts";
export type { Hint } from "./stream/hint.ts";
export type { WaitReason } from "./stream/reconnect.ts";
export type { UploadSource } from "./upload.ts";
export { isBatchEnded, isCallEnded, isCallProcessed, type WaitOptions } from "./waiting.ts";
export {
  readWebhook,
  WebhookError,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookOptions,
  type WebhookProblem,
} from "./webhooks.ts";
