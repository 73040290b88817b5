import type { SeriesEvaluationResult } from '../../../evaluation/result/types.js'
import { counted, listed, NOTHING, percent, signedPercent } from '../../../output/figures.js'
import { horizonName } from '../../sentences.js'
import {
  cellGrid,
  countsSaid,
  primarySaid,
  type RelativeCell,
  releaseSaid,
  type rulesOf,
  scalingSaid,
  scoreRows,
  scoreText,
  stepsSaid,
  turnedSaid,
  whyNotTested,
} from '../../series/words.js'
import { groupedBy, isLongTable, isMany, nominalIn, rivalsOf } from '../../view.js'
import { folded, foldedIf, html, lines, type Markup } from '../markup.js'
import { linear, type Scale } from '../scale.js'
import { spark } from './strata.js'
import { type HtmlCell, table } from './table.js'

/** The series, their units, and where they are tested. */
export function seriesSection(result: SeriesEvaluationResult): Markup {
  const transforms = result.series[0]?.scales.map(({ transform }) => transform) ?? []
  const rows = result.series.map(({ id, unit, group, scales }) => {
    const cells = result.cells.filter(({ series }) => series === id)
    const tested = cells.filter((cell) => cell.in_means).map(({ horizon }) => horizon)
    const out = cells.filter((cell) => !cell.in_means)
    const why = [...groupedBy(out, (cell) => whyNotTested(result, cell))].map(
      ([says, of]) => `${stepsSaid(of.map(({ horizon }) => horizon))}: ${says}`,
    )
    return [
      ...[id, unit, group ?? NOTHING],
      ...scales.map(({ value }) => scoreText(value)),
      tested.length === cells.length ? 'all' : tested.length === 0 ? 'none' : stepsSaid(tested),
      why.join('; ') || NOTHING,
    ]
  })
  return html`<p>${counted(result.series.length, 'series', 'series')} at ${counted(result.settings.horizons.length, 'step')} of the list of periods, counted from the origin: ${stepsSaid(result.settings.horizons)}. What is tested was settled before any forecast was looked at.</p>
${foldedIf(
  isLongTable(rows.length),
  `All ${counted(rows.length, 'series', 'series')}`,
  table({
    caption: 'The series, and the steps at which they are tested',
    head: [
      ...['series', 'unit', 'group'],
      ...transforms.map((on) => (on === 'identity' ? 'scale' : `scale (${on})`)),
      ...['tested at', 'not tested at'],
    ],
    left: [1, 2, 3 + transforms.length, 4 + transforms.length],
    rows,
  }),
)}`
}

/** Every score of every model, by step and by group. */
export function scoresSection(result: SeriesEvaluationResult): Markup {
  const { scores } = result.settings
  const counts = countsSaid(result)
  const nominal = scores.flatMap(({ id, kind, levels: [lower, upper] }) =>
    kind === 'coverage'
      ? [`${id} is meant to be ${percent(Number(upper) - Number(lower), 0)}`]
      : [],
  )
  return html`<p>The score that decides is ${primarySaid(result)}; ${scalingSaid(result)}. Each figure is the mean of the means of the cells that are tested, every cell with the same weight. ${nominal.length > 0 && `${listed(nominal)}. `}${counts}</p>
${scoreTables(result)}`
}

/** Scores of all models, in a table that is folded if it is long; then the means over all come before it. */
function scoreTables(result: SeriesEvaluationResult): Markup {
  const caption = 'Mean scores of each model over its own scored forecasts'
  const scores = result.settings.scores.map(({ id, primary }) => (primary ? `${id} (decides)` : id))
  const head = ['model', 'where', 'forecasts', ...scores]
  const drawn = (rows: readonly string[][]) =>
    table({ caption, head, left: [1], compact: true, rows })
  const all = scoreRows(result)
  if (!isLongTable(all.length)) return drawn(all)
  const overall = scoreRows(
    result,
    ({ horizon, group }) => horizon === 'overall' && group === 'all',
  )
  return lines([
    drawn(overall),
    folded(`By step and group: ${counted(all.length, 'row')}`, drawn(all)),
  ])
}

/** Lines of a cell in the table of cells. It is blue if its interval excludes 0; the side shows the sign. */
function cell(of: RelativeCell | undefined, scale: Scale): HtmlCell {
  if (of === undefined || of.observed === null) return html`<span class="muted">no figure</span>`
  const { observed, lower, upper, tested } = of
  const tone = lower !== null && upper !== null && lower * upper > 0 ? 'candidate' : 'open'
  const bounds =
    lower !== null &&
    html`<br><span class="muted">${signedPercent(lower, 0)} … ${signedPercent(upper, 0)}</span>`
  return html`${spark({ observed, lower, upper }, tone, scale)}<br><span class="whole">${signedPercent(observed, 1)}${!tested && '*'}</span>${bounds}`
}

/** Relative skill in every cell: shown on demand, and without effect on the verdict. */
export function cellsSection(result: SeriesEvaluationResult): Markup {
  const grids = rivalsOf(result).flatMap((rivals) => cellGrid(result, rivals))
  const alpha = percent(result.settings.alpha, 0)
  return html`<p>The mean difference in a cell as a share of the comparator’s mean there; below 0 the candidate is better. With it the ${nominalIn(result)} interval of this cell alone, blue where it does not hold 0. No cell is tested: of many such intervals about ${alpha} miss 0 though there is no difference. All cells of a table share one scale; the upright line is no difference. A star marks cells that are in no test.</p>
${foldedIf(
  isMany(grids.length),
  `All ${counted(grids.length, 'table')}`,
  html`${grids.map(({ caption, head, rows }) => {
    const all = rows.flatMap((row) => row.cells)
    const scale = linear(
      [0, ...all.flatMap((of) => [of?.observed ?? 0, of?.lower ?? 0, of?.upper ?? 0])],
      4,
    )
    const drawn = table({
      ...{ caption, head, compact: true },
      left: head.map((_, index) => index),
      rows: rows.map(({ label, cells }) => [label, ...cells.map((of) => cell(of, scale))]),
    })
    return html`${folded(caption, drawn)}\n`
  })}`,
)}`
}

/** What the means would be with other releases. */
export function rulesSection(
  result: SeriesEvaluationResult,
  rules: ReturnType<typeof rulesOf>,
): Markup {
  const turned = turnedSaid(result)
  return html`<p>The value that counts is fixed by the protocol: <strong>${releaseSaid(result.settings.release)}</strong>. The same forecasts scored against other releases of the same outcomes decide nothing; they show how much hangs on the choice.</p>
${foldedIf(
  isMany(turned.length),
  `${counted(turned.length, 'comparison turns', 'comparisons turn')} at some steps`,
  html`${turned.map((says) => html`<p><strong>${says}</strong></p>\n`)}`,
)}${turned.length === 0 && html`<p>No candidate changes its place against a comparator under another rule.</p>\n`}${ruleTable(result, rules)}`
}

function ruleTable(result: SeriesEvaluationResult, rules: ReturnType<typeof rulesOf>): Markup {
  const caption = `Means of ${primarySaid(result)} by rule of release`
  const names = result.models.map(({ name }) => name)
  const rows = [...rules].flatMap(([rule, means]) =>
    result.settings.horizons.map((horizon) => [
      rule,
      horizonName(result, horizon),
      ...names.map((name) =>
        scoreText(means.find((of) => of.model === name && of.horizon === horizon)?.mean ?? null),
      ),
    ]),
  )
  const head = ['rule', 'step', ...names]
  const drawn = table({ caption, head, left: [1], compact: true, rows })
  return folded(caption, drawn)
}
