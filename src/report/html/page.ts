import type {
  AnyResult,
  EvaluationResult,
  SeriesEvaluationResult,
} from '../../evaluation/result/types.js'
import { htmlDocument } from './document.js'
import { html, lines, type Markup } from './markup.js'
import { accountingSection } from './sections/accounting.js'
import { chainSection } from './sections/chain.js'
import { headSection, kindOf, limitsSection } from './sections/head.js'
import { ladderSection } from './sections/ladder.js'
import { coverageSection, forestSection, lossSection } from './sections/scores.js'
import {
  cellsSection,
  rulesSection,
  scoresSection,
  seriesForestSection,
  seriesLimitsSection,
  seriesSection,
} from './sections/series.js'
import { strataSection } from './sections/strata.js'
import { timeSection } from './sections/time.js'
import { verdictSection } from './sections/verdict.js'

/** The parts of a page: id of the heading, name, and the section itself. */
type Part = readonly [id: string, name: string, section: Markup]

const hourlyParts = (result: EvaluationResult): readonly Part[] => [
  ['verdict', 'Disposition', verdictSection(result)],
  ['time', 'Time', timeSection(result)],
  ['accounting', 'Attempts', accountingSection(result)],
  ['loss', 'Loss', lossSection(result)],
  ['differences', 'Differences', forestSection(result)],
  ['coverage', 'Coverage', coverageSection(result)],
  ['ladder', 'Tests', ladderSection(result)],
  ['strata', 'Strata', strataSection(result)],
  ['limits', 'Limits', limitsSection(result)],
  ['evidence', 'Evidence', chainSection(result)],
]

const seriesParts = (result: SeriesEvaluationResult): readonly Part[] => [
  ['verdict', 'Disposition', verdictSection(result)],
  ['time', 'Time', timeSection(result)],
  ['series', 'Series', seriesSection(result)],
  ['accounting', 'Attempts', accountingSection(result)],
  ['loss', 'Loss', scoresSection(result)],
  ['differences', 'Differences', seriesForestSection(result)],
  ['cells', 'Cells', cellsSection(result)],
  ['rules', 'Releases', rulesSection(result)],
  ['ladder', 'Tests', ladderSection(result)],
  ['limits', 'Limits', seriesLimitsSection(result)],
  ['evidence', 'Evidence', chainSection(result)],
]

/**
 * A result as one page that needs nothing else: no script, no font, no picture from elsewhere, and
 * a policy in its head that forbids any. The same result gives the same bytes.
 */
export function renderHtml(result: AnyResult): string {
  const parts = result.result_version === 1 ? hourlyParts(result) : seriesParts(result)
  return htmlDocument({
    title: `${result.inputs.registration.name}: ${kindOf(result).toLowerCase()}`,
    generator: `${result.code.name} ${result.code.version}`,
    result: result.result_sha256,
    body: html`<a class="skip" href="#verdict">Skip to the disposition</a>
<div class="page">
${headSection(result)}
<nav aria-label="Parts of this report"><ul>${parts.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
<main>
${lines(parts.map(([, , section]) => section))}
</main>
<footer><p>Made by ${result.code.name} ${result.code.version} from result <code>${result.result_sha256}</code>. ${kindOf(result)}.</p></footer>
</div>`,
  })
}
