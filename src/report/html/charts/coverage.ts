import type { EvaluationResult } from '../../../evaluation/result/types.js'
import { decimal, percent } from '../../../output/figures.js'
import { horizonName, ownInterval } from '../../sentences.js'
import { measuresOf } from '../../view.js'
import { html } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { csvOf, type Figure } from './figure.js'
import { chartExtent, rowChart } from './rows.js'

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
