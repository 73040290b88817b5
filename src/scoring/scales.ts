import { type Finding, finding } from '../contract/findings/finding.js'
import { formatUtc, type Instant } from '../contract/instant.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import type { SeriesTruth } from '../task/series-truth.js'
import { primaryTransform } from '../task/transforms.js'
import { meanOf } from './sum.js'

/** Fewer differences are no scale. */
const LEAST_DIFFERENCES = 20

/** What the losses of a series are divided by. */
export interface SeriesScale {
  readonly series: string
  readonly scale: number
  /** Pairs of values that it is the mean of. */
  readonly differences: number
}

export type SeriesScales =
  | { readonly ok: true; readonly scales: readonly SeriesScale[] }
  | { readonly ok: false; readonly findings: readonly Finding[] }

/**
 * The mean |y(t) − y(t − m)| of each series, on the transform of the score that decides, of the values in force at an
 * instant: the scale of Hyndman & Koehler (2006), Another look at measures of forecast accuracy. Periods without a
 * value are passed over. No scales where the protocol has none.
 * @returns findings by name for series with fewer than 20 differences, or with scale 0.
 */
export function seriesScales(
  protocol: SeriesProtocol,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): SeriesScales {
  const scales = scalesAt(protocol, periods, truth, at)
  const findings = scales.flatMap(({ series, scale, differences }) => {
    if (differences >= LEAST_DIFFERENCES && scale > 0) return []
    const fault = differences < LEAST_DIFFERENCES ? 'few' : 'zero'
    return [finding('series-scale', { fault, series, differences }, { pointer: '/scaling' })]
  })
  return findings.length > 0 ? { ok: false, findings } : { ok: true, scales }
}

function scalesAt(
  protocol: SeriesProtocol,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): SeriesScale[] {
  const { period_steps: steps } = protocol.scaling
  if (steps === undefined) return []
  const { of: on } = primaryTransform(protocol)
  return protocol.series.map(({ id: series }, index): SeriesScale => {
    const values = periods.map((_, period) => on(truth.view(index, period, at)))
    const apart = values.slice(steps).map((value, t) => Math.abs(value - (values[t] as number)))
    const { count: differences, mean } = meanOf(Float64Array.from(apart))
    return { series, scale: mean ?? 0, differences }
  })
}

/** Logarithms of another release of Node may differ in their last bits. */
const SAME = 1e-12

/**
 * Registered scales against those of the values in force at the same instant: one finding, with the first series
 * that differs.
 */
export function scaleFindings(
  registered: readonly SeriesScale[],
  protocol: SeriesProtocol,
  periods: PeriodList,
  truth: SeriesTruth,
  at: Instant,
): Finding[] {
  const pairs = scalesAt(protocol, periods, truth, at).map((made, index) => {
    return { made, own: registered[index] as SeriesScale }
  })
  const other = pairs.filter(
    ({ made, own }) =>
      made.differences !== own.differences ||
      !(Math.abs(made.scale - own.scale) <= SAME * own.scale),
  )
  if (other[0] === undefined) return []
  const { made, own } = other[0]
  const text = ({ scale, differences }: SeriesScale) => `${scale} of ${differences} differences`
  const args = {
    ...{ count: other.length, of: pairs.length, series: own.series, at: formatUtc(at) },
    ...{ registered: text(own), found: text(made) },
  }
  return [finding('series-scale-differs', args)]
}
