import type { EvaluationResult, Horizon } from '../../../evaluation/result/types.js'
import { decimal, percent, whole } from '../../../output/figures.js'
import { horizonName } from '../../sentences.js'
import { measuresOf, overallAndHorizons } from '../../view.js'
import { html, type Markup } from '../markup.js'
import { linear, tickDigits } from '../scale.js'
import { figure } from './figure.js'
import { type ChartRow, extentOf, rowChart } from './rows.js'

function rowsAt(result: EvaluationResult, horizon: Horizon): ChartRow[] {
  return result.models.map((model) => {
    const found = measuresOf(result, model.name, horizon)
    return {
      label: model.name,
      tone: model.role,
      point: found?.point_loss ?? null,
      bounds: found?.point_loss_bounds ?? null,
      cells: [percent(found?.point_loss ?? null, 3), found ? whole(found.pairs) : ''],
      absent: 'no scored pair',
    }
  })
}

/** Every model's own mean loss, per horizon and overall, with its interval. */
export function lossChart(result: EvaluationResult): Markup {
  const groups = overallAndHorizons(result).map((horizon) => ({
    heading: horizon === 'overall' ? 'Overall, mean of the horizons' : horizonName(horizon),
    rows: rowsAt(result, horizon),
  }))
  const scale = linear([0, ...extentOf(groups)], 8)
  const said = groups[0]?.rows.map((row) => `${row.label} ${percent(row.point, 3)}`) ?? []
  return figure({
    id: 'chart-loss',
    title: 'Loss by horizon',
    description: `Mean absolute log-return error of each model at each horizon, with its interval. Overall: ${said.join(', ')}.`,
    draw: (layout) =>
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
      ),
    caption: html`<ul class="legend"><li><svg aria-hidden="true" width="26" height="14" class="candidate"><line class="thick" x1="1" x2="25" y1="7" y2="7"/><circle class="point" cx="13" cy="7" r="4.5"/></svg> candidate</li><li><svg aria-hidden="true" width="26" height="14" class="comparator"><line class="thick" x1="1" x2="25" y1="7" y2="7"/><path class="point" d="M13 1.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z"/></svg> comparator</li></ul>
<p>Each model over all pairs it scored, with its ${percent(1 - result.settings.alpha, 0)} bootstrap interval. These intervals are wide because all models share the same quiet and wild days; the differences below, taken pair by pair, are what is tested.</p>`,
  })
}
