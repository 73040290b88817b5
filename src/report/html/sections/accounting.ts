import type { Result, StepOrAll } from '../../../evaluation/result/result.js'
import { counted, formatShare, formatWhole, NOTHING } from '../../../output/figures.js'
import { STATUSES } from '../../../pairing/paired-attempt.js'
import { mostLeftOut } from '../../notes.js'
import { statusReason, stepName, withoutOutcome } from '../../sentences.js'
import {
  accountingIn,
  candidatesIn,
  comparatorsIn,
  modelsIn,
  overallAndSteps,
  partsIn,
} from '../../view.js'
import { statusFigure } from '../charts/bars.js'
import { drawnFigure } from '../charts/figure.js'
import { folded, html, type Markup } from '../markup.js'
import { type HtmlCell, perModelAndStep, renderTable } from './table.js'

function counts(result: Result, steps: readonly StepOrAll[]): Markup {
  return renderTable({
    caption: 'Expected attempts by status; the two counts at the right are apart',
    head: ['model', 'step', 'expected', ...STATUSES, 'intervals scored', 'without an outcome'],
    left: [1],
    compact: true,
    rows: perModelAndStep(result, steps, (model, step) => {
      const cell = accountingIn(result, model, step)
      return (
        cell && [
          formatWhole(cell.expected),
          ...STATUSES.map((status) => formatWhole(cell.point[status])),
          formatWhole(cell.interval.scored),
          formatWhole(cell.without_outcome),
        ]
      )
    }),
  })
}

function why(result: Result): Markup {
  const rows = modelsIn(result).flatMap(({ name }) =>
    Object.entries(accountingIn(result, name, 'overall')?.reasons ?? {}).map(([reason, count]) => [
      name,
      statusReason(reason),
      formatWhole(count),
    ]),
  )
  if (rows.length === 0) return html`<p>Every expected attempt was scored.</p>`
  const head = ['model', 'reason', 'attempts']
  return renderTable({ caption: 'Why attempts were not scored', head, left: [1], rows })
}

function outside({ reading }: Result): Markup {
  const entries = Object.entries(reading.beside_grid)
  const total = entries.reduce((sum, [, count]) => sum + count, 0)
  if (total === 0) return html`<p>The history holds no other row in this window.</p>`
  const reasons = entries.map(
    ([reason, count]) => `${statusReason(reason)} (${formatWhole(count)})`,
  )
  return html`<p>The history holds ${counted(total, 'row')} outside the grid of expected attempts, which ${total === 1 ? 'does' : 'do'} not count: ${reasons.join('; ')}.</p>`
}

/** What a candidate left out against each comparator, over all and by part. */
function silence(result: Result, candidate: string): Markup {
  const rivals = comparatorsIn(result).map((comparator) => ({ candidate, comparator }))
  const cell = (scope: string) =>
    rivals.map((both): HtmlCell => {
      const worst = mostLeftOut(result, both, scope)
      if (worst === undefined) return NOTHING
      const at = stepName(result, worst.step).replace(' ', '\u00a0')
      const shareAt = `${formatShare(worst.notScored, worst.of)} (${at})`
      return worst.beyond ? html`<b>${shareAt}, beyond the limit</b>` : shareAt
    })
  return renderTable({
    caption: `${candidate}: share of the outcomes without a pair, at the step with the most`,
    head: ['part', ...rivals.map(({ comparator }) => `against ${comparator}`)],
    left: rivals.map((_, index) => index + 1),
    rows: [
      ['all', ...cell('all')],
      ...partsIn(result).map(({ label, scope }) => [label, ...cell(scope)]),
    ],
  })
}

/** Every expected attempt has one status; nothing is dropped or imputed. */
export function accountingSection(result: Result): Markup {
  const figure = statusFigure(result)
  const apart = withoutOutcome(result)
  return html`<p>Expected is the whole grid: every model, at every origin of the window, for every series and step. Each attempt has exactly one status; nothing is filled in.</p>
${apart && html`<p>${apart}</p>`}
${
  figure.opener !== undefined &&
  html`${counts(result, ['overall'])}
`
}${drawnFigure(figure)}
${folded('Counts by model and step', counts(result, overallAndSteps(result)))}
${folded('Reasons', html`${why(result)}${outside(result)}`)}
${folded('What the candidates left out', html`${candidatesIn(result).map((name) => html`${silence(result, name)}\n`)}`)}`
}
