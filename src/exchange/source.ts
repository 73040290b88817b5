import { statSync } from 'node:fs'
import { fileError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { checkedInstant, instantOf, MICROS_PER_HOUR } from '../contract/instant.js'
import { INTERVAL_LEVEL } from '../contract/limits.js'
import type { ForecastResource, PairLine } from '../contract/types.js'
import { openEvidence, openPairs } from '../evaluation/evidence/open.js'
import { type Broken, orBroken } from '../evaluation/links.js'
import type { CodeVersion } from '../evaluation/result/types.js'
import { hourlyResult } from '../evaluation/result/types.js'
import { exportedRows } from '../history/export.js'
import type { Vintage } from '../outcomes/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { readPairLine } from '../pairing/lines.js'
import { isPostgres } from '../store/postgres/address.js'
import { allQuantiles, type ExchangedForecast, Omissions } from './forecasts.js'

interface ForecastSourceOptions {
  /** An evidence folder, or the file of a history. */
  readonly source: string
  /** A vintage, for the outcomes of a history; evidence has its own. */
  readonly outcomes?: string | undefined
  /** The code at hand, `codeVersion()`: a result of other code gives a note. */
  readonly code: CodeVersion
  readonly signal?: AbortSignal | undefined
}

export type ForecastSource =
  | Broken
  | {
      readonly ok: true
      /** In the order of origins; to be taken once. */
      readonly forecasts: AsyncIterable<readonly ExchangedForecast[]>
      /** Complete once all forecasts have been taken. */
      readonly leftOut: Omissions
      readonly findings: readonly Finding[]
    }

/**
 * Forecasts to be written in a format of others. Evidence is held against its digests first; whether it
 * follows from its inputs is for `auditFolder` to say.
 * @throws {ForeproofError} `not-found` when there is no such file, or a folder that is no evidence.
 */
export async function openForecasts({
  source,
  outcomes,
  code,
  signal,
}: ForecastSourceOptions): Promise<ForecastSource> {
  const leftOut = new Omissions()
  if (isFolder(source)) {
    return await orBroken(async () => {
      const { result, findings } = await openEvidence(source, code)
      const pairs = await openPairs(source, hourlyResult(result), readPairLine, signal)
      const forecasts = evidenceForecasts(pairs, leftOut)
      return { ok: true, forecasts, leftOut, findings }
    })
  }
  const vintage = outcomes === undefined ? undefined : readVintage(outcomes)
  const forecasts = historyForecasts(source, vintage, signal, leftOut)
  return { ok: true, forecasts, leftOut, findings: [] }
}

function isFolder(path: string): boolean {
  if (isPostgres(path)) return false
  try {
    return statSync(path).isDirectory()
  } catch (cause) {
    throw fileError(cause, path)
  }
}

/**
 * The scored forecasts of an evaluation, baselines included, with both closes.
 * @param pairs the lines of pairs.ndjson, in order.
 * @param leftOut counts expected attempts that were not scored.
 */
async function* evidenceForecasts(
  pairs: AsyncIterable<readonly PairLine[]>,
  leftOut: Omissions,
): AsyncGenerator<readonly ExchangedForecast[]> {
  for await (const lines of pairs) {
    yield lines.flatMap((line) => {
      if (!line.expected) return []
      const forecast = forecastOfPair(line)
      if (forecast === undefined) leftOut.add('unscored')
      else if (line.vintage_id !== null || line.vintage_sha256 !== null) leftOut.add('provenance')
      return forecast ?? []
    })
  }
}

function forecastOfPair(line: PairLine): ExchangedForecast | undefined {
  const { base: originClose, outcome: targetClose, value: price } = line
  const { step: horizonHours, model } = line
  const origin = instantOf(line.origin)
  if (line.status !== 'scored' || origin === undefined) return undefined
  if (price === null || originClose === null || targetClose === null || horizonHours === null) {
    return undefined
  }
  const closes = { sourcePrice: originClose, originClose, targetClose }
  return { origin, horizonHours, model, price, quantiles: quantilesOfPair(line), ...closes }
}

function quantilesOfPair({ interval_status, quantiles }: PairLine) {
  return interval_status === 'scored' ? allQuantiles(quantiles) : []
}

/**
 * The forecasts of a history, oldest origin first, then by horizon and model.
 * @param leftOut counts what forecasts of other formats have no place for.
 * @throws {ForeproofError} when the history cannot be read, and at a row that is no forecast; `interrupted`.
 */
async function* historyForecasts(
  path: string,
  outcomes: Vintage | undefined,
  signal: AbortSignal | undefined,
  leftOut: Omissions,
): AsyncGenerator<readonly ExchangedForecast[]> {
  for await (const rows of exportedRows(path, { signal })) {
    yield rows.flatMap(({ forecast, attempt }) => {
      if (attempt !== undefined && forecast === undefined) leftOut.add('attempts')
      if (forecast === undefined) return []
      countLeftOut(forecast, leftOut)
      return [forecastOfResource(forecast, outcomes)]
    })
  }
}

function forecastOfResource(
  resource: ForecastResource,
  outcomes: Vintage | undefined,
): ExchangedForecast {
  const origin = checkedInstant(resource.origin_at)
  const horizonHours = resource.horizon_hours
  return {
    origin,
    horizonHours,
    model: resource.model.name,
    price: resource.estimate.price_usd,
    quantiles: quantilesOfResource(resource),
    sourcePrice: resource.lineage.source.price_usd,
    originClose: outcomes?.closeAt(origin),
    targetClose: outcomes?.closeAt(origin + horizonHours * MICROS_PER_HOUR),
  }
}

/** An interval of another level has other quantiles, which no column of ours names. */
function quantilesOfResource({ interval }: ForecastResource): readonly number[] {
  const { level, lower_usd, median_usd, upper_usd } = interval
  return level === INTERVAL_LEVEL ? allQuantiles([lower_usd, median_usd, upper_usd]) : []
}

function countLeftOut(resource: ForecastResource, leftOut: Omissions): void {
  const { interval, lineage, model, run } = resource
  const known = [model.configuration_id, run.id, run.generated_at, lineage.manifest]
  if (known.some((value) => value !== null)) leftOut.add('lineage')
  if (lineage.provenance !== undefined) leftOut.add('provenance')
  if (interval.level !== INTERVAL_LEVEL && interval.lower_usd !== null) leftOut.add('levels')
}
