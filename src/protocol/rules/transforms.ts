import { exp, ln } from '../../contract/logarithm.js'

/** A transform of values before they are compared; it is increasing, so that quantiles stay quantiles. */
export interface Transform {
  /** NaN where it is undefined: a logarithm of 0 or less, a root of a negative number. */
  of(value: number): number
  /** The inverse; for numbers below the range of the transform, the smallest value. */
  back(transformed: number): number
}

/** A score in compiled rules, or in a document, which may leave out optional members. */
interface Transformed {
  readonly transform?:
    | { readonly kind: string; readonly offset?: string | null | undefined }
    | undefined
}

export function compileTransform({ transform }: Transformed): Transform {
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

/** The name of a transform in results and registrations: `identity`, `log_shift 1`. */
export function transformText({ transform }: Transformed): string {
  return [transform?.kind ?? 'identity', transform?.offset ?? ''].join(' ').trim()
}

/** The transform of the deciding score, on which quantiles of baselines are computed. */
export function primaryTransform(
  scores: readonly (Transformed & { readonly primary?: boolean | undefined })[],
): Transform {
  return compileTransform(scores.find(({ primary }) => primary === true) ?? {})
}
