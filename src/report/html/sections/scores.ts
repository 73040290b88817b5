import type { EvaluationResult } from '../../../evaluation/result/types.js'
import { change, decimalNotZero, percent, whole } from '../../../output/figures.js'
import { hasVerdict } from '../../../registration/family.js'
import {
  FIGURES,
  isMeasured,
  type MeasureFigure,
  PAIR_MEASURES,
  type ScorerVersion,
  type Shown,
  scorerVersionOf,
} from '../../../scoring/measures.js'
import type { Estimand } from '../../../scoring/types.js'
import { copiesOf } from '../../notes.js'
import { candidatesOf, measuresOf, overallAndHorizons } from '../../view.js'
import { coverageFigure } from '../charts/coverage.js'
import { cumulativeFigure } from '../charts/cumulative.js'
import { forestFigure, forestKey } from '../charts/difference.js'
import { drawnFigure } from '../charts/figure.js'
import { lossFigure } from '../charts/loss.js'
import { html, type Markup } from '../markup.js'
import { reliabilityTable } from './beside.js'
import { folded, perModelAndHorizon, table } from './table.js'

const POINT_CAPTION = 'Point forecasts: losses, biases and direction'
const INTERVAL_CAPTION = 'Interval forecasts: interval score, pinball losses, coverage and width'

interface Column extends Shown {
  readonly way: readonly string[]
}

const FORMAT = {
  count: (value: number | null) => whole(value ?? 0),
  decimal: decimalNotZero,
  percent,
  change,
}

/** The figures of one estimand that a result has and reports show, each with the way to it. */
function shownFigures(
  estimand: Estimand,
  version: ScorerVersion,
  figures: object = FIGURES,
  way: string[] = [],
): Column[] {
  return Object.entries(figures).flatMap(([name, node]: [string, MeasureFigure | object]) => {
    if (!('measure' in node)) return shownFigures(estimand, version, node, [...way, name])
    const isThere =
      PAIR_MEASURES[node.measure].estimand === estimand && isMeasured(node.measure, version)
    return isThere && node.shown ? [{ ...node.shown, way: [...way, name] }] : []
  })
}

function valueAt(found: unknown, way: readonly string[]): number | null {
  return way.reduce((node, name) => (node as Record<string, unknown>)[name], found) as number | null
}

function figures(result: EvaluationResult, caption: string, estimand: Estimand): Markup {
  const columns = shownFigures(estimand, scorerVersionOf(result))
  return table({
    caption,
    head: ['model', 'horizon', ...columns.map(({ heading }) => heading)],
    left: [1],
    compact: true,
    rows: perModelAndHorizon(result, overallAndHorizons(result), (model, horizon) => {
      const found = measuresOf(result, model, horizon)
      return found && columns.map(({ as, digits, way }) => FORMAT[as](valueAt(found, way), digits))
    }),
  })
}

export function lossSection(result: EvaluationResult): Markup {
  return html`${drawnFigure(lossFigure(result))}
${folded('All point figures', figures(result, POINT_CAPTION, 'point'))}`
}

/** How a candidate's differences came about, where a result says so. */
function accumulated(result: EvaluationResult, index: number): Markup | false {
  const figure = cumulativeFigure(result, index)
  return figure !== undefined && html`${drawnFigure(figure)}\n`
}

export function forestSection(result: EvaluationResult): Markup {
  return html`<p>Differences are taken pair by pair, on the keys both models scored. A practical improvement needs a point at or left of the floor; ${
    hasVerdict(result.settings)
      ? 'whether a horizon keeps its limit is for the verdict hypothesis and its parts to say'
      : 'a horizon passes when its thin interval ends before the limit'
  }.</p>
${copiesOf(result).map((says) => html`<p>${says}</p>`)}
${forestKey(result)}
${candidatesOf(result).map(
  (_, index) => html`${drawnFigure(forestFigure(result, index, 'point_loss'))}
${drawnFigure(forestFigure(result, index, 'direction_error'))}
${accumulated(result, index)}`,
)}`
}

export function coverageSection(result: EvaluationResult): Markup {
  return html`${drawnFigure(coverageFigure(result))}
${reliabilityTable(result)}
${folded('All interval figures', figures(result, INTERVAL_CAPTION, 'interval'))}`
}
