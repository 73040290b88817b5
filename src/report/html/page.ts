import type { Result } from '../../evaluation/result/result.js'
import { htmlPage, type PagePart } from './document.js'
import { html, type Markup } from './markup.js'
import { accountingSection } from './sections/accounting.js'
import { chainSection } from './sections/chain.js'
import { headLines, kindLabel } from './sections/head.js'
import { ladderSection } from './sections/ladder.js'
import { limitsSection } from './sections/limits.js'
import { releasesSection } from './sections/releases.js'
import { coverageSection, forestSection, lossSection } from './sections/scores.js'
import { seriesSection } from './sections/series-spread.js'
import { strataSection } from './sections/strata.js'
import { timeSection } from './sections/time.js'
import { verdictSection } from './sections/verdict.js'

type MaybePart = readonly [id: string, name: string, heading: string, body: Markup | undefined]

/** A backtest has no verdict. */
const verdictName = ({ kind }: Result) => (kind === 'backtest' ? 'Result' : 'Verdict')

/** The parts of the page; one without a body does not apply to the evaluation. */
function listParts(result: Result): PagePart[] {
  const name = verdictName(result)
  const heading = name === 'Result' ? 'Result of the backtest' : name
  const all: readonly MaybePart[] = [
    ['verdict', name, heading, verdictSection(result)],
    ['time', 'Time', 'What came first', timeSection(result)],
    ['accounting', 'Attempts', 'What became of every attempt', accountingSection(result)],
    ['loss', 'Loss', 'How far the forecasts were off', lossSection(result)],
    ['differences', 'Differences', 'Each candidate against each comparator', forestSection(result)],
    ['series', 'Series', 'How the differences lie over series', seriesSection(result)],
    ['strata', 'Strata', 'By stratum', strataSection(result)],
    ['coverage', 'Coverage', 'Do the intervals hold what they promise?', coverageSection(result)],
    ['releases', 'Releases', 'If other releases counted', releasesSection(result)],
    ['ladder', 'Tests', 'Every test, and Holm’s correction', ladderSection(result)],
    ['limits', 'Limits', 'Limits of this evaluation', limitsSection(result)],
    ['evidence', 'Evidence', 'The evidence chain', chainSection(result)],
  ]
  return all.flatMap(([id, name, heading, body]): PagePart[] =>
    body === undefined ? [] : [[id, name, heading, body]],
  )
}

/**
 * Renders a result as one self-contained page: no script, font or image from elsewhere, and a policy in its head that
 * forbids them. The same result gives the same bytes.
 */
export function renderHtml(result: Result): string {
  const { code, inputs, result_sha256: sha256 } = result
  const generator = `${code.name} ${code.version}`
  return htmlPage({
    title: `${inputs.registration.name}: ${kindLabel(result).toLowerCase()}`,
    generator,
    result: sha256,
    skip: ['verdict', `the ${verdictName(result).toLowerCase()}`],
    header: headLines(result),
    parts: listParts(result),
    footer: html`Made by ${generator} from result <code>${sha256}</code>. ${kindLabel(result)}.`,
  })
}
