import type { AnyResult } from '../../../evaluation/result/types.js'
import { counted } from '../../../output/figures.js'
import { asCounts, memorySaid, readingsSaid, strongestSaid } from '../../beside.js'
import { gainOfSilence } from '../../notes.js'
import { reasonLines, remediesOf } from '../../reasons.js'
import {
  requirementHeads,
  SAID,
  type ShownRequirement,
  shownRequirements,
} from '../../requirements.js'
import { dispositionName, horizonName, leftOut, verdict, verdictSaid } from '../../sentences.js'
import { type AnyDisposition, comparatorsOf, isMany } from '../../view.js'
import { foldedIf, html, type Markup } from '../markup.js'
import { table } from './table.js'

const SIGN = { met: '✓', not_met: '✕', unknown: '?', not_asked: '–' } as const satisfies Record<
  ShownRequirement['answer'],
  string
>
function answered(result: AnyResult, { answer, figure, horizon }: ShownRequirement): Markup {
  const at = horizon === null ? '' : ` (${horizonName(result, horizon).replace(' ', '\u00a0')})`
  const said =
    answer === 'not_asked' ? ' not asked' : figure === null ? ' not tested' : ` ${figure}${at}`
  return html`<span class="answer ${answer}"><span class="sign" aria-hidden="true">${SIGN[answer]}</span><span class="hidden">${SAID[answer]}:</span>${said}</span>`
}

/** Whether each requirement is met, in order, with the deciding figure. */
export function requirementCells(
  result: AnyResult,
  candidate: string,
  comparator: string,
): Markup[] {
  return shownRequirements(result, candidate, comparator).map((one) => answered(result, one))
}

function requirements(result: AnyResult, candidate: string): Markup {
  return table({
    caption: `What ${candidate} had to show against each required comparator`,
    head: ['comparator', ...requirementHeads(result)],
    left: [1, 2, 3, 4],
    rows: comparatorsOf(result).map((name) => [name, ...requirementCells(result, candidate, name)]),
  })
}

/** Number of visible lines; the rest are folded, none is left out. */
const SHOWN = 6

function reasons(result: AnyResult, of: AnyDisposition): Markup {
  const { shown, rest } = reasonLines(result, of, SHOWN)
  const item = (line: string) => html`<li>${line}</li>`
  return html`<ul class="reasons">${shown.map(item)}</ul>${
    rest.length > 0 &&
    html`<details><summary>${counted(rest.length, 'further reason')}</summary><ul class="reasons">${rest.map(item)}</ul></details>`
  }`
}

const small = (said: string | undefined) => said !== undefined && html`<p class="small">${said}</p>`

function card(all: AnyResult, of: AnyDisposition, index: number): Markup {
  const result = asCounts(all, of.candidate)
  const readings = readingsSaid(all, of.candidate)
  const strongest = strongestSaid(result, of.candidate)
  return html`<article class="card ${of.disposition}" aria-labelledby="card-${index}">
<h3 id="card-${index}">${of.candidate}<span class="hidden">: </span><span class="chip">${dispositionName(result, of)}</span></h3>
${readings !== undefined && html`<p><strong>${readings}</strong></p>\n`}${strongest !== undefined && html`<p><strong>${strongest}</strong></p>\n`}<p class="lead">${verdict(of)}</p>
${foldedIf(isMany(all.dispositions.length), 'Why, and what it had to show', why(result, of))}
</article>
`
}

function why(result: AnyResult, of: AnyDisposition): Markup {
  const remedies = remediesOf(result, of)
  return html`${reasons(result, of)}
${requirements(result, of.candidate)}
${small(verdictSaid(result, of.candidate))}
${small(memorySaid(result, of.candidate))}${remedies.length > 0 && html`<p class="small">What would unblock it: ${remedies.join(' ')}</p>`}
${small(leftOut(result, of.candidate))}
${small(gainOfSilence(result, of.candidate))}`
}

/** The dispositions, each with every reason, in plain sentences. */
export function verdictSection(result: AnyResult): Markup {
  return html`${result.dispositions.map((of, index) => card(result, of, index))}`
}
