import type {
  AnyResult,
  EvaluationResult,
  ModelMeasures,
} from '../../../evaluation/result/types.js'
import { counted, decimalNotZero, percent, signedPercent, whole } from '../../../output/figures.js'
import { hasVerdict } from '../../../registration/family.js'
import { QUANTILE_NAMES } from '../../../scoring/below.js'
import {
  figureIn,
  isMeasured,
  PAIR_MEASURES,
  PLACED_FIGURES,
  scorerVersionOf,
} from '../../../scoring/measures.js'
import type { Estimand } from '../../../scoring/types.js'
import { copiesOf } from '../../notes.js'
import { primarySaid } from '../../series/words.js'
import { isMany, measuresOf, nominalIn, overallAndHorizons } from '../../view.js'
import { differenceFigures, forestKey } from '../charts/difference.js'
import { drawnFigure } from '../charts/figure.js'
import { coverageFigure, lossFigure } from '../charts/loss.js'
import { folded, foldedIf, html, Markup } from '../markup.js'
import { type HtmlCell, perModelAndHorizon, table } from './table.js'

const POINT_CAPTION = 'Point forecasts: losses, biases and direction'
const INTERVAL_CAPTION = 'Interval forecasts: interval score, pinball losses, coverage and width'

const FORMAT = {
  count: (value: number | null) => whole(value ?? 0),
  decimal: decimalNotZero,
  percent,
  change: signedPercent,
}

function figures(result: EvaluationResult, caption: string, estimand: Estimand): Markup {
  const version = scorerVersionOf(result)
  const columns = PLACED_FIGURES.flatMap((figure) => {
    const isThere =
      PAIR_MEASURES[figure.measure].estimand === estimand && isMeasured(figure.measure, version)
    return isThere && figure.shown ? [{ ...figure.shown, figure }] : []
  })
  return table({
    caption,
    head: ['model', 'horizon', ...columns.map(({ heading }) => heading)],
    left: [1],
    compact: true,
    rows: perModelAndHorizon(result, overallAndHorizons(result), (model, horizon) => {
      const found = measuresOf(result, model, horizon)
      return (
        found &&
        columns.map(({ as, digits, figure }) => FORMAT[as](figureIn(found, figure) ?? null, digits))
      )
    }),
  })
}

export function lossSection(result: EvaluationResult): Markup {
  return html`${drawnFigure(lossFigure(result))}
${folded('All point figures', figures(result, POINT_CAPTION, 'point'))}`
}

/** The meaning of the differences in a result. */
function differencesSaid(result: AnyResult): Markup {
  if (result.result_version === 2) {
    return html`The mean difference of ${primarySaid(result)} as a share of the comparator’s mean, forecast by forecast on what both models scored, every cell with the same weight. Series share their shocks: the origin is the unit of every test, not the single forecast.`
  }
  const limit = hasVerdict(result.settings)
    ? 'whether a horizon keeps its limit is for the verdict hypothesis and its parts to say'
    : 'a horizon passes when its thin interval ends before the limit'
  return html`Differences are taken pair by pair, on the keys both models scored. A practical improvement needs a point at or left of the floor; ${limit}.`
}

export function forestSection(result: AnyResult): Markup {
  const figures = differenceFigures(result)
  const isClosed = figures.every(({ opener }) => opener !== undefined)
  const charts = html`<div${new Markup(isClosed ? ' class="unprinted"' : '')}>${forestKey(result)}</div>
${figures.map((figure) => html`${drawnFigure(figure)}\n`)}`
  const isApart = isClosed && isMany(figures.length)
  return html`<p>${differencesSaid(result)}</p>
${copiesOf(result).map((says) => html`<p>${says}</p>`)}
${foldedIf(isApart, `All ${counted(figures.length, 'chart')}`, charts)}`
}

export function coverageSection(result: EvaluationResult): Markup {
  return html`${drawnFigure(coverageFigure(result))}
${reliabilityTable(result)}
${folded('All interval figures', figures(result, INTERVAL_CAPTION, 'interval'))}`
}

/** The share of outcomes below each quantile; false without verdict hypotheses. */
function reliabilityTable(result: EvaluationResult): Markup | false {
  const { settings } = result
  const rows = perModelAndHorizon(result, settings.horizons_hours, (model, horizon) => {
    const below = measuresOf(result, model, horizon)?.below
    return below && QUANTILE_NAMES.map((quantile) => shareBelow(below[quantile]))
  })
  return (
    hasVerdict(settings) &&
    html`${table({
      caption: 'Quantile reliability: share of the outcomes below each quantile',
      head: ['model', 'horizon', 'below 10 %', 'below 50 %', 'below 90 %'],
      left: [1],
      rows,
    })}
<p class="small">A reliable quantile has that share of the outcomes below it. In grey: the ${nominalIn(result)} cosine-test interval of each by itself. Diagnostic; it does not decide.</p>`
  )
}

type Below = NonNullable<ModelMeasures['below']>['0.1']

function shareBelow({ share, bounds }: Below): HtmlCell {
  return html`${percent(share, 1)}${
    bounds &&
    html`<br><span class="muted">${percent(bounds.lower, 1)} … ${percent(bounds.upper, 1)}</span>`
  }`
}
