import { relative } from '../../../evaluation/result/readings.js'
import type {
  Result,
  ResultMeasures,
  ResultTest,
  StepOrAll,
} from '../../../evaluation/result/result.js'
import { counted, formatWhole, percent } from '../../../output/figures.js'
import { measureName, measureText } from '../../measures.js'
import { listCopies } from '../../notes.js'
import {
  coverageIn,
  isDecided,
  isLong,
  isMany,
  measuresIn,
  modelsIn,
  nominalCoverage,
  nominalIn,
  overallAndSteps,
  partsIn,
  primaryScore,
  stepsIn,
} from '../../view.js'
import { countsSaid, primarySaid, scalingSaid } from '../../window.js'
import { differenceFigures, forestKey } from '../charts/difference.js'
import { drawnFigure } from '../charts/figure.js'
import { coverageFigures, lossFigure } from '../charts/loss.js'
import { folded, foldedIf, html, joinLines, Markup } from '../markup.js'
import { type HtmlCell, perModelAndStep, renderTable } from './table.js'

/** The measures of a result in two groups, so that a table fits a page: the scores of the protocol, then the others. */
function measureGroups({
  settings,
  reading,
}: Result): (readonly [caption: string, ids: string[]])[] {
  const all = Object.keys(reading.measures[0]?.means ?? {})
  const scores = settings.rules.scores.map(({ id }) => id).filter((id) => all.includes(id))
  const others = all.filter((id) => !scores.includes(id))
  const groups = [
    ['Means of each model over its own scored forecasts', scores],
    ['Other means of the same forecasts', others],
  ] as const
  return groups.filter(([, ids]) => ids.length > 0).map(([caption, ids]) => [caption, [...ids]])
}

/** The means of a model as cells: pairs of the score that decides, then the measures. */
function meansIn(result: Result, measures: ResultMeasures, ids: readonly string[]): HtmlCell[] {
  const pairs = measures.pairs[primaryScore(result).id] ?? 0
  return [
    formatWhole(pairs),
    ...ids.map((id) => {
      const count = measures.pairs[id] ?? 0
      const mean = measureText(result, id, measures.means[id] ?? null)
      return count === pairs
        ? mean
        : html`${mean} <span class="of">(of ${formatWhole(count)})</span>`
    }),
  ]
}

/** A table for each group of measures. @param by - what the second column names. */
function meansTables(
  result: Result,
  by: 'step' | 'part',
  toRows: (ids: readonly string[]) => HtmlCell[][],
): Markup {
  return joinLines(
    measureGroups(result).map(([caption, ids]) =>
      renderTable({
        caption: by === 'part' ? `${caption}, by part` : caption,
        head: ['model', by, 'pairs', ...ids.map(measureName)],
        ...{ left: [1], compact: true, rows: toRows(ids) },
      }),
    ),
  )
}

function figures(result: Result, steps: readonly StepOrAll[]): Markup {
  return meansTables(result, 'step', (ids) =>
    perModelAndStep(result, steps, (model, step) => {
      const measures = measuresIn(result, model, step)
      return measures && meansIn(result, measures, ids)
    }),
  )
}

/** The same by part; false if there is none. */
function figuresByPart(result: Result): Markup | false {
  const parts = partsIn(result)
  if (parts.length === 0) return false
  const tables = meansTables(result, 'part', (ids) =>
    modelsIn(result).flatMap(({ name }) =>
      parts.flatMap(({ scope, label }) => {
        const measures = measuresIn(result, name, 'overall', scope)
        return measures === undefined ? [] : [[name, label, ...meansIn(result, measures, ids)]]
      }),
    ),
  )
  return folded('Figures by stratum and group', tables)
}

export function lossSection(result: Result): Markup {
  const counts = countsSaid(result)
  return html`<p>The score that decides is ${primarySaid(result)}; ${scalingSaid(result)}. Each figure is the mean of the means of the tested cells (a series at a step), with equal weights.</p>
${counts && html`<p>${counts}</p>\n`}${isLong(lossRows(result)) && figures(result, ['overall'])}${drawnFigure(lossFigure(result))}
${folded('All figures by step', figures(result, overallAndSteps(result)))}
${figuresByPart(result)}`
}

const lossRows = (result: Result) => modelsIn(result).length * overallAndSteps(result).length

export function forestSection(result: Result): Markup {
  const charts = differenceFigures(result)
  const isClosed = charts.every(({ opener }) => opener !== undefined)
  const drawn = html`<div${new Markup(isClosed ? ' class="unprinted"' : '')}>${forestKey(result)}</div>
${charts.map((figure) => html`${drawnFigure(figure)}\n`)}`
  const isApart = isClosed && isMany(charts.length)
  const { id } = primaryScore(result)
  const isBelow = ({ score, ...of }: ResultTest) =>
    score === id && (relative(of.bounds?.lower, of) ?? 0) < -1
  const below =
    result.reading.tests.some(isBelow) &&
    ` No loss falls by more than ${percent(1)}: an interval that reaches beyond has too few blocks to be exact.`
  return html`<p>The mean difference of ${primarySaid(result)} as a share of the comparator’s mean, forecast by forecast on what both models scored.${below} Neighbouring forecasts share their shocks, so the origin is the unit of every test, not the single forecast.</p>
${listCopies(result).map((sentence) => html`<p>${sentence}</p>`)}
${foldedIf(isApart, `All ${counted(charts.length, 'chart')}`, drawn)}`
}

/** Undefined if no coverage is scored. */
export function coverageSection(result: Result): Markup | undefined {
  const score = coverageIn(result)
  if (score === undefined) return undefined
  return html`<p>${score.id} is meant to be ${percent(nominalCoverage(score), 0)}.</p>
${coverageFigures(result).map(drawnFigure)}
${reliabilityTable(result)}`
}

/** The share of outcomes below each quantile; false if nothing is decided. */
function reliabilityTable(result: Result): Markup | false {
  const { levels } = result.settings.rules.forecast
  const rows = perModelAndStep(result, stepsIn(result), (model, step) => {
    const below = measuresIn(result, model, step)?.below
    return below && levels.map((level) => shareBelow(below[level]))
  })
  const caption = 'Quantile reliability: share of the outcomes below each quantile'
  const drawn = renderTable({
    caption,
    head: ['model', 'step', ...levels.map((level) => `below ${percent(Number(level))}`)],
    left: [1],
    compact: levels.length > 5,
    rows,
  })
  return (
    isDecided(result) &&
    html`${folded(caption, drawn)}
<p class="small">A reliable quantile has that share of the outcomes below it; in grey the ${nominalIn(result)} cosine-test interval of each by itself, cut at 0 and 100 %. Diagnostic; it does not decide.</p>`
  )
}

function shareBelow(of: ResultMeasures['below'][string] | undefined): HtmlCell {
  if (of === undefined) return ''
  const { share, bounds } = of
  return html`${percent(share, 1)}${
    bounds &&
    html`<br><span class="muted">${percent(Math.max(0, bounds.lower), 1)} … ${percent(Math.min(1, bounds.upper), 1)}</span>`
  }`
}
