import { statSync } from 'node:fs'
import { fileError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import { openEvidence, openPairs } from '../evaluation/evidence/open.js'
import type { Broken } from '../evaluation/links.js'
import type { CodeVersion } from '../evaluation/result/types.js'
import { readVintage } from '../outcomes/vintage.js'
import { evidenceForecasts } from './evidence-forecasts.js'
import { type ExchangedForecast, Omissions } from './forecasts.js'
import { historyForecasts } from './history-forecasts.js'

export interface ForecastSourceOptions {
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
export async function openForecasts(request: ForecastSourceOptions): Promise<ForecastSource> {
  const { source, outcomes, signal } = request
  const leftOut = new Omissions()
  if (isFolder(source)) return await evidenceSource(request, leftOut)
  const vintage = outcomes === undefined ? undefined : readVintage(outcomes)
  const forecasts = historyForecasts(source, { outcomes: vintage, signal }, leftOut)
  return { ok: true, forecasts, leftOut, findings: [] }
}

async function evidenceSource(
  { source: folder, code, signal }: ForecastSourceOptions,
  leftOut: Omissions,
): Promise<ForecastSource> {
  const opened = await openEvidence(folder, code)
  if (!opened.ok) return opened
  const pairs = await openPairs(folder, opened.result, signal)
  if (!pairs.ok) return pairs
  const forecasts = evidenceForecasts(pairs.value, leftOut)
  return { ok: true, forecasts, leftOut, findings: opened.findings }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (cause) {
    throw fileError(cause, path)
  }
}
