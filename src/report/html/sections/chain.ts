import type { AnyResult, EvaluationResult } from '../../../evaluation/result/types.js'
import { whole } from '../../../output/figures.js'
import { chainOf } from '../../evidence-chain.js'
import { folded, html, type Markup } from '../markup.js'

const CONTROL = {
  copy: 'A copy of each comparator differs from it by exactly nothing, in every replicate',
  shift:
    'A comparator with a constant added to its loss differs by exactly that, in every replicate',
}

function control(result: EvaluationResult, kind: keyof typeof CONTROL): Markup {
  const all = result.controls.filter((one) => one.kind === kind)
  const failed = all.filter((one) => !one.passed)
  const [tone, sign, said] =
    failed.length === 0
      ? ['met', '✓', `holds for all ${all.length}`]
      : ['not_met', '✕', 'does not hold']
  return html`<li class="${tone}"><span class="sign" aria-hidden="true">${sign}</span> ${CONTROL[kind]}: ${said}${failed.map(
    ({ name, least, greatest, expected }) =>
      html`; ${name} gave ${least ?? 'nothing'} to ${greatest ?? 'nothing'} instead of ${expected}`,
  )}.</li>`
}

/** Each link with its digest. */
export function chainList(result: AnyResult): Markup {
  return html`<ol class="chain">${chainOf(result).map(
    ([name, says, sha256]) =>
      html`<li><b>${name}</b> <span>${says}</span> ${sha256 === null ? html`<span class="muted">not recorded</span>` : html`<code>${sha256}</code>`}</li>
`,
  )}</ol>`
}

/** What the result rests on, and how anyone can check it. */
export function chainSection(result: AnyResult): Markup {
  return html`<p>Each link is fixed by the SHA-256 of what it holds. Given the inputs, <code>foreproof audit</code> makes all of it again and names the first link that does not hold. Without foreproof, the page <code>verify.html</code> does it in a browser: it is one file, the same for everybody, that comes with each release; <code>foreproof verify-page</code> writes it, and <code>foreproof --version --verbose</code> says its SHA-256.</p>
${folded('Every link with its digest', chainList(result), 'printed')}${
  result.result_version === 1 &&
  html`
<h3>Controls</h3>
<p>Tests whose answer is known run beside the family with the same ${whole(result.settings.replicates)} replicates.</p>
<ul class="controls">${control(result, 'copy')}${control(result, 'shift')}</ul>`
}`
}
