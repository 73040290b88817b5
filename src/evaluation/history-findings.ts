import { type Finding, finding } from '../contract/findings/finding.js'
import type { Registration } from '../contract/types.js'
import { shownHistory } from '../history/store/shown.js'
import type { RowsRead } from './digested-rows.js'
import { modelsOf } from './plan.js'

interface Asked {
  readonly history: string
  readonly implausible?: boolean | undefined
}

/** What speaks against scoring a history, or is to be said of it, before a reading is spent. */
export function historyFindings(
  registration: Registration,
  read: RowsRead,
  asked: Asked,
): Finding[] {
  const without = withoutModels(registration, read, asked.history)
  return without.length > 0 ? without : implausibleCandidates(registration, read, asked)
}

/**
 * A history without a row of any registered model is most likely another file: this is said before
 * a reading is spent on it. One model without rows is not refused, for it may have made none.
 */
function withoutModels(registration: Registration, read: RowsRead, path: string): Finding[] {
  const wanted = modelsOf(registration, 'history')
  if (wanted.length === 0 || wanted.some((name) => read.models.has(name))) return []
  return [
    finding(
      'history-without-models',
      { models: wanted, found: [...read.models.keys()].sort() },
      { file: shownHistory(path) },
    ),
  ]
}

/** So large a share of a candidate's forecasts may be hardly prices. */
const MOST_IMPLAUSIBLE = 0.01

/**
 * A candidate in another unit, or of returns, would be scored as nonsense, and the only confirmatory reading be spent:
 * an error, or a warning where it was asked for.
 */
function implausibleCandidates(
  { candidates }: Registration,
  { models }: RowsRead,
  { history, implausible: isAsked }: Asked,
): Finding[] {
  return candidates.flatMap(({ name }) => {
    const { forecasts: of, implausible: rows } = models.get(name) ?? {
      forecasts: 0,
      implausible: 0,
    }
    if (rows <= of * MOST_IMPLAUSIBLE) return []
    const severity = isAsked ? ('warning' as const) : ('error' as const)
    const at = { file: shownHistory(history), severity }
    return [finding('candidate-implausible', { model: name, rows, of }, at)]
  })
}
