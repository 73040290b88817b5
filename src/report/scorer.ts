import type { Scorer } from '../contract/types.js'
import type { EvaluationResult } from '../evaluation/result/types.js'
import { statementsOf } from '../registration/scorer/scorer.js'

/**
 * What the scorer computed: as the result states it or, where its registration is older than the
 * statements, made from the numbers that the result holds. The pool of `strongest_simple` and the
 * definitions of strata are not among these.
 */
export function scorerIn(result: EvaluationResult): Pick<Scorer, 'computes'> {
  const { scorer, settings, models, mode, family } = result
  if (scorer !== undefined) return { computes: [...scorer.computes] }
  const builtIns = models.filter(({ source }) => source === 'built_in').map(({ name }) => name)
  const horizons = [...settings.horizons_hours]
  const basis = {
    mode,
    settings: { ...settings, horizons_hours: horizons },
    familySize: family.size,
    builtIns: [...new Set(builtIns)],
    strata: [],
  }
  return statementsOf(basis, 1)
}
