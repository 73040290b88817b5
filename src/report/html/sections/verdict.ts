import type { CandidateDisposition, EvaluationResult } from '../../../evaluation/result/types.js'
import { change, changeInPoints, counted } from '../../../output/figures.js'
import { gainOfSilence } from '../../availability.js'
import { reasonLines } from '../../reasons.js'
import { remediesOf } from '../../remedies.js'
import { requirementHeads, SAID } from '../../requirements.js'
import { adjustedPIn, dispositionName, leftOut, verdict } from '../../sentences.js'
import {
  comparatorsOf,
  type Requirement,
  type RequirementAnswer,
  requirementsOf,
} from '../../view.js'
import { html, type Markup } from '../markup.js'
import { table } from './table.js'

const SIGN = { met: '✓', not_met: '✕', unknown: '?', not_asked: '–' } as const satisfies Record<
  RequirementAnswer,
  string
>
function answered(requirement: Requirement, figure: (found: number) => string): Markup {
  const at = requirement.horizon === null ? '' : ` (${requirement.horizon}\u00a0h)`
  const said =
    requirement.answer === 'not_asked'
      ? ' not asked'
      : requirement.found === null
        ? ' not tested'
        : ` ${figure(requirement.found)}${at}`
  return html`<span class="answer ${requirement.answer}"><span class="sign" aria-hidden="true">${SIGN[requirement.answer]}</span><span class="hidden">${SAID[requirement.answer]}:</span>${said}</span>`
}

/** Whether each requirement is met, in their order, with the figure that says so. */
export function requirementCells(
  result: EvaluationResult,
  asked: ReturnType<typeof requirementsOf>,
): Markup[] {
  return [
    answered(asked.reduction, (found) => change(found, 2)),
    answered(asked.significance, (found) => adjustedPIn(result, found)),
    answered(asked.regression, (found) => `up to ${change(found)}`),
    answered(asked.direction, (found) => `up to ${changeInPoints(found)}`),
  ]
}

function requirements(result: EvaluationResult, candidate: string): Markup {
  return table({
    caption: `What ${candidate} had to show against each required comparator`,
    head: ['comparator', ...requirementHeads(result)],
    left: [1, 2, 3, 4],
    rows: comparatorsOf(result).map((comparator) => {
      const asked = requirementsOf(result, candidate, comparator.name)
      return [comparator.name, ...requirementCells(result, asked)]
    }),
  })
}

/** Lines that stand open; those after them are folded away, none is left out. */
const SHOWN = 6

function reasons(result: EvaluationResult, of: CandidateDisposition): Markup {
  const { shown, rest } = reasonLines(result, of, SHOWN)
  const item = (line: string) => html`<li>${line}</li>`
  return html`<ul class="reasons">${shown.map(item)}</ul>${
    rest.length > 0 &&
    html`<details><summary>${counted(rest.length, 'further reason')}</summary><ul class="reasons">${rest.map(item)}</ul></details>`
  }`
}

function card(result: EvaluationResult, of: CandidateDisposition, index: number): Markup {
  const unscored = leftOut(result, of.candidate)
  const remedies = remediesOf(result, of)
  const gain = gainOfSilence(result, of.candidate)
  return html`<article class="card ${of.disposition}" aria-labelledby="card-${index}">
<h3 id="card-${index}">${of.candidate}<span class="hidden">: </span><span class="chip">${dispositionName(result, of)}</span></h3>
<p class="lead">${verdict(result, of)}</p>
${reasons(result, of)}
${requirements(result, of.candidate)}
${remedies.length > 0 && html`<p class="small">What would unblock it: ${remedies.join(' ')}</p>`}
${unscored !== undefined && html`<p class="small">${unscored}</p>`}
${gain !== undefined && html`<p class="small">${gain}</p>`}
</article>
`
}

/** The dispositions, each with every reason, in plain sentences. */
export function verdictSection(result: EvaluationResult): Markup {
  return html`<section aria-labelledby="verdict">
<h2 id="verdict">Disposition</h2>
${result.dispositions.map((of, index) => card(result, of, index))}
</section>`
}
