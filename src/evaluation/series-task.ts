import { ndjsonWriter } from '../pairing/lines.js'
import { withLevels } from '../pairing/plan.js'
import { isReadTwice } from '../registration/time-rules.js'
import { seriesBaselineRows } from '../scoring/baselines/series.js'
import { seriesScores } from '../scoring/series-scores.js'
import { listTruth } from '../truth/shown-values.js'
import type { EvaluationTask } from './evaluate.js'
import type { Paired } from './pair.js'
import { knownTo, modelsOf, type SeriesTaskBasis, seriesEvaluationPlan } from './plan.js'
import { assembleSeriesResult, type SeriesParts } from './result/series.js'
import type { SeriesEvaluationResult } from './result/types.js'
import { seriesCellOf, seriesCells, seriesInference } from './series-infer.js'
import { waitingOf } from './waiting.js'

/** The computations for a registration under a protocol of version 2. */
export function seriesTask(basis: SeriesTaskBasis): EvaluationTask<SeriesEvaluationResult> {
  const { registration, protocol, periods, rules, truth, origins } = basis
  const plan = seriesEvaluationPlan(basis, listTruth(truth, periods, rules), knownTo(basis.vintage))
  const builtIns = modelsOf(registration, 'built_in')
  return {
    plan,
    levels: protocol.forecast.levels.length,
    prepare: withLevels(protocol.forecast.levels),
    writer: ndjsonWriter(plan.rules.label),
    builtInRows: () => seriesBaselineRows(protocol, periods, rules, truth, builtIns, origins),
    compared: registration,
    isReadTwice: isReadTwice(registration),
    finish: async (paired, second, metadata) => {
      const scores = seriesScores(rules, registration.scales)
      const computed = (own: Paired): SeriesParts => {
        const waiting = waitingOf(own, rules)
        const cells = seriesCells(own, basis, waiting)
        const cellOf = seriesCellOf(own, basis, scores)
        const inferred = seriesInference(basis, own, cells, cellOf, waiting)
        return { ...basis, paired: own, scores, cells, cellOf, inferred, waiting }
      }
      const first = computed(paired)
      const again = second && computed(second)
      return assembleSeriesResult(first, metadata, again)
    },
  }
}
