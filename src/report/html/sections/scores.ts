import type { Result } from '../../../evaluation/result/types.js'
import { change, decimal, percent, whole } from '../../../output/figures.js'
import { candidatesOf, measuresOf, overallAndHorizons } from '../../view.js'
import { coverageChart } from '../charts/coverage.js'
import { forestChart, forestKey } from '../charts/forest.js'
import { lossChart } from '../charts/loss.js'
import { html, type Markup } from '../markup.js'
import { folded, perModelAndHorizon, table } from './table.js'

function points(result: Result): Markup {
  return table({
    caption: 'Point forecasts: losses, biases and direction',
    head: [
      'model',
      'horizon',
      'pairs',
      'log-return error',
      'absolute error, % of price',
      'log-return bias',
      'bias, % of price',
      'direction right',
      'directions judged',
    ],
    left: [1],
    rows: perModelAndHorizon(result, overallAndHorizons(result), (model, horizon) => {
      const found = measuresOf(result, model, horizon)
      return (
        found && [
          whole(found.pairs),
          percent(found.point_loss, 4),
          decimal(found.absolute_percent_error, 4),
          change(found.log_return_bias, 4),
          decimal(found.percent_bias, 4),
          percent(found.direction.accuracy, 2),
          whole(found.direction.eligible),
        ]
      )
    }),
  })
}

function intervals(result: Result): Markup {
  return table({
    caption: 'Interval forecasts: interval score, pinball losses, coverage and width',
    head: [
      'model',
      'horizon',
      'intervals',
      'interval score',
      'pinball 0.1',
      'pinball 0.5',
      'pinball 0.9',
      'coverage',
      'off nominal',
      'width, % of price',
    ],
    left: [1],
    rows: perModelAndHorizon(result, overallAndHorizons(result), (model, horizon) => {
      const found = measuresOf(result, model, horizon)?.interval
      return (
        found && [
          whole(found.pairs),
          percent(found.score, 3),
          percent(found.pinball['0.1'], 4),
          percent(found.pinball['0.5'], 4),
          percent(found.pinball['0.9'], 4),
          percent(found.coverage, 2),
          change(found.coverage_difference, 2),
          decimal(found.width_percent, 3),
        ]
      )
    }),
  })
}

export function lossSection(result: Result): Markup {
  return html`<section aria-labelledby="loss">
<h2 id="loss">How far the forecasts were off</h2>
${lossChart(result)}
${folded('All point figures', points(result))}
</section>`
}

export function forestSection(result: Result): Markup {
  return html`<section aria-labelledby="differences">
<h2 id="differences">Each candidate against each comparator</h2>
<p>Differences are taken pair by pair, on the keys both models scored. A practical improvement needs a point at or left of the floor; a horizon passes when its thin interval ends before the limit.</p>
${forestKey(result)}
${candidatesOf(result).map(
  (model, index) => html`${forestChart(result, model.name, 'point_loss', `forest-${index}`)}
${forestChart(result, model.name, 'direction_error', `direction-${index}`)}
`,
)}
</section>`
}

export function coverageSection(result: Result): Markup {
  return html`<section aria-labelledby="coverage">
<h2 id="coverage">Do the intervals hold what they promise?</h2>
${coverageChart(result)}
${folded('All interval figures', intervals(result))}
</section>`
}
