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
import { SCHEMA_FILES } from './schemas/files.js'
import type {
  ForecastResource,
  HistoryBody,
  LatestBody,
  StaticLatestBody,
  StaticPageBody,
} from './types.js'

const VALIDATORS = {
  attempt: validateAttempt,
  'audit-event': validateAuditEvent,
  error: validateErrorBody,
  forecast: validateForecastResource,
  freshness: validateFreshness,
  health: validateHealthBody,
  history: validateHistoryBody,
  latest: validateLatestBody,
  'static-latest': validateStaticLatestBody,
  'static-page': validateStaticPageBody,
} satisfies Record<string, Validator>

function bySchema(name: keyof typeof VALIDATORS, value: unknown): Finding[] {
  const validate: Validator = VALIDATORS[name]
  if (validate(value)) return []
  return schemaFindings(value, validate.errors ?? [], SCHEMA_FILES[name])
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
