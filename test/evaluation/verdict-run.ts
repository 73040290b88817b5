import type { Registration } from '../../src/contract/types.js'
import type { EvaluationResult } from '../../src/evaluation/result/types.js'
import type { PairingRow } from '../../src/forecast/row.js'
import type { Vintage } from '../../src/outcomes/types.js'
import { numbers } from '../support/random.js'
import {
  evaluated,
  madeProtocol,
  madeRegistration,
  madeRows,
  madeVintage,
  VERDICT,
} from './made.js'

/**
 * An evaluation with verdict hypotheses, of 60 days. Two candidates: one that sees ahead, and one whose sight
 * is given, or that guesses.
 */
export async function verdictRun(
  sight: number | 'guess',
  change: Partial<Registration> = {},
  edit: (row: PairingRow, hour: number) => Partial<PairingRow> = () => ({}),
  days = 60,
  scoredWith: (vintage: Vintage) => Vintage = (vintage) => vintage,
): Promise<EvaluationResult> {
  const hours = 24 * days
  const vintage = madeVintage(hours)
  const candidates = ['seer', 'other'].map((name) => ({ source: 'history' as const, name }))
  const registration = madeRegistration(hours, {
    ...{ inference: VERDICT, candidates, family_size: 116, publication_lag_minutes: 5 },
    ...change,
  })
  const models = [
    { name: 'other', sight: sight === 'guess' ? 0 : sight },
    { name: 'seer', sight: 0.3 },
  ]
  const random = numbers(5)
  const rows = [...madeRows(hours, vintage, models, false)].map((row, at) => {
    const guess = Number(row.sourcePrice) * Math.exp(0.002 * (random() - 0.5))
    const guesses = row.model === 'other' && sight === 'guess'
    return { ...row, ...(guesses && { forecast: guess }), ...edit(row, Math.floor(at / 8)) }
  })
  return (await evaluated(registration, scoredWith(vintage), rows, madeProtocol())).result
}

/** The same, where the other candidate sees ahead for 15 days and backwards for the next, by turns. */
export function regimeRun(): Promise<EvaluationResult> {
  return verdictRun(0.1, {}, ({ model, sourcePrice, forecast }, hour) => {
    const backwards = model === 'other' && Math.floor(hour / 360) % 2 === 1
    return backwards ? { forecast: Number(sourcePrice) ** 2 / Number(forecast) } : {}
  })
}
