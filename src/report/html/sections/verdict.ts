import type { Result } from '../../../evaluation/result/result.js'
import { counted } from '../../../output/figures.js'
import { memorySaid, readingsSaid } from '../../beside.js'
import { NOT_CHECKED, notChecked } from '../../not-checked.js'
import { gainOfSilence } from '../../notes.js'
import { listRemedies, reasonLines } from '../../reasons.js'
import {
  REQUIREMENT_WORDS,
  requirementCaption,
  requirementHeads,
  type ShownRequirement,
  shownRequirements,
} from '../../requirements.js'
import {
  dispositionName,
  leftOutSentence,
  stepName,
  verdictSaid,
  verdictSentence,
} from '../../sentences.js'
import { asCounts, comparatorsIn, isMany, type Verdict, verdictsIn } from '../../view.js'
import { folded, foldedIf, html, type Markup } from '../markup.js'
import { renderTable } from './table.js'

const SIGN = { met: '✓', not_met: '✕', unknown: '?', not_asked: '–' } as const satisfies Record<
  ShownRequirement['answer'],
  string
>
function answered(result: Result, { answer, figure, step }: ShownRequirement): Markup {
  const at = step === null ? '' : ` (${stepName(result, step).replace(' ', '\u00a0')})`
  if (answer === 'not_asked') {
    return html`<span class="answer ${answer}"><span class="sign" aria-hidden="true">${SIGN[answer]}</span> ${REQUIREMENT_WORDS[answer]}: ${figure}</span>`
  }
  const text = figure === null ? ' not tested' : ` ${figure}${at}`
  return html`<span class="answer ${answer}"><span class="sign" aria-hidden="true">${SIGN[answer]}</span><span class="hidden">${REQUIREMENT_WORDS[answer]}:</span>${text}</span>`
}

/** Whether each requirement is met, in order, with the deciding figure. */
function requirementCells(result: Result, candidate: string, comparator: string): Markup[] {
  return shownRequirements(result, candidate, comparator).map((one) => answered(result, one))
}

function requirements(result: Result, candidate: string): Markup {
  return renderTable({
    caption: requirementCaption(result, candidate),
    head: ['comparator', ...requirementHeads(result, candidate)],
    left: [1, 2, 3, 4],
    rows: comparatorsIn(result).map((name) => [name, ...requirementCells(result, candidate, name)]),
  })
}

/** Number of visible lines; the rest are folded, none is left out. */
const SHOWN = 6

function reasons(result: Result, of: Verdict): Markup {
  const { shown, rest } = reasonLines(result, of, SHOWN)
  const item = (line: string) => html`<li>${line}</li>`
  return html`<ul class="reasons">${shown.map(item)}</ul>${
    rest.length > 0 &&
    html`<details><summary>${counted(rest.length, 'further reason')}</summary><ul class="reasons">${rest.map(item)}</ul></details>`
  }`
}

const small = (text: string | undefined) => text !== undefined && html`<p class="small">${text}</p>`

/** What blocked a candidate comes first; otherwise what it had to show, and why. */
const isReasonFirst = ({ disposition }: Verdict): boolean => disposition === 'blocked'

/** @param unchecked - of a single candidate, what was not checked: it belongs on the first screen. */
function card(all: Result, of: Verdict, index: number, unchecked: Markup | false): Markup {
  const result = asCounts(all, of.candidate)
  const readings = readingsSaid(all, of.candidate)
  const open = unchecked && html`<p><strong>${NOT_CHECKED}:</strong></p>\n${unchecked}\n`
  const isLast = isReasonFirst(of)
  return html`<article class="card ${of.disposition}" aria-labelledby="card-${index}">
<h3 id="card-${index}">${of.candidate}<span class="hidden">: </span><span class="chip">${dispositionName(all, of)}</span></h3>
<p class="lead">${verdictSentence(result, of)}</p>
${readings !== undefined && html`<p><strong>${readings}</strong></p>\n`}${!isLast && open}${foldedIf(isMany(verdictsIn(all).length), 'What it had to show, and why', why(result, of))}
${isLast && open}</article>
`
}

function why(result: Result, of: Verdict): Markup {
  const remedies = listRemedies(result, of)
  const text = verdictSaid(result, of)
  const shown = [requirements(result, of.candidate), reasons(result, of)]
  return html`${text !== undefined && html`<p>${text}</p>\n`}${isReasonFirst(of) ? shown.reverse() : shown}
${small(memorySaid(result, of.candidate))}${remedies.length > 0 && html`<p class="small">What would unblock it:</p><ul class="reasons">${remedies.map((each) => html`<li>${each}</li>`)}</ul>`}
${small(leftOutSentence(result, of.candidate))}
${small(gainOfSilence(result, of.candidate))}`
}

/** The verdict on every candidate, with what it had to show, every reason, and what was not checked. */
export function verdictSection(result: Result): Markup {
  const verdicts = verdictsIn(result)
  const open = html`<ul class="reasons">${notChecked(result).map((text) => html`<li>${text}</li>`)}</ul>`
  const isOne = verdicts.length === 1
  const cards = verdicts.map((of, index) => card(result, of, index, isOne && open))
  if (isOne) return html`${cards}`
  return html`${cards}${
    isMany(verdicts.length) ? folded(NOT_CHECKED, open) : html`<h3>${NOT_CHECKED}</h3>\n${open}`
  }`
}
