import { type ArgsOf, type Code, type Finding, finding } from './findings/finding.js'
import { instantOrNaN, MICROS_PER_HOUR } from './instant.js'
import { ln } from './logarithm.js'
import { compareKeys, type ReadingKey } from './order.js'
import { pointerTo } from './pointer.js'
import { quoteValue } from './schema-findings.js'
import type { ForecastResource } from './types.js'

export function toReadingKey(forecast: ForecastResource): ReadingKey {
  return {
    origin: instantOrNaN(forecast.origin_at),
    horizon: forecast.horizon_hours,
    model: forecast.model.name,
  }
}

/** Checks the rules of one forecast that no schema can express; `at` is the pointer to it. */
export function forecastRules(forecast: ForecastResource, at: string): Finding[] {
  const findings: Finding[] = []
  const report = <C extends Code>(code: C, path: string, args: ArgsOf<C>): void => {
    findings.push(finding(code, args, { pointer: `${at}${path}` }))
  }
  const { origin_at, horizon_hours, model, interval, confidence, lineage } = forecast
  const id = `${origin_at}:${model.name}:${horizon_hours}`
  if (forecast.forecast_id !== id) {
    report('forecast-id-mismatch', '/forecast_id', { expected: id, found: forecast.forecast_id })
  }
  const origin = instantOrNaN(origin_at)
  const key = lineage.history_key
  const mismatch = (field: string, expected: string | number, value: string | number) =>
    report('history-key-mismatch', `/lineage/history_key/${field}`, {
      expected: quoteValue(expected),
      found: quoteValue(value),
    })
  if (key.origin_at !== origin_at && instantOrNaN(key.origin_at) !== origin) {
    mismatch('origin_at', origin_at, key.origin_at)
  }
  if (key.model_name !== model.name) mismatch('model_name', model.name, key.model_name)
  if (key.horizon_hours !== horizon_hours) {
    mismatch('horizon_hours', horizon_hours, key.horizon_hours)
  }
  const hours = (instantOrNaN(forecast.target_at) - origin) / MICROS_PER_HOUR
  if (hours !== horizon_hours) {
    report('target-mismatch', '/target_at', { horizon: horizon_hours, found: hours })
  }
  findings.push(...priceRules(forecast, at))
  const { lower_usd: lower, median_usd: median, upper_usd: upper } = interval
  if (lower !== null && median !== null && upper !== null) {
    if (lower > median || median > upper) {
      report('interval-disordered', '/interval', { lower, median, upper })
    }
  } else if (lower !== null || median !== null || upper !== null) {
    // A bound that is present shows that the run did produce quantiles.
    const absent = Object.entries({ lower_usd: lower, median_usd: median, upper_usd: upper })
      .filter(([, bound]) => bound === null)
      .map(([name]) => name)
    report('interval-partly-null', '/interval', { absent })
  }
  if (confidence.label === 'unknown') {
    if (confidence.score !== 0) {
      const args = { fault: 'scored', found: String(confidence.score) } as const
      report('confidence-unknown', '/confidence/score', args)
    }
    if (Object.keys(confidence.evidence).length === 0) {
      const args = { fault: 'unexplained', found: '' } as const
      report('confidence-unknown', '/confidence/evidence', args)
    }
  }
  if (lineage.manifest === null && !explainsAbsence(forecast)) {
    report('manifest-absence-unexplained', '/lineage/manifest', {})
  }
  return findings
}

/** Differences that rounding of prices and percentages can explain: percentage points, and a share of the change. */
const ROUNDING = { points: 0.02, share: 0.001 }

function priceRules({ estimate, lineage }: ForecastResource, at: string): Finding[] {
  const { price_usd: price, change_pct: change } = estimate
  const source = lineage.source.price_usd
  const findings: Finding[] = []
  const prices = [
    ['/estimate/price_usd', price],
    ['/lineage/source/price_usd', source],
  ] as const
  for (const [path, amount] of prices) {
    if (amount > 0) continue
    findings.push(finding('price-not-positive', { found: amount }, { pointer: `${at}${path}` }))
  }
  if (source <= 0) return findings
  const expected = (price / source - 1) * 100
  const tolerance = ROUNDING.points + Math.abs(expected) * ROUNDING.share
  if (!Number.isFinite(expected) || Math.abs(change - expected) > tolerance) {
    const args = { found: change, price, source, expected }
    findings.push(finding('change-mismatch', args, { pointer: `${at}/estimate/change_pct` }))
  }
  if (isImplausible(price, source)) {
    const args = { price, source }
    findings.push(finding('price-implausible', args, { pointer: `${at}/estimate/price_usd` }))
  }
  return findings
}

/**
 * The forecast differs from the price at its origin by a factor of more than 1.65. Within hours, that means another
 * unit, or not a price at all.
 */
const MOST_LOG_RETURN = 0.5

/** Whether a price is implausible; both prices in the same unit. False if one of them is not positive. */
export function isImplausible(price: number, source: number): boolean {
  return price > 0 && source > 0 && Math.abs(ln(price / source)) > MOST_LOG_RETURN
}

/** The reason has no fixed name: any text in lineage beyond the known members, or in the evidence. */
function explainsAbsence({ lineage, confidence }: ForecastResource): boolean {
  const { history_key, source, manifest, provenance, ...rest } = lineage
  return [...Object.values(rest), ...Object.values(confidence.evidence)].some(
    (value) => typeof value === 'string' && value.trim() !== '',
  )
}

/** Checks that the rows of one page are in reading order and unique. */
export function pageRules(data: readonly ForecastResource[], at: string): Finding[] {
  const findings: Finding[] = []
  let before: ReadingKey | undefined
  for (const [index, forecast] of data.entries()) {
    const key = toReadingKey(forecast)
    const order = before === undefined ? -1 : compareKeys(before, key)
    before = key
    if (order < 0) continue
    const args = { found: forecast.forecast_id, before: data[index - 1]?.forecast_id ?? '' }
    const code = order === 0 ? 'forecast-repeated' : 'forecasts-out-of-order'
    findings.push(finding(code, args, { pointer: pointerTo(at, index) }))
  }
  return findings
}
