import { checkedInstant } from '../contract/instant.js'
import type { ReadonlyDeep } from '../contract/readonly-deep.js'
import type { SeriesResult } from '../contract/types.js'
import { seriesNdjsonWriter } from '../pairing/lines.js'
import { type SeriesSetting, seriesPlan } from '../pairing/series.js'
import type { CommitmentLookup, PairingPlan } from '../pairing/types.js'
import { seriesBaselineRows } from '../scoring/baselines/series.js'
import { seriesScores } from '../scoring/series-scores.js'
import type { TruthVintage } from '../truth/vintage.js'
import type { EvaluationTask } from './evaluate.js'
import { modelsOf } from './plan.js'
import { assembleSeriesResult } from './result/series.js'
import { cellsInTest, type SeriesBasis, seriesCellOf, seriesInference } from './series-infer.js'

/** What an evaluation of any series rests on, read and verified. */
export interface SeriesTaskBasis extends SeriesBasis, SeriesSetting {
  readonly vintage: TruthVintage
  /** What the log shows of the forecasts; there where they have to be committed. */
  readonly commitments?: CommitmentLookup | undefined
}

/** What a registration under a protocol of version 2 asks to be computed. */
export function seriesTask(basis: SeriesTaskBasis): EvaluationTask<ReadonlyDeep<SeriesResult>> {
  const { registration, protocol, periods, times, truth } = basis
  const plan = seriesEvaluationPlan(basis)
  const { origins, rules } = plan
  const positions = Array.from({ length: origins.count }, (_, index) => origins.placeOf(index))
  const builtIns = modelsOf(registration, 'built_in')
  return {
    plan,
    levels: protocol.forecast.levels.length,
    writer: seriesNdjsonWriter(rules.textOf),
    builtInRows: () => seriesBaselineRows(protocol, periods, times, truth, builtIns, positions),
    finish: async (paired) => {
      const scales = new Map(registration.scales.map(({ series, scale }) => [series, scale]))
      const scores = seriesScores(
        protocol,
        protocol.series.map(({ id }) => scales.get(id) ?? 1),
      )
      const cells = cellsInTest(paired, basis)
      const cellOf = seriesCellOf(paired, basis, scores)
      const inferred = seriesInference(basis, paired, cells, cellOf)
      const parts = { basis, paired, scores, cells, cellOf, inferred }
      return (metadata) => assembleSeriesResult(parts, metadata)
    },
  }
}

/** The plan of a registration under a protocol of version 2. */
export function seriesEvaluationPlan(basis: SeriesTaskBasis): PairingPlan {
  const { registration, periods, commitments } = basis
  const place = (label: string) => periods.findIndex((period) => period.label === label)
  return seriesPlan(
    {
      from: place(registration.window.from),
      to: place(registration.window.to),
      models: modelsOf(registration),
      mode: registration.mode,
      registeredAt: checkedInstant(registration.registered_at),
      ...(commitments && { commitment: commitments }),
      provenanceRequired: registration.provenance_required,
      builtIn: new Set(modelsOf(registration, 'built_in')),
    },
    basis,
  )
}
