import type { AnyResult, EvaluationResult } from '../../../evaluation/result/types.js'
import { whole } from '../../../output/figures.js'
import { chainOf } from '../../evidence-chain.js'
import { html, type Markup } from '../markup.js'

const CONTROL = {
  copy: 'A copy of each comparator differs from it by exactly nothing, in every replicate',
  shift:
    'A comparator with a constant added to its loss differs by exactly that, in every replicate',
}

function controls(result: EvaluationResult): Markup {
  const kinds = ['copy', 'shift'] as const
  return html`<ul class="controls">${kinds.map((kind) => {
    const all = result.controls.filter((control) => control.kind === kind)
    const failed = all.filter((control) => !control.passed)
    const good = failed.length === 0
    return html`<li class="${good ? 'met' : 'not_met'}"><span class="sign" aria-hidden="true">${good ? '✓' : '✕'}</span> ${CONTROL[kind]}: ${good ? `holds for all ${all.length}` : 'does not hold'}${failed.map(
      (control) =>
        html`; ${control.name} gave ${control.least ?? 'nothing'} to ${control.greatest ?? 'nothing'} instead of ${control.expected}`,
    )}.</li>`
  })}</ul>`
}

/** Each link with its digest. */
export function chainList(result: AnyResult): Markup {
  return html`<ol class="chain">${chainOf(result).map(
    (link) =>
      html`<li><b>${link.name}</b> <span>${link.says}</span> ${
        link.sha256 === null
          ? html`<span class="muted">not recorded</span>`
          : html`<code>${link.sha256}</code>`
      }</li>
`,
  )}</ol>`
}

/** What the result rests on, and how anyone can check it. */
export function chainSection(result: AnyResult): Markup {
  return html`<section aria-labelledby="evidence">
<h2 id="evidence">The evidence chain</h2>
<p>Each link is fixed by the SHA-256 of what it holds. Given the inputs, <code>foreproof audit</code> makes all of it again and names the first link that does not hold. Without foreproof, the page <code>verify.html</code> does it in a browser: it is one file, the same for everybody, that comes with each release; <code>foreproof verify-page</code> writes it, and <code>foreproof --version --verbose</code> says its SHA-256.</p>
${chainList(result)}
${result.result_version === 1 && controlsPart(result)}</section>`
}

function controlsPart(result: EvaluationResult): Markup {
  return html`<h3>Controls</h3>
<p>Tests whose answer is known run beside the family with the same ${whole(result.settings.replicates)} replicates.</p>
${controls(result)}
`
}
