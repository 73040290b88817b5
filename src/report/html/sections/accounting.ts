import type {
  AnyResult,
  EvaluationResult,
  ResultStratum,
  SeriesEvaluationResult,
  SharedKeys,
} from '../../../evaluation/result/types.js'
import { counted, NOTHING, percent, shareOf, whole } from '../../../output/figures.js'
import { STATUSES } from '../../../pairing/types.js'
import { hasVerdict } from '../../../registration/family.js'
import { mostLeftOut } from '../../notes.js'
import { horizonName, statusReason, stratumName, withoutOutcome } from '../../sentences.js'
import { seriesApart, seriesLeftOut } from '../../series/words.js'
import { accountingIn, candidatesOf, comparatorsOf, horizonsIn } from '../../view.js'
import { statusFigure } from '../charts/bars.js'
import { drawnFigure } from '../charts/figure.js'
import { html, type Markup } from '../markup.js'
import { folded, perModelAndHorizon, table } from './table.js'

const APART = { 1: 'intervals scored', 2: 'without an outcome, apart' } as const

function counts(result: AnyResult): Markup {
  return table({
    caption: `Expected attempts by status${result.result_version === 1 ? '; the interval counts stand apart' : ''}`,
    head: ['model', 'horizon', 'expected', ...STATUSES, APART[result.result_version]],
    left: [1],
    rows: perModelAndHorizon(result, [...horizonsIn(result), 'all'], (model, horizon) => {
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

function lost(result: AnyResult): Markup {
  if (result.result_version === 2) {
    return lostTable(
      'series at step',
      result.shared_keys.map((one) =>
        lostRow(one, `${one.series} at ${horizonName(result, one.horizon)}`, one.with_outcome),
      ),
    )
  }
  const keys = ({ expected, with_outcome: there = expected }: SharedKeys) =>
    hasVerdict(result.settings) ? there : expected
  const rows = result.shared_keys
    .filter((one) => one.stratum === 'all')
    .map((one) => lostRow(one, horizonName(result, one.horizon), keys(one)))
  return lostTable('horizon', rows)
}

function lostRow(
  { candidate, comparator, shared, lost: by }: AnyResult['shared_keys'][number],
  where: string,
  keys: number,
): string[] {
  return [
    `${candidate} and ${comparator}`,
    where,
    whole(shared),
    percent(keys === 0 ? null : shared / keys, 2),
    whole(by.candidate_not_scored),
    whole(by.comparator_not_scored),
    whole(by.neither_scored),
    whole(by.vintage_mismatch),
  ]
}

function lostTable(where: string, rows: readonly string[][]): Markup {
  return table({
    caption: 'Keys that both models of a comparison scored, and what became of the others',
    head: [
      'comparison',
      where,
      'shared',
      'share',
      'candidate not scored',
      'comparator not scored',
      'neither scored',
      'other vintage',
    ],
    left: [1],
    rows,
  })
}

/** The share of the origins that a candidate left out against each comparator, by stratum. */
function silence(result: EvaluationResult, candidate: string): Markup {
  const comparators = comparatorsOf(result)
  return table({
    caption: `${candidate}: share of the origins without a pair, at the horizon with the most`,
    head: ['stratum', ...comparators.map((name) => `against ${name}`)],
    left: comparators.map((_, index) => index + 1),
    rows: levelsOf(result).map((stratum) => [
      stratumName(stratum),
      ...comparators.map((comparator) => {
        const most = mostLeftOut(result, { candidate, comparator }, stratum)
        if (most === undefined) return NOTHING
        const said = `${shareOf(most.notScored, most.origins)} (${most.horizon}\u00a0h)`
        return most.beyond ? html`<b>${said}, beyond the limit</b>` : said
      }),
    ]),
  })
}

/** The same of any series. */
function seriesSilence(result: SeriesEvaluationResult, candidate: string): Markup {
  const comparators = comparatorsOf(result)
  return table({
    caption: `${candidate}: share of the outcomes without a pair, at the step with the most`,
    head: ['series', ...comparators.map((name) => `against ${name}`)],
    left: comparators.map((_, index) => index + 1),
    rows: result.series.map(({ id }) => [
      id,
      ...comparators.map((comparator) => seriesLeftOut(result, candidate, comparator, id)),
    ]),
  })
}

function levelsOf({ strata }: EvaluationResult): ResultStratum[] {
  const levels = strata.flatMap(({ name, levels: own }) =>
    own.map(({ level }) => ({ name, level })),
  )
  return ['all', ...levels]
}

/** Every expected attempt has one status; nothing is dropped or filled in. */
export function accountingSection(result: AnyResult): Markup {
  const series = result.result_version === 2
  const apart = series ? seriesApart(result) : withoutOutcome(result)
  return html`<p>Expected is the whole grid: every model, at every ${series ? 'origin of the window, for every series and step' : 'hourly origin of the window, for every horizon'}. Each attempt has exactly one status; nothing is filled in.</p>
${apart && html`<p>${apart}</p>`}
${drawnFigure(statusFigure(result))}
${folded('Counts by model and horizon', counts(result))}
${folded('Reasons', html`${why(result)}${outside(result)}`)}
${folded(`What the candidates left out, by ${series ? 'series' : 'stratum'}`, html`${candidatesOf(result).map((name) => html`${series ? seriesSilence(result, name) : silence(result, name)}\n`)}`)}
${folded('Keys shared by each comparison', lost(result))}`
}
