import type { EvaluationResult, Horizon, ResultModel } from '../../../evaluation/result/types.js'
import { decimal, percent, whole } from '../../../output/figures.js'
import { horizonName, ownInterval } from '../../sentences.js'
import { measuresOf, overallAndHorizons } from '../../view.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { csvOf, type Drawing, type Figure, legendItem } from './figure.js'
import { type ChartGroup, type ChartRow, chartExtent, rowChart } from './rows.js'

/** The columns of a loss. */
export const LOSS_COLUMNS = [
  'model',
  'role',
  'horizon',
  'pairs',
  'point_loss',
  'lower',
  'upper',
] as const

/** The loss of a model at a horizon; null where it has no scored pair. */
export function lossOf(
  result: EvaluationResult,
  { name: model, role }: ResultModel,
  horizon: Horizon,
) {
  const found = measuresOf(result, model, horizon)
  const { lower = null, upper = null } = found?.point_loss_bounds ?? {}
  return {
    model,
    role,
    horizon: String(horizon),
    pairs: found?.pairs ?? 0,
    point_loss: found?.point_loss ?? null,
    lower,
    upper,
  }
}

/** A loss, drawn in the tone of its role. */
export function lossRow(label: string, of: ReturnType<typeof lossOf>): ChartRow {
  return {
    label,
    tone: of.role,
    point: of.point_loss,
    bounds: of,
    cells: [percent(of.point_loss, 3), whole(of.pairs)],
    absent: 'no scored pair',
  }
}

/** Every model's own mean loss, per horizon and overall, with its interval. */
export function lossFigure(result: EvaluationResult): Figure {
  const all = overallAndHorizons(result).map((horizon) => ({
    heading: horizon === 'overall' ? 'Overall, mean of the horizons' : horizonName(result, horizon),
    losses: result.models.map((model) => lossOf(result, model, horizon)),
  }))
  const said = all[0]?.losses.map((of) => `${of.model} ${percent(of.point_loss, 3)}`) ?? []
  return {
    file: 'loss',
    title: 'Loss by horizon',
    description: `Mean absolute log-return error of each model at each horizon, with its interval. Overall: ${said.join(', ')}.`,
    drawing: drawLosses(
      all.map(({ heading, losses }) => ({
        heading,
        rows: losses.map((of) => lossRow(of.model, of)),
      })),
    ),
    csv: csvOf(
      LOSS_COLUMNS,
      all.flatMap(({ losses }) => losses),
    ),
    legend: LOSS_LEGEND,
    caption: html`<p>Each model over all pairs it scored, with its ${ownInterval(result)}. These intervals are wide because all models share the same quiet and wild days; the differences below, taken pair by pair, are what is tested.</p>`,
  }
}

/** Losses as rows, on a scale from 0. */
export function drawLosses(groups: readonly ChartGroup[]): Drawing {
  const scale = linear([0, ...chartExtent(groups)], 8)
  return rowChart({
    scale,
    tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
    axis: 'mean absolute log-return error, % (left is better)',
    references: [],
    columns: ['loss', 'pairs'],
    groups,
  })
}

const LINE = html`<line class="thick" x1="1" x2="25" y1="7" y2="7"/>`
const CIRCLE = html`${LINE}<circle class="point" cx="13" cy="7" r="4.5"/>`
const DIAMOND = html`${LINE}<path class="point" d="M13 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`
/** Candidates and comparators, as their rows are drawn. */
export const LOSS_LEGEND = [
  legendItem(CIRCLE, 26, 'candidate', 'candidate'),
  legendItem(DIAMOND, 26, 'comparator', 'comparator'),
]

/** Coverage of the intervals against the nominal level, with their width beside it. */
export function coverageFigure(result: EvaluationResult): Figure {
  const nominal = result.settings.interval_level
  const all = result.settings.horizons_hours.map((horizon_hours) => ({
    heading: horizonName(result, horizon_hours),
    models: result.models.map(({ name: model, role }) => {
      const interval = measuresOf(result, model, horizon_hours)?.interval
      const { lower = null, upper = null } = interval?.coverage_bounds ?? {}
      const { coverage = null, width_percent = null } = interval ?? {}
      return { model, role, horizon_hours, coverage, lower, upper, width_percent }
    }),
  }))
  const groups = all.map(({ heading, models }) => ({
    heading,
    rows: models.map((of) => ({
      label: of.model,
      tone: of.role,
      point: of.coverage,
      bounds: of,
      cells: [
        percent(of.coverage),
        of.width_percent === null ? '' : `${decimal(of.width_percent, 2)}\u202f%`,
      ],
      absent: 'no interval was scored',
    })),
  }))
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
    csv: csvOf(
      ['model', 'horizon_hours', 'coverage', 'lower', 'upper', 'width_percent'],
      all.flatMap(({ models }) => models),
    ),
    caption: html`<p>Left of the line the intervals are too narrow for what they promise, right of it too wide. Narrow intervals are only worth something where the coverage holds. Bars: each with its ${ownInterval(result)}. Width: the mean, in per cent of the price at the origin. Diagnostic; it does not decide.</p>`,
  }
}
