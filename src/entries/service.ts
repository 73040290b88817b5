/** Forecasts in public: the dynamic service, the static site, and whether a deployment keeps its word. */

export {
  type CheckDeploymentOptions,
  type ConformanceOptions,
  type ConformanceResult,
  checkDeployment,
} from '../conformance/run.js'
export { readConfig, type ServiceConfig, type ServiceSettings } from '../service/config.js'
export { type Running, startService } from '../service/http/run.js'
export { jsonLogger, type LogFields, type Logger, type LogLevel } from '../service/log.js'
export { checkSite, type SiteReport } from '../site/check.js'
export type { SitePlan } from '../site/plan/plan.js'
export { type PublishOptions, type PublishResult, planPublish, publish } from '../site/publish.js'
