import { type Finding, finding } from './findings/finding.js'
import {
  validateAttempt,
  validateAuditEvent,
  validateErrorBody,
  validateForecastResource,
  validateFreshness,
  validateHealthBody,
  validateHistoryBody,
  validateLatestBody,
  validateStaticLatestBody,
  validateStaticPageBody,
} from './generated/payload-validators.js'
import { forecastRules, pageRules } from './rules.js'
import { schemaFindings, type Validator } from './schema-findings.js'
import attempt from './schemas/attempt.schema.json' with { type: 'json' }
import auditEvent from './schemas/audit-event.schema.json' with { type: 'json' }
import error from './schemas/error.schema.json' with { type: 'json' }
import forecast from './schemas/forecast.schema.json' with { type: 'json' }
import freshness from './schemas/freshness.schema.json' with { type: 'json' }
import health from './schemas/health.schema.json' with { type: 'json' }
import history from './schemas/history.schema.json' with { type: 'json' }
import latest from './schemas/latest.schema.json' with { type: 'json' }
import staticLatest from './schemas/static-latest.schema.json' with { type: 'json' }
import staticPage from './schemas/static-page.schema.json' with { type: 'json' }
import type {
  ForecastResource,
  HistoryBody,
  LatestBody,
  StaticLatestBody,
  StaticPageBody,
} from './types.js'

/** No more files than these: a service loads them at its start. */
const SCHEMAS = {
  attempt: [validateAttempt, attempt],
  'audit-event': [validateAuditEvent, auditEvent],
  error: [validateErrorBody, error],
  forecast: [validateForecastResource, forecast],
  freshness: [validateFreshness, freshness],
  health: [validateHealthBody, health],
  history: [validateHistoryBody, history],
  latest: [validateLatestBody, latest],
  'static-latest': [validateStaticLatestBody, staticLatest],
  'static-page': [validateStaticPageBody, staticPage],
} satisfies Record<string, readonly [Validator, object]>

function bySchema(name: keyof typeof SCHEMAS, value: unknown): Finding[] {
  const [validate, file]: readonly [Validator, object] = SCHEMAS[name]
  return validate(value) ? [] : schemaFindings(value, validate.errors ?? [], file)
}

/** The rules of one forecast, unless the schema has already found fault with it. */
function unlessFaulty(forecast: ForecastResource, at: string, faults: readonly Finding[]) {
  const inside = (pointer = '') => pointer === at || pointer.startsWith(`${at}/`)
  return faults.some((fault) => inside(fault.pointer)) ? [] : forecastRules(forecast, at)
}

function pageFindings(
  name: 'history' | 'static-page',
  value: unknown,
  size: (body: unknown) => number,
): Finding[] {
  const findings = bySchema(name, value)
  const data = (value as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) return findings
  const faults = [...findings]
  for (const [index, forecast] of data.entries()) {
    findings.push(...unlessFaulty(forecast, `/data/${index}`, faults))
  }
  if (faults.length > 0) return findings
  findings.push(...pageRules(data, '/data'))
  const limit = size(value)
  if (data.length > limit) {
    findings.push(finding('page-too-long', { limit, found: data.length }, { pointer: '/data' }))
  }
  return findings
}

/** Everything in which a value is not one forecast: its schema, and what no schema can say. */
export function checkForecast(value: unknown): Finding[] {
  const findings = bySchema('forecast', value)
  return findings.length > 0 ? findings : forecastRules(value as ForecastResource, '')
}

/** Everything in which a value is not a freshness object. */
export function checkFreshness(value: unknown): Finding[] {
  return bySchema('freshness', value)
}

/** Everything in which a value is not the answer of the latest route. */
export function checkLatestBody(value: unknown): Finding[] {
  const findings = bySchema('latest', value)
  return findings.length > 0 ? findings : forecastRules((value as LatestBody).data, '/data')
}

/** One page of the dynamic history: every forecast, their order, and no more than the limit. */
export function checkHistoryBody(value: unknown): Finding[] {
  return pageFindings('history', value, (body) => (body as HistoryBody).pagination.limit)
}

/** Everything in which a value is not the answer of the health route. */
export function checkHealthBody(value: unknown): Finding[] {
  return bySchema('health', value)
}

/** Everything in which a value is not an answer that is no success. */
export function checkErrorBody(value: unknown): Finding[] {
  return bySchema('error', value)
}

/** Everything in which a value is not the latest.json of a static site. */
export function checkStaticLatestBody(value: unknown): Finding[] {
  const findings = bySchema('static-latest', value)
  const data = findings.length > 0 ? null : (value as StaticLatestBody).data
  return data === null ? findings : forecastRules(data, '/data')
}

/** One page of the static history: every forecast, their order, and no more than the page size. */
export function checkStaticPageBody(value: unknown): Finding[] {
  return pageFindings('static-page', value, (body) => (body as StaticPageBody).pagination.page_size)
}

/** Everything in which a value is not a line of the read-audit log. */
export function checkAuditEvent(value: unknown): Finding[] {
  return bySchema('audit-event', value)
}

/** Everything in which a value is not a recorded attempt that gave no forecast. */
export function checkAttempt(value: unknown): Finding[] {
  return bySchema('attempt', value)
}

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
 * @param name - of the schema, as `foreproof schema --list` prints it.
 */
export function checkPayload(name: PayloadName, value: unknown): Finding[] {
  return CHECKS[name](value)
}
