import { leftOutOf } from '../evaluation/disposition.js'
import type { EvaluationResult, ResultStratum, SharedKeys } from '../evaluation/result/types.js'
import { percent } from '../output/figures.js'
import { sameStratum } from './view.js'

/** What a candidate left out against one comparator. */
export interface LeftOut {
  readonly horizon: number
  readonly notScored: number
  /** The origins that it answers for, see `leftOutOf`. */
  readonly origins: number
  /** True where it is more than the registration allows. */
  readonly beyond: boolean
}

/** The horizon at which a candidate left out the largest share; undefined where nothing could be. */
export function mostLeftOut(
  result: EvaluationResult,
  of: Pick<SharedKeys, 'candidate' | 'comparator'>,
  stratum: ResultStratum,
): LeftOut | undefined {
  const { availability_limit: all = 1, availability_limit_stratum: level = 1 } = result.settings
  const limit = stratum === 'all' ? all : level
  const cells = result.shared_keys
    .filter(
      ({ candidate, comparator, ...cell }) =>
        candidate === of.candidate &&
        comparator === of.comparator &&
        sameStratum(cell.stratum, stratum),
    )
    .map((cell) => {
      const { notScored, origins } = leftOutOf(cell)
      return { horizon: cell.horizon, notScored, origins, beyond: notScored > limit * origins }
    })
    .filter(({ origins }) => origins > 0)
  const share = ({ notScored, origins }: LeftOut) => notScored / origins
  return cells.reduce<LeftOut | undefined>(
    (most, cell) => (most === undefined || share(cell) > share(most) ? cell : most),
    undefined,
  )
}

/** Above this share a report says what silence can do. */
const TELLING = 0.05

/**
 * What silence can gain, where a registration allowed more of it than usual and the candidate used
 * it: measured on real closes with a model without skill (see docs/registration.md).
 */
export function gainOfSilence(result: EvaluationResult, candidate: string): string | undefined {
  const shares = result.models
    .filter(({ role }) => role === 'comparator')
    .map(({ name }) => mostLeftOut(result, { candidate, comparator: name }, 'all'))
    .map((most) => (most === undefined ? 0 : most.notScored / most.origins))
  const share = Math.max(0, ...shares)
  if (share <= TELLING) return undefined
  return `It left out up to ${percent(share)} of the origins. A model without any skill that withholds the fifth of its forecasts that goes wrong can show a loss about 5 % lower, and with half of them withheld about 21 %: an improvement of this size may be silence.`
}
