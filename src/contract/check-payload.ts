import { type Finding, finding } from './findings/finding.js'
import {
  checkAttempt,
  checkAuditEvent,
  checkErrorBody,
  checkForecastResourceForm,
  checkFreshness,
  checkHealthBody,
  checkHistoryBodyForm,
  checkLatestBodyForm,
  checkStaticLatestBodyForm,
  checkStaticPageBodyForm,
} from './generated/check-payloads.js'
import { forecastRules, pageRules } from './rules.js'
import type {
  ForecastResource,
  HistoryBody,
  LatestBody,
  StaticLatestBody,
  StaticPageBody,
} from './types.js'

export { checkAttempt, checkAuditEvent, checkErrorBody, checkFreshness, checkHealthBody }

type Check = (value: unknown) => Finding[]

/** One page: every forecast that its schema finds sound, their order, and no more than it states. */
function pageFindings(form: Check, value: unknown, size: (body: unknown) => number): Finding[] {
  const findings = form(value)
  const data = (value as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) return findings
  const faults = [...findings]
  for (const [index, forecast] of data.entries()) {
    const at = `/data/${index}`
    const isFaulty = faults.some(({ pointer }) => `${pointer}/`.startsWith(`${at}/`))
    if (!isFaulty) findings.push(...forecastRules(forecast, at))
  }
  if (faults.length > 0) return findings
  findings.push(...pageRules(data, '/data'))
  const limit = size(value)
  if (data.length > limit) {
    findings.push(finding('page-too-long', { limit, found: data.length }, { pointer: '/data' }))
  }
  return findings
}

/** The form, and where that holds the rules of the forecast in it, if there is one. */
function oneForecast<T>(
  form: Check,
  pointer: string,
  forecastIn: (body: T) => ForecastResource | null,
): Check {
  return (value) => {
    const findings = form(value)
    const forecast = findings.length > 0 ? null : forecastIn(value as T)
    return forecast === null ? findings : forecastRules(forecast, pointer)
  }
}

/** Everything in which a value is not one forecast: its schema, and what no schema can say. */
export const checkForecast = oneForecast<ForecastResource>(
  checkForecastResourceForm,
  '',
  (forecast) => forecast,
)

/** Everything in which a value is not the answer of the latest route. */
export const checkLatestBody = oneForecast<LatestBody>(
  checkLatestBodyForm,
  '/data',
  ({ data }) => data,
)

/** Everything in which a value is not the latest.json of a static site. */
export const checkStaticLatestBody = oneForecast<StaticLatestBody>(
  checkStaticLatestBodyForm,
  '/data',
  ({ data }) => data,
)

/** One page of the dynamic history. */
export const checkHistoryBody: Check = (value) =>
  pageFindings(checkHistoryBodyForm, value, (body) => (body as HistoryBody).pagination.limit)

/** One page of the static history. */
export const checkStaticPageBody: Check = (value) =>
  pageFindings(
    checkStaticPageBodyForm,
    value,
    (body) => (body as StaticPageBody).pagination.page_size,
  )

const CHECKS = {
  attempt: checkAttempt,
  'audit-event': checkAuditEvent,
  error: checkErrorBody,
  forecast: checkForecast,
  freshness: checkFreshness,
  health: checkHealthBody,
  history: checkHistoryBody,
  latest: checkLatestBody,
  'static-latest': checkStaticLatestBody,
  'static-page': checkStaticPageBody,
} as const

/** What `checkPayload` can check, by the name of its schema. */
export type PayloadName = keyof typeof CHECKS

/**
 * Everything in which a JSON value departs from the contract: its schema, each violation once, and,
 * where that holds, the rules no schema can say (the id of a forecast, its target, the order of a
 * page). None means that the value is what its name says.
 * @param name - of the schema, as `foreproof schema` prints it.
 */
export function checkPayload(name: PayloadName, value: unknown): Finding[] {
  return CHECKS[name](value)
}
