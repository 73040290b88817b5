import type {
  AnyResult,
  EvaluationResult,
  SeriesEvaluationResult,
} from '../../evaluation/result/types.js'
import { rulesOf } from '../series/words.js'
import { htmlPage, type PagePart } from './document.js'
import { html } from './markup.js'
import { accountingSection } from './sections/accounting.js'
import { chainSection } from './sections/chain.js'
import { headLines, kindOf } from './sections/head.js'
import { ladderSection } from './sections/ladder.js'
import { limitsSection } from './sections/limits.js'
import { coverageSection, forestSection, lossSection } from './sections/scores.js'
import { cellsSection, rulesSection, scoresSection, seriesSection } from './sections/series.js'
import { strataSection } from './sections/strata.js'
import { timeSection } from './sections/time.js'
import { verdictSection } from './sections/verdict.js'

const OFF = 'How far the forecasts were off'
const EACH = 'Each candidate against each comparator'

const hourlyParts = (result: EvaluationResult): readonly PagePart[] => [
  ['accounting', 'Attempts', 'What became of every attempt', accountingSection(result)],
  ['loss', 'Loss', OFF, lossSection(result)],
  ['differences', 'Differences', EACH, forestSection(result)],
  ['coverage', 'Coverage', 'Do the intervals hold what they promise?', coverageSection(result)],
  ['ladder', 'Tests', 'Every test, and Holm’s correction', ladderSection(result)],
  ['strata', 'Strata', 'By stratum', strataSection(result)],
]

/** If values are not revised there are no other releases, and the lines at the top say which value counts. */
function rulesPart(result: SeriesEvaluationResult): readonly PagePart[] {
  const rules = rulesOf(result)
  if (rules.size < 2) return []
  return [['rules', 'Releases', 'If other releases counted', rulesSection(result, rules)]]
}

const seriesParts = (result: SeriesEvaluationResult): readonly PagePart[] => [
  ['series', 'Series', 'Series and steps', seriesSection(result)],
  ['accounting', 'Attempts', 'What became of every attempt', accountingSection(result)],
  ['loss', 'Loss', OFF, scoresSection(result)],
  ['differences', 'Differences', EACH, forestSection(result)],
  ['cells', 'Cells', 'Every series at every step', cellsSection(result)],
  ...rulesPart(result),
  ['ladder', 'Tests', 'Every test, and Holm’s correction', ladderSection(result)],
]

/**
 * Renders a result as one self-contained page: no script, font or image from elsewhere, and a policy in its head that
 * forbids them. The same result gives the same bytes.
 */
export function renderHtml(result: AnyResult): string {
  const { code, inputs, result_sha256: sha256 } = result
  const generator = `${code.name} ${code.version}`
  return htmlPage({
    title: `${inputs.registration.name}: ${kindOf(result).toLowerCase()}`,
    generator,
    result: sha256,
    skip: ['verdict', 'the disposition'],
    header: headLines(result),
    parts: [
      ['verdict', 'Disposition', 'Disposition', verdictSection(result)],
      ['time', 'Time', 'What came first', timeSection(result)],
      ...(result.result_version === 1 ? hourlyParts(result) : seriesParts(result)),
      ['limits', 'Limits', 'Limits of this evaluation', limitsSection(result)],
      ['evidence', 'Evidence', 'The evidence chain', chainSection(result)],
    ],
    footer: html`Made by ${generator} from result <code>${sha256}</code>. ${kindOf(result)}.`,
  })
}
