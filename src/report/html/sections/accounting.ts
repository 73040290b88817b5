import type { Rivals } from '../../../evaluation/result/readings.js'
import type {
  AnyResult,
  EvaluationResult,
  ResultStratum,
} from '../../../evaluation/result/types.js'
import { counted, formatShare, NOTHING, whole } from '../../../output/figures.js'
import { STATUSES } from '../../../pairing/types.js'
import { mostLeftOut } from '../../notes.js'
import { statusReason, stratumName, withoutOutcome } from '../../sentences.js'
import { seriesApart, seriesLeftOut } from '../../series/words.js'
import { accountingIn, candidatesOf, comparatorsOf, horizonsIn, strataLevels } from '../../view.js'
import { statusFigure } from '../charts/bars.js'
import { drawnFigure } from '../charts/figure.js'
import { folded, html, type Markup } from '../markup.js'
import { type HtmlCell, perModelAndHorizon, table } from './table.js'

const APART = { 1: 'intervals scored', 2: 'without an outcome, apart' } as const

function counts(result: AnyResult, horizons: readonly (number | 'all')[]): Markup {
  return table({
    caption: `Expected attempts by status${result.result_version === 1 ? '; the interval counts stand apart' : ''}`,
    head: ['model', 'horizon', 'expected', ...STATUSES, APART[result.result_version]],
    left: [1],
    rows: perModelAndHorizon(result, horizons, (model, horizon) => {
      const cell = accountingIn(result, model, horizon)
      return (
        cell && [
          whole(cell.expected),
          ...STATUSES.map((status) => whole(cell.point[status])),
          whole('interval' in cell ? cell.interval.scored : cell.without_outcome),
        ]
      )
    }),
  })
}

function why(result: AnyResult): Markup {
  const rows = result.models.flatMap((model) =>
    Object.entries(accountingIn(result, model.name, 'all')?.reasons ?? {}).map(
      ([reason, count]) => [model.name, statusReason(reason), whole(count)],
    ),
  )
  if (rows.length === 0) return html`<p>Every expected attempt was scored.</p>`
  const head = ['model', 'reason', 'attempts']
  return table({ caption: 'Why attempts were not scored', head, left: [1], rows })
}

function outside(result: AnyResult): Markup {
  const entries = Object.entries(result.outside_grid)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return html`<p>The history holds no other row in this window.</p>`
  const said = entries.map(([reason, count]) => `${statusReason(reason)} (${whole(count)})`)
  return html`<p>The history holds ${counted(total, 'row')} outside the grid of expected attempts: ${said.join('; ')}. They do not count.</p>`
}

/** What a candidate left out against a comparator, at the worst horizon. */
function leftOutIn(result: EvaluationResult, rivals: Rivals, stratum: ResultStratum): HtmlCell {
  const most = mostLeftOut(result, rivals, stratum)
  if (most === undefined) return NOTHING
  const said = `${formatShare(most.notScored, most.origins)} (${most.horizon}\u00a0h)`
  return most.beyond ? html`<b>${said}, beyond the limit</b>` : said
}

/** What a candidate left out against each comparator, by stratum or by series. */
function silence(result: AnyResult, candidate: string): Markup {
  const hourly = result.result_version === 1
  const [of, place] = hourly ? ['origins', 'horizon'] : ['outcomes', 'step']
  const rivals = comparatorsOf(result).map((comparator) => ({ candidate, comparator }))
  return table({
    caption: `${candidate}: share of the ${of} without a pair, at the ${place} with the most`,
    head: [
      hourly ? 'stratum' : 'series',
      ...rivals.map(({ comparator }) => `against ${comparator}`),
    ],
    left: rivals.map((_, index) => index + 1),
    rows: hourly
      ? (['all', ...strataLevels(result)] as const).map((stratum) => [
          stratumName(stratum),
          ...rivals.map((both) => leftOutIn(result, both, stratum)),
        ])
      : result.series.map(({ id }) => [
          id,
          ...rivals.map((both) => seriesLeftOut(result, both, id)),
        ]),
  })
}

/** Every expected attempt has one status; nothing is dropped or imputed. */
export function accountingSection(result: AnyResult): Markup {
  const series = result.result_version === 2
  const figure = statusFigure(result)
  const apart = series ? seriesApart(result) : withoutOutcome(result)
  return html`<p>Expected is the whole grid: every model, at every ${series ? 'origin of the window, for every series and step' : 'hourly origin of the window, for every horizon'}. Each attempt has exactly one status; nothing is filled in.</p>
${apart && html`<p>${apart}</p>`}
${
  figure.opener !== undefined &&
  html`${counts(result, ['all'])}
`
}${drawnFigure(figure)}
${folded('Counts by model and horizon', counts(result, [...horizonsIn(result), 'all']))}
${folded('Reasons', html`${why(result)}${outside(result)}`)}
${folded(`What the candidates left out, by ${series ? 'series' : 'stratum'}`, html`${candidatesOf(result).map((name) => html`${silence(result, name)}\n`)}`)}`
}
