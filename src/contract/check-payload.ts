import type { Finding } from './findings/finding.js'
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
} from './payload-validators.generated.js'
import { forecastRules, pageRules } from './rules.js'
import { schemaFindings, type Validator } from './schema-findings.js'
import { DEFINITIONS } from './schemas/index.js'
import type {
  ForecastResource,
  HistoryBody,
  LatestBody,
  StaticLatestBody,
  StaticPageBody,
} from './types.js'

const VALIDATORS = {
  Attempt: validateAttempt,
  AuditEvent: validateAuditEvent,
  ErrorBody: validateErrorBody,
  ForecastResource: validateForecastResource,
  Freshness: validateFreshness,
  HealthBody: validateHealthBody,
  HistoryBody: validateHistoryBody,
  LatestBody: validateLatestBody,
  StaticLatestBody: validateStaticLatestBody,
  StaticPageBody: validateStaticPageBody,
} satisfies Record<string, Validator>

function bySchema(name: keyof typeof VALIDATORS, value: unknown): Finding[] {
  const validate: Validator = VALIDATORS[name]
  if (validate(value)) return []
  return schemaFindings(value, validate.errors ?? [], DEFINITIONS[name])
}

/** The rules of one forecast, unless the schema has already found fault with it. */
function unlessFaulty(forecast: ForecastResource, at: string, faults: readonly Finding[]) {
  const inside = (pointer = '') => pointer === at || pointer.startsWith(`${at}/`)
  return faults.some((fault) => inside(fault.pointer)) ? [] : forecastRules(forecast, at)
}

function pageFindings(
  name: 'HistoryBody' | 'StaticPageBody',
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
    findings.push({
      code: 'page-too-long',
      severity: 'error',
      pointer: '/data',
      args: { limit, found: data.length },
    })
  }
  return findings
}

export function checkForecast(value: unknown): Finding[] {
  const findings = bySchema('ForecastResource', value)
  return findings.length > 0 ? findings : forecastRules(value as ForecastResource, '')
}

export function checkFreshness(value: unknown): Finding[] {
  return bySchema('Freshness', value)
}

export function checkLatestBody(value: unknown): Finding[] {
  const findings = bySchema('LatestBody', value)
  return findings.length > 0 ? findings : forecastRules((value as LatestBody).data, '/data')
}

/** One page of the dynamic history: every forecast, their order, and no more than the limit. */
export function checkHistoryBody(value: unknown): Finding[] {
  return pageFindings('HistoryBody', value, (body) => (body as HistoryBody).pagination.limit)
}

export function checkHealthBody(value: unknown): Finding[] {
  return bySchema('HealthBody', value)
}

export function checkErrorBody(value: unknown): Finding[] {
  return bySchema('ErrorBody', value)
}

export function checkStaticLatestBody(value: unknown): Finding[] {
  const findings = bySchema('StaticLatestBody', value)
  const data = findings.length > 0 ? null : (value as StaticLatestBody).data
  return data === null ? findings : forecastRules(data, '/data')
}

/** One page of the static history: every forecast, their order, and no more than the page size. */
export function checkStaticPageBody(value: unknown): Finding[] {
  return pageFindings(
    'StaticPageBody',
    value,
    (body) => (body as StaticPageBody).pagination.page_size,
  )
}

export function checkAuditEvent(value: unknown): Finding[] {
  return bySchema('AuditEvent', value)
}

export function checkAttempt(value: unknown): Finding[] {
  return bySchema('Attempt', value)
}
