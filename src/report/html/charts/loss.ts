import type {
  EvaluationResult,
  Horizon,
  ModelMeasures,
  ResultModel,
} from '../../../evaluation/result/types.js'
import { decimal, percent, whole } from '../../../output/figures.js'
import type { Row } from '../../../table/types.js'
import { horizonName } from '../../sentences.js'
import { measuresOf, overallAndHorizons } from '../../view.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { boundCells, column, type Figure } from './figure.js'
import type { LegendItem } from './legend.js'
import { type ChartGroup, type ChartRow, extentOf, rowChart } from './rows.js'

/** The loss of a model in one cell, drawn in the tone of its role. */
export function lossRow(
  label: string,
  tone: ResultModel['role'],
  found: ModelMeasures | undefined,
): ChartRow {
  return {
    label,
    tone,
    point: found?.point_loss ?? null,
    bounds: found?.point_loss_bounds ?? null,
    cells: [percent(found?.point_loss ?? null, 3), found ? whole(found.pairs) : ''],
    absent: 'no scored pair',
  }
}

/** The columns of `lossCells`. */
export const LOSS_DATA = [
  ...['model', 'role', 'horizon'].map((name) => column(name, 'text')),
  column('pairs', 'integer'),
  ...['point_loss', 'lower', 'upper'].map((name) => column(name, 'number')),
]

/** The loss of a model at a horizon, as data. */
export function lossCells(
  { name, role }: ResultModel,
  horizon: Horizon,
  found: ModelMeasures | undefined,
): Row {
  return [
    ...[name, role, String(horizon), found?.pairs ?? 0, found?.point_loss ?? null],
    ...boundCells(found?.point_loss_bounds),
  ]
}

/** Every model's own mean loss, per horizon and overall, with its interval. */
export function lossFigure(result: EvaluationResult): Figure {
  const groups = overallAndHorizons(result).map((horizon) => ({
    heading: horizon === 'overall' ? 'Overall, mean of the horizons' : horizonName(horizon),
    rows: result.models.map(({ name, role }) =>
      lossRow(name, role, measuresOf(result, name, horizon)),
    ),
  }))
  const said = groups[0]?.rows.map((row) => `${row.label} ${percent(row.point, 3)}`) ?? []
  return {
    id: 'chart-loss',
    file: 'loss',
    data: lossData(result),
    title: 'Loss by horizon',
    description: `Mean absolute log-return error of each model at each horizon, with its interval. Overall: ${said.join(', ')}.`,
    draw: drawLosses(groups),
    legend: LOSS_LEGEND,
    caption: html`<p>Each model over all pairs it scored, with its ${percent(1 - result.settings.alpha, 0)} bootstrap interval. These intervals are wide because all models share the same quiet and wild days; the differences below, taken pair by pair, are what is tested.</p>`,
  }
}

/** Losses as rows, on a scale from 0. */
export function drawLosses(groups: readonly ChartGroup[]): Figure['draw'] {
  const scale = linear([0, ...extentOf(groups)], 8)
  return (layout) =>
    rowChart(
      {
        scale,
        tick: (value) => decimal(value * 100, tickDigits(scale, 100)),
        axis: {
          wide: 'mean absolute log-return error, in per cent (left is better)',
          narrow: 'log-return error, % (left is better)',
        },
        references: [],
        columns: ['loss', 'pairs'],
        groups,
      },
      layout,
    )
}

function lossData(result: EvaluationResult): Figure['data'] {
  return {
    columns: LOSS_DATA,
    rows: overallAndHorizons(result).flatMap((horizon) =>
      result.models.map((model) =>
        lossCells(model, horizon, measuresOf(result, model.name, horizon)),
      ),
    ),
  }
}

const LINE = html`<line class="thick" x1="1" x2="25" y1="7" y2="7"/>`
/** Candidates and comparators, as their rows are drawn. */
export const LOSS_LEGEND: readonly LegendItem[] = [
  {
    mark: html`${LINE}<circle class="point" cx="13" cy="7" r="4.5"/>`,
    width: 26,
    tone: 'candidate',
    means: 'candidate',
  },
  {
    mark: html`${LINE}<path class="point" d="M13 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/>`,
    width: 26,
    tone: 'comparator',
    means: 'comparator',
  },
]
