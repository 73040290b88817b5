import type { Result } from '../../../evidence/result.js'
import { chainOf } from '../../evidence-chain.js'
import { decimal, whole } from '../../figures.js'
import { html, type Markup } from '../markup.js'

function controls(result: Result): Markup {
  return html`<ul class="controls">${result.controls.map(
    (control) =>
      html`<li class="${control.passed ? 'met' : 'not_met'}"><span class="sign" aria-hidden="true">${control.passed ? '✓' : '✕'}</span> ${
        control.kind === 'copy'
          ? 'A copy of a comparator differs from it by exactly nothing in every replicate'
          : `A comparator with ${control.expected} added to its loss differs by exactly that in every replicate`
      }: ${control.passed ? 'holds' : 'does not hold'}${
        !control.passed &&
        ` (${decimal(control.least, 6)} to ${decimal(control.greatest, 6)}, expected ${control.expected})`
      }.</li>`,
  )}</ul>`
}

/** What the result rests on, and how anybody can check it. */
export function chainSection(result: Result): Markup {
  return html`<section aria-labelledby="evidence">
<h2 id="evidence">The evidence chain</h2>
<p>Each link is fixed by the SHA-256 of what it holds. Given the inputs, <code>foreproof audit</code> makes all of it again and names the first link that does not hold.</p>
<ol class="chain">${chainOf(result).map(
    (link) =>
      html`<li><b>${link.name}</b> <span>${link.says}</span> ${
        link.sha256 === null
          ? html`<span class="muted">not recorded</span>`
          : html`<code>${link.sha256}</code>`
      }</li>
`,
  )}</ol>
<h3>Controls</h3>
<p>Two tests whose answer is known run beside the family with the same ${whole(result.settings.replicates)} replicates.</p>
${controls(result)}
</section>`
}
