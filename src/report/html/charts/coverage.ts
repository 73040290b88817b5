import type { EvaluationResult } from '../../../evaluation/result/types.js'
import { decimal, percent } from '../../../output/figures.js'
import { horizonName } from '../../sentences.js'
import { measuresOf } from '../../view.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { boundCells, column, type Figure } from './figure.js'
import { extentOf, rowChart } from './rows.js'

/** Coverage of the intervals against the nominal level, with their width beside it. */
export function coverageFigure(result: EvaluationResult): Figure {
  const nominal = result.settings.interval_level
  const groups = result.settings.horizons_hours.map((horizon) => ({
    heading: horizonName(horizon),
    rows: result.models.map((model) => {
      const interval = measuresOf(result, model.name, horizon)?.interval
      return {
        label: model.name,
        tone: model.role,
        point: interval?.coverage ?? null,
        bounds: interval?.coverage_bounds ?? null,
        cells: [
          percent(interval?.coverage ?? null),
          interval?.width_percent == null
            ? ''
            : `${decimal(interval.width_percent, 2)}\u202f% wide`,
        ],
        absent: 'no interval was scored',
      }
    }),
  }))
  const scale = linear([nominal, ...extentOf(groups)], 8)
  return {
    id: 'chart-coverage',
    file: 'coverage',
    data: coverageData(result),
    title: 'Coverage against the nominal level',
    description: `Share of outcomes inside each model's interval, per horizon, against the nominal ${percent(nominal, 0)}, with the mean width of the interval in per cent of the price.`,
    draw: (layout) =>
      rowChart(
        {
          scale,
          tick: (value) => percent(value, tickDigits(scale, 100)),
          axis: {
            wide: 'share of outcomes inside the interval',
            narrow: 'share of outcomes inside',
          },
          references: [{ at: nominal, label: `nominal ${percent(nominal, 0)}`, kind: 'zero' }],
          columns: ['coverage', 'mean width'],
          groups,
        },
        layout,
      ),
    caption: html`<p>Left of the line the intervals are too narrow for what they promise, right of it too wide. Narrow intervals are only worth something where the coverage holds. Bars: ${percent(1 - result.settings.alpha, 0)} bootstrap intervals. Width in per cent of the price at the origin. Diagnostic; it does not decide.</p>`,
  }
}

function coverageData(result: EvaluationResult): Figure['data'] {
  return {
    columns: [
      column('model', 'text'),
      column('horizon_hours', 'integer'),
      ...['coverage', 'lower', 'upper', 'width_percent'].map((name) => column(name, 'number')),
    ],
    rows: result.settings.horizons_hours.flatMap((horizon) =>
      result.models.map(({ name }) => {
        const interval = measuresOf(result, name, horizon)?.interval
        const bounds = interval?.coverage_bounds
        const width = interval?.width_percent ?? null
        return [name, horizon, interval?.coverage ?? null, ...boundCells(bounds), width]
      }),
    ),
  }
}
