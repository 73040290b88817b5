import {
  checkAttempt,
  checkForecast,
  checkHistoryBody,
  checkLatestBody,
  checkStaticLatestBody,
  checkStaticPageBody,
} from '../../contract/check-payload.js'
import { type Finding, finding, hasNoErrors } from '../../contract/findings/finding.js'
import { instantOf, MICROS_PER_HOUR } from '../../contract/instant.js'
import { isObject } from '../../contract/is-object.js'
import type { Attempt, ForecastResource } from '../../contract/types.js'
import { iJsonFault, isIJsonNumber, levelsOf } from '../../forecast/i-json.js'

interface AcceptedForecast {
  readonly resource: ForecastResource
  /** Where it is in its value. */
  readonly pointer: string
}

/** What one JSON value of an import turned out to be. */
export interface Accepted {
  readonly forecasts: readonly AcceptedForecast[]
  readonly attempt?: Attempt
  readonly findings: readonly Finding[]
}

/**
 * Holds a value against the contract: a forecast resource, a recorded attempt, or a body of the
 * dynamic or static API with forecasts in it. With an error among the findings nothing is accepted.
 */
export function accept(value: unknown): Accepted {
  const fault = iJsonFault(value, levelsOf(value))
  if (fault !== undefined) return rejected(fault)
  if (!isObject(value)) return rejected(unknown(value))
  if ('api_version' in value) return acceptBody(value)
  if ('forecast_id' in value || 'estimate' in value) return acceptForecast(value)
  if ('status' in value && 'model_name' in value) {
    const findings = [...checkAttempt(value), ...unkept(value)]
    if (!hasNoErrors(findings)) return rejected(...findings)
    return { forecasts: [], attempt: value as unknown as Attempt, findings }
  }
  return rejected(unknown(value))
}

/** A producer may give provenance at the top, as attempts do; in a resource it is part of lineage. */
function acceptForecast(value: Record<string, unknown>): Accepted {
  const { provenance, ...rest } = value
  const { lineage } = value
  const moves = provenance !== undefined && isObject(lineage) && lineage.provenance === undefined
  const resource = moves ? { ...rest, lineage: { ...lineage, provenance } } : value
  const findings = checkForecast(resource)
  if (findings.length > 0 && !hasNoErrors(findings)) {
    return rejected(...(moves ? findings.map(atTheTop) : findings))
  }
  const forecast = { resource: resource as unknown as ForecastResource, pointer: '' }
  const beyond = columnFaults(forecast)
  return beyond.length > 0 ? rejected(...beyond) : { forecasts: [forecast], findings }
}

function atTheTop(finding: Finding): Finding {
  const { pointer } = finding
  return pointer?.startsWith('/lineage/provenance')
    ? { ...finding, pointer: pointer.slice('/lineage'.length) }
    : finding
}

function acceptBody(body: Record<string, unknown>): Accepted {
  const { data, error, pagination } = body
  if (data === undefined && isObject(error)) {
    const code = typeof error.code === 'string' ? error.code : 'unknown'
    return rejected(finding('import-error-body', { code }, { pointer: '/error' }))
  }
  if (isObject(data) && 'stages' in data) return rejected(unknown(body))
  const findings = checkBody(body)
  if (!hasNoErrors(findings)) return rejected(...findings)
  const forecasts = forecastsIn(data)
  for (const forecast of forecasts) {
    const beyond = columnFaults(forecast)
    if (beyond.length > 0) return rejected(...beyond)
  }
  return { forecasts, findings }

  function checkBody(value: unknown): Finding[] {
    if (Array.isArray(data)) {
      const isStatic = isObject(pagination) ? 'page_size' in pagination : 'snapshot_at' in body
      return isStatic ? checkStaticPageBody(value) : checkHistoryBody(value)
    }
    return 'snapshot_at' in body ? checkStaticLatestBody(value) : checkLatestBody(value)
  }
}

/** The forecasts of a body that the contract has accepted. */
function forecastsIn(data: unknown): AcceptedForecast[] {
  if (data === null) return []
  if (!Array.isArray(data)) return [{ resource: data as ForecastResource, pointer: '/data' }]
  return data.map((resource, index) => ({ resource, pointer: `/data/${index}` }))
}

/** Numbers of a forecast, accepted by the contract, that the columns of a history may not hold. */
function columnFaults({ resource, pointer: at }: AcceptedForecast): Finding[] {
  const { estimate, interval, lineage } = resource
  const numbers = [
    ['/estimate/price_usd', estimate.price_usd],
    ['/estimate/change_pct', estimate.change_pct],
    ['/interval/lower_usd', interval.lower_usd],
    ['/interval/median_usd', interval.median_usd],
    ['/interval/upper_usd', interval.upper_usd],
    ['/lineage/source/price_usd', lineage.source.price_usd],
  ] as const
  return numbers
    .filter(([, value]) => value !== null && !isIJsonNumber(value))
    .map(
      ([pointer, value]): Finding =>
        finding('json-integer-range', { found: String(value) }, { pointer: `${at}${pointer}` }),
    )
}

const ATTEMPT_MEMBERS = new Set([
  'origin_at',
  'model_name',
  'horizon_hours',
  'status',
  'reason',
  'recorded_at',
  'provenance',
])

/** Members of an attempt that the history has no place for; nothing is lost silently. */
function unkept(attempt: Record<string, unknown>): Finding[] {
  const members = Object.keys(attempt).filter(
    (name) => !ATTEMPT_MEMBERS.has(name) && !(name === 'target_at' && saysItsTarget(attempt)),
  )
  if (members.length === 0) return []
  const args = { members }
  return [finding('import-attempt-member', args, { pointer: '' })]
}

/** A target that is origin plus horizon need not be kept. */
function saysItsTarget(attempt: Record<string, unknown>): boolean {
  const origin = instantOf(attempt.origin_at)
  const hours = Number(attempt.horizon_hours)
  return origin !== undefined && instantOf(attempt.target_at) === origin + hours * MICROS_PER_HOUR
}

function rejected(...findings: Finding[]): Accepted {
  return { forecasts: [], findings }
}

function unknown(value: unknown): Finding {
  const members = isObject(value) ? Object.keys(value).slice(0, 6) : []
  const found = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return finding('import-unknown-value', { found, members }, { pointer: '' })
}
