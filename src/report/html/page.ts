import type { EvaluationResult } from '../../evaluation/result/types.js'
import { htmlDocument } from './document.js'
import { html, lines } from './markup.js'
import { accountingSection } from './sections/accounting.js'
import { chainSection } from './sections/chain.js'
import { headSection, kindOf, limitsSection } from './sections/head.js'
import { ladderSection } from './sections/ladder.js'
import { coverageSection, forestSection, lossSection } from './sections/scores.js'
import { strataSection } from './sections/strata.js'
import { timeSection } from './sections/time.js'
import { verdictSection } from './sections/verdict.js'

const PARTS = [
  ['verdict', 'Disposition'],
  ['time', 'Time'],
  ['accounting', 'Attempts'],
  ['loss', 'Loss'],
  ['differences', 'Differences'],
  ['coverage', 'Coverage'],
  ['ladder', 'Tests'],
  ['strata', 'Strata'],
  ['limits', 'Limits'],
  ['evidence', 'Evidence'],
] as const

/**
 * A result as one page that needs nothing else: no script, no font, no picture from elsewhere, and
 * a policy in its head that forbids any. The same result gives the same bytes.
 */
export function renderHtml(result: EvaluationResult): string {
  return htmlDocument({
    title: `${result.inputs.registration.name}: ${kindOf(result).toLowerCase()}`,
    generator: `${result.code.name} ${result.code.version}`,
    result: result.result_sha256,
    body: html`<a class="skip" href="#verdict">Skip to the disposition</a>
<div class="page">
${headSection(result)}
<nav aria-label="Parts of this report"><ul>${PARTS.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main>
${lines([
  verdictSection(result),
  timeSection(result),
  accountingSection(result),
  lossSection(result),
  forestSection(result),
  coverageSection(result),
  ladderSection(result),
  strataSection(result),
  limitsSection(result),
  chainSection(result),
])}
</main>
<footer><p>Made by ${result.code.name} ${result.code.version} from result <code>${result.result_sha256}</code>. ${kindOf(result)}.</p></footer>
</div>`,
  })
}
