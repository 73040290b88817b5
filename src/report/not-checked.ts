import type { Result } from '../evaluation/result/result.js'
import { keepSentences } from '../output/figures.js'
import { selfDeclared } from './time-line.js'
import { primaryScore } from './view.js'

export const NOT_CHECKED = 'Not checked here'

/** What a result cannot show, or what this one does not show; a line each, for the verdict's side. */
export function notChecked(result: Result): string[] {
  const { settings, time, kind } = result
  const isProspective = kind !== 'backtest'
  const commitment = time?.commitment
  const isShownInTime = isProspective && !selfDeclared(result) && !!commitment
  const hasLevels = settings.rules.scores.some(
    ({ kind: of }) => of !== 'absolute_error' && of !== 'direction',
  )
  return keepSentences([
    !isShownInTime && 'Whether a model was tuned on the outcomes that judge it.',
    'Whether its keeper has other ledgers, or other names for a model.',
    isProspective &&
      selfDeclared(result) &&
      'When this was registered: the time is the keeper’s own word.',
    isProspective &&
      !selfDeclared(result) &&
      'Who the stamping authorities are: the writer chose them. Give the audit your own list.',
    !!commitment &&
      commitment.witnessed === undefined &&
      'Whether the log of forecasts has another version: no witness saw it.',
    isProspective &&
      !commitment &&
      'When each forecast was made: no log shows it, so the times are the keeper’s own word.',
    !settings.provenance_required &&
      'Which inputs a forecast used, and when they were known: it did not have to record that.',
    primaryScore(result).kind === 'absolute_error' &&
      hasLevels &&
      'Intervals and quantiles: they are shown below, and the verdict does not depend on them.',
  ])
}
