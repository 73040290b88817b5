import type {
  EvaluationResult,
  ResultStratum,
  SharedKeys,
} from '../../../evaluation/result/types.js'
import { counted, NOTHING, percent, shareOf, whole } from '../../../output/figures.js'
import { STATUSES } from '../../../pairing/types.js'
import { hasVerdict } from '../../../registration/family.js'
import { mostLeftOut } from '../../notes.js'
import { horizonName, statusReason, stratumName, withoutOutcome } from '../../sentences.js'
import { accountingIn, candidatesOf, comparatorsOf } from '../../view.js'
import { statusFigure } from '../charts/bars.js'
import { drawnFigure } from '../charts/figure.js'
import { html, type Markup } from '../markup.js'
import { folded, perModelAndHorizon, table } from './table.js'

function counts(result: EvaluationResult): Markup {
  return table({
    caption: 'Expected attempts by status; the interval counts stand apart',
    head: ['model', 'horizon', 'expected', ...STATUSES, 'intervals scored'],
    left: [1],
    rows: perModelAndHorizon(
      result,
      [...result.settings.horizons_hours, 'all'],
      (model, horizon) => {
        const cell = accountingIn(result, model, horizon)
        return (
          cell && [
            whole(cell.expected),
            ...STATUSES.map((status) => whole(cell.point[status])),
            whole(cell.interval.scored),
          ]
        )
      },
    ),
  })
}

function why(result: EvaluationResult): Markup {
  const rows = result.models.flatMap((model) =>
    Object.entries(accountingIn(result, model.name, 'all')?.reasons ?? {}).map(
      ([reason, count]) => [model.name, statusReason(reason), whole(count)],
    ),
  )
  if (rows.length === 0) return html`<p>Every expected attempt was scored.</p>`
  const head = ['model', 'reason', 'attempts']
  return table({ caption: 'Why attempts were not scored', head, left: [1], rows })
}

function outside(result: EvaluationResult): Markup {
  const entries = Object.entries(result.outside_grid)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return html`<p>The history holds no other row in this window.</p>`
  const said = entries.map(([reason, count]) => `${statusReason(reason)} (${whole(count)})`)
  return html`<p>The history holds ${counted(total, 'row')} outside the grid of expected attempts: ${said.join('; ')}. They do not count.</p>`
}

function lost(result: EvaluationResult): Markup {
  const keys = ({ expected, with_outcome: there = expected }: SharedKeys) =>
    hasVerdict(result.settings) ? there : expected
  const rows = result.shared_keys
    .filter((one) => one.stratum === 'all')
    .map((one) => [
      `${one.candidate} and ${one.comparator}`,
      horizonName(one.horizon),
      whole(one.shared),
      percent(keys(one) === 0 ? null : one.shared / keys(one), 2),
      whole(one.lost.candidate_not_scored),
      whole(one.lost.comparator_not_scored),
      whole(one.lost.neither_scored),
      whole(one.lost.vintage_mismatch),
    ])
  return table({
    caption: 'Keys that both models of a comparison scored, and what became of the others',
    head: [
      'comparison',
      'horizon',
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
  const comparators = comparatorsOf(result).map(({ name }) => name)
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

function levelsOf({ strata }: EvaluationResult): ResultStratum[] {
  const levels = strata.flatMap(({ name, levels: own }) =>
    own.map(({ level }) => ({ name, level })),
  )
  return ['all', ...levels]
}

/** Every expected attempt has one status; nothing is dropped or filled in. */
export function accountingSection(result: EvaluationResult): Markup {
  const apart = withoutOutcome(result)
  return html`<section aria-labelledby="accounting">
<h2 id="accounting">What became of every attempt</h2>
<p>Expected is the whole grid: every model, at every hourly origin of the window, for every horizon. Each attempt has exactly one status; nothing is filled in.</p>
${apart && html`<p>${apart}</p>`}
${drawnFigure(statusFigure(result))}
${folded('Counts by model and horizon', counts(result))}
${folded('Reasons', html`${why(result)}${outside(result)}`)}
${folded('What the candidates left out, by stratum', html`${candidatesOf(result).map(({ name }) => html`${silence(result, name)}\n`)}`)}
${folded('Keys shared by each comparison', lost(result))}
</section>`
}
