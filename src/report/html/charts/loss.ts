import type { EvaluationResult, Horizon } from '../../../evaluation/result/types.js'
import { decimal, percent, whole } from '../../../output/figures.js'
import { horizonName, ownInterval } from '../../sentences.js'
import { measuresOf, overallAndHorizons } from '../../view.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { csvOf, type Figure, legendItem } from './figure.js'
import { type ChartRow, chartExtent, rowChart } from './rows.js'

/** The figures of every model at each horizon, one row each, coloured by role. */
function modelRows<H extends Horizon, Found extends object>(
  result: EvaluationResult,
  horizons: readonly H[],
  find: (found: ReturnType<typeof measuresOf>, horizon: H) => Found,
  rowOf: (of: Found) => Pick<ChartRow, 'point' | 'bounds' | 'cells'>,
  absent: string,
) {
  const all = horizons.map((horizon) => ({
    heading: horizon === 'overall' ? 'Overall, mean of the horizons' : horizonName(result, horizon),
    found: result.models.map(({ name: model, role }) => {
      return { model, role, ...find(measuresOf(result, model, horizon), horizon) }
    }),
  }))
  const groups = all.map(({ heading, found }) => ({
    heading,
    rows: found.map((of) => ({ label: of.model, tone: of.role, absent, ...rowOf(of) })),
  }))
  return { records: all.flatMap(({ found }) => found), groups }
}

const LINE = html`<line class="thick" x1="1" x2="25" y1="7" y2="7"/>`
const CIRCLE = html`${LINE}<circle class="point" cx="13" cy="7" r="4.5"/>`
const DIAMOND = html`${LINE}<path class="point" d="M13 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`

/** Every model's own mean loss, per horizon and overall, with its interval. */
export function lossFigure(result: EvaluationResult): Figure {
  const { records, groups } = modelRows(
    result,
    overallAndHorizons(result),
    (found, horizon) => ({
      horizon: String(horizon),
      pairs: found?.pairs ?? 0,
      point_loss: found?.point_loss ?? null,
      lower: found?.point_loss_bounds?.lower ?? null,
      upper: found?.point_loss_bounds?.upper ?? null,
    }),
    (of) => ({
      point: of.point_loss,
      bounds: of,
      cells: [percent(of.point_loss, 3), whole(of.pairs)],
    }),
    'no scored pair',
  )
  const overall = records.filter(({ horizon }) => horizon === 'overall')
  const said = overall.map((of) => `${of.model} ${percent(of.point_loss, 3)}`)
  const scale = linear([0, ...chartExtent(groups)], 8)
  return {
    file: 'loss',
    title: 'Loss by horizon',
    description: `Mean absolute log-return error of each model at each horizon, with its interval. Overall: ${said.join(', ')}.`,
    drawing: rowChart({
      scale,
      tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
      axis: 'mean absolute log-return error, % (left is better)',
      references: [],
      columns: ['loss', 'pairs'],
      groups,
    }),
    csv: csvOf(['model', 'role', 'horizon', 'pairs', 'point_loss', 'lower', 'upper'], records),
    legend: [
      legendItem(CIRCLE, 26, 'candidate', 'candidate'),
      legendItem(DIAMOND, 26, 'comparator', 'comparator'),
    ],
    caption: html`<p>Each model over all pairs it scored, with its ${ownInterval(result)}. These intervals are wide because all models share the same quiet and wild days; the differences below, taken pair by pair, are what is tested.</p>`,
  }
}

/** Coverage of the intervals compared with the nominal level, with their width. */
export function coverageFigure(result: EvaluationResult): Figure {
  const { interval_level: nominal, horizons_hours: horizons } = result.settings
  const { records, groups } = modelRows(
    result,
    horizons,
    (found, horizon_hours) => ({
      horizon_hours,
      coverage: found?.interval.coverage ?? null,
      lower: found?.interval.coverage_bounds?.lower ?? null,
      upper: found?.interval.coverage_bounds?.upper ?? null,
      width_percent: found?.interval.width_percent ?? null,
    }),
    (of) => ({
      point: of.coverage,
      bounds: of,
      cells: [
        percent(of.coverage),
        of.width_percent === null ? '' : `${decimal(of.width_percent, 2)}\u202f%`,
      ],
    }),
    'no interval was scored',
  )
  const scale = linear([nominal, ...chartExtent(groups)], 8)
  return {
    file: 'coverage',
    title: 'Coverage against the nominal level',
    description: `Share of outcomes inside each model's interval, per horizon, against the nominal ${percent(nominal, 0)}, with the mean width of the interval in per cent of the price.`,
    drawing: rowChart({
      scale,
      tick: (value) => percent(value, tickDigits(scale, 100)),
      axis: 'share of outcomes inside the interval',
      references: [{ at: nominal, label: `nominal ${percent(nominal, 0)}`, kind: 'zero' }],
      columns: ['coverage', 'width'],
      groups,
    }),
    csv: csvOf(['model', 'horizon_hours', 'coverage', 'lower', 'upper', 'width_percent'], records),
    caption: html`<p>Left of the line the intervals are too narrow for what they promise, right of it too wide. Narrow intervals are only worth something where the coverage holds. Bars: each with its ${ownInterval(result)}. Width: the mean, in per cent of the price at the origin. Diagnostic; it does not decide.</p>`,
  }
}
