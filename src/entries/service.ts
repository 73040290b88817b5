/** Forecasts in public: the dynamic service, the static site, and whether a deployment keeps its word. */

export {
  type CheckDeploymentOptions,
  type ConformanceResult,
  checkDeployment,
} from '../conformance/run.js'
export type { ServiceOptions } from '../service/config/config.js'
export type { ServiceSettings } from '../service/config/settings.js'
export { jsonLogger, type LogFields, type Logger, type LogLevel } from '../service/log.js'
export { type RunningService, startService } from '../service/start.js'
export { checkSite, type SiteCheckResult } from '../site/check.js'
export type { PublishPlanResult } from '../site/plan/plan.js'
export {
  type PublishOptions,
  type PublishResult,
  planPublish,
  publishSite,
} from '../site/publish.js'
