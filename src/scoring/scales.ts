import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { RulesData } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { compileTransform, type Transform, transformText } from '../protocol/rules/transforms.js'
import type { SeriesTruth } from '../truth/series-truth.js'
import { average } from './sum.js'

/** A series with fewer nonzero differences gives no usable scale. */
const LEAST_DIFFERENCES = 20
/** Dividing by a smaller scale could make squared losses too large to add up. */
const LEAST_SCALE = 1e-40

/** The divisor of the losses of a series, for the scores on one transform. */
export interface SeriesScale {
  readonly series: string
  /** In the form of `transformText`. */
  readonly transform: string
  readonly value: number
}

/** Shares (coverage, direction) are not scaled. */
const isLoss = (kind: RulesData['scores'][number]['kind']) =>
  kind !== 'coverage' && kind !== 'direction'

/** The parts of rules, or of a document of version 2, that say how losses are scaled. */
interface ScaleRules {
  readonly series: readonly { readonly id: string }[]
  readonly scaling: {
    readonly kind: RulesData['scaling']['kind']
    readonly period_steps?: number | null
  }
  readonly scores: readonly (Pick<RulesData['scores'][number], 'kind'> &
    Parameters<typeof compileTransform>[0])[]
}

export type SeriesScales =
  | { readonly ok: true; readonly scales: readonly SeriesScale[] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

interface ComputedScale extends SeriesScale {
  /** Number of nonzero differences. */
  readonly differences: number
}

/**
 * The mean |y(t) − y(t − m)| of each series, on the transform of each score but coverage and direction, of the values in force at an
 * instant: the scale of Hyndman & Koehler (2006), Another look at measures of forecast accuracy. Periods without a
 * value are passed over. No scales where the protocol has none.
 * @returns findings by name for series with fewer than 20 differences that are not 0, or with a scale near 0.
 */
export function computeScales(
  rules: ScaleRules,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): SeriesScales {
  const computed = scalesAt(rules, periods, truth, at)
  const findings = computed.flatMap(({ value, differences, ...of }) => {
    if (differences >= LEAST_DIFFERENCES && value >= LEAST_SCALE) return []
    const fault = differences < LEAST_DIFFERENCES ? 'few' : 'small'
    const args = { fault, differences, found: String(value), ...of } as const
    return [finding('series-scale', args, { pointer: '/scaling' })]
  })
  if (findings.length > 0) return { ok: false, findings }
  return { ok: true, scales: computed.map(({ differences: _, ...scale }) => scale) }
}

/** The transforms on which losses are scaled, by name; empty without scaling. */
export function scaledTransforms({
  scaling,
  scores,
}: Pick<ScaleRules, 'scaling' | 'scores'>): ReadonlyMap<string, Transform> {
  const scaled = scaling.kind === 'none' ? [] : scores.filter(({ kind }) => isLoss(kind))
  return new Map(scaled.map((score) => [transformText(score), compileTransform(score)]))
}

function scalesAt(
  rules: ScaleRules,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): ComputedScale[] {
  const steps = rules.scaling.period_steps ?? 0
  const transforms = [...scaledTransforms(rules)]
  return rules.series.flatMap(({ id: series }, index) => {
    const values = periods.map((_, period) => truth.view(index, period, at))
    return transforms.map(([transform, { of: on }]): ComputedScale => {
      const mapped = values.map(on)
      const apart = mapped.slice(steps).map((value, t) => Math.abs(value - (mapped[t] as number)))
      const value = average(Float64Array.from(apart)).mean ?? 0
      return { series, transform, value, differences: apart.filter((each) => each > 0).length }
    })
  })
}

/**
 * Compares registered scales, in order, with those of the values in force at the same instant: one finding, for the
 * first that differs.
 */
export function scaleFindings(
  registered: readonly SeriesScale[],
  rules: ScaleRules,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): Finding[] {
  const computed = scalesAt(rules, periods, truth, at)
  const other = computed.flatMap(({ value, ...of }, index) => {
    const stored = registered[index]?.value ?? Number.NaN
    return value === stored ? [] : [{ ...of, registered: stored, found: value }]
  })
  if (other[0] === undefined) return []
  const { series, transform, registered: expected, found } = other[0]
  const args = {
    ...{ count: other.length, of: computed.length, at: formatUtc(at) },
    ...{ series, transform, registered: String(expected), found: String(found) },
  }
  return [finding('series-scale-differs', args)]
}
