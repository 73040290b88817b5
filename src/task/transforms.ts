import { exp, ln } from '../contract/logarithm.js'
import type { SeriesProtocol } from '../contract/types.js'

/** What values go through before they are compared: ascending, so that quantiles stay quantiles. */
export interface Transform {
  /** NaN where it is not defined: a logarithm of 0 or less, a root of less than 0. */
  of(value: number): number
  /** The value with this transform; that of the least one for what lies below all transforms. */
  back(transformed: number): number
}

type Score = SeriesProtocol['scores'][number]

export function transformOf({ transform }: Score): Transform {
  switch (transform?.kind) {
    case 'log':
    case 'log_shift': {
      const offset = Number(transform.offset ?? 0)
      return {
        of: (value) => (value + offset > 0 ? ln(value + offset) : Number.NaN),
        back: (transformed) => exp(transformed) - offset,
      }
    }
    case 'sqrt':
      return {
        of: Math.sqrt,
        back: (transformed) => {
          const root = Math.max(0, transformed)
          return root * root
        },
      }
    default:
      return { of: (value) => value, back: (transformed) => transformed }
  }
}

/** A transform as results and registrations name it: `identity`, `log_shift 1`. */
export function transformText({ transform }: Score): string {
  return [transform?.kind ?? 'identity', transform?.offset ?? ''].join(' ').trim()
}

/** That of the score which decides: quantiles of baselines are on it. */
export function primaryTransform({ scores }: SeriesProtocol): Transform {
  return transformOf(scores.find(({ primary }) => primary === true) as Score)
}
