import { exp, ln } from '../../contract/logarithm.js'

/** What values go through before they are compared: ascending, so that quantiles stay quantiles. */
export interface Transform {
  /** NaN where it is not defined: a logarithm of 0 or less, a root of less than 0. */
  of(value: number): number
  /** The value with this transform; that of the least one for what lies below all transforms. */
  back(transformed: number): number
}

/** As rules have it, or a document, which leaves out what it does not need. */
interface Transformed {
  readonly transform?:
    | { readonly kind: string; readonly offset?: string | null | undefined }
    | undefined
}

export function transformOf({ transform }: Transformed): Transform {
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
export function transformText({ transform }: Transformed): string {
  return [transform?.kind ?? 'identity', transform?.offset ?? ''].join(' ').trim()
}

/** That of the score which decides: quantiles of baselines are on it. */
export function primaryTransform(
  scores: readonly (Transformed & { readonly primary?: boolean | undefined })[],
): Transform {
  return transformOf(scores.find(({ primary }) => primary === true) ?? {})
}
