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
import { valueAt } from './pointer.js'
import { forecastRules, pageRules } from './rules.js'
import type { ForecastResource } from './types.js'

type Check = (value: unknown) => Finding[]

/**
 * Checks one page: every forecast that matches its schema, their order, and that there are at most as many as the page
 * states.
 * @param size - pointer to the stated number.
 */
function aPage(form: Check, size: string): Check {
  return (value) => {
    const findings = form(value)
    const data = valueAt(value, '/data')
    if (!Array.isArray(data)) return findings
    const faults = [...findings]
    for (const [index, forecast] of data.entries()) {
      const at = `/data/${index}`
      const isFaulty = faults.some(({ pointer }) => `${pointer}/`.startsWith(`${at}/`))
      if (!isFaulty) findings.push(...forecastRules(forecast, at))
    }
    if (faults.length > 0) return findings
    findings.push(...pageRules(data, '/data'))
    const limit = Number(valueAt(value, size))
    if (data.length > limit) {
      findings.push(finding('page-too-long', { limit, found: data.length }, { pointer: '/data' }))
    }
    return findings
  }
}

/** Checks the form and, if that is valid, the rules of the forecast in it, which may be null. */
function oneForecast(form: Check, pointer: string): Check {
  return (value) => {
    const findings = form(value)
    const forecast = findings.length > 0 ? null : valueAt(value, pointer)
    return forecast === null ? findings : forecastRules(forecast as ForecastResource, pointer)
  }
}

const CHECKS = {
  attempt: checkAttempt,
  'audit-event': checkAuditEvent,
  error: checkErrorBody,
  forecast: oneForecast(checkForecastResourceForm, ''),
  freshness: checkFreshness,
  health: checkHealthBody,
  history: aPage(checkHistoryBodyForm, '/pagination/limit'),
  latest: oneForecast(checkLatestBodyForm, '/data'),
  'static-latest': oneForecast(checkStaticLatestBodyForm, '/data'),
  'static-page': aPage(checkStaticPageBodyForm, '/pagination/page_size'),
} as const

/** What `checkPayload` can check, by schema name. */
export type PayloadName = keyof typeof CHECKS

/**
 * Finds all violations of the contract in a JSON value: those of its schema, each once, and, if there are none, those
 * of the rules that no schema can express (the id of a forecast, its target, the order of a page). No findings mean
 * that the value is valid.
 * @param name - of the schema, as `foreproof schema` prints it.
 */
export function checkPayload(name: PayloadName, value: unknown): Finding[] {
  return CHECKS[name](value)
}
