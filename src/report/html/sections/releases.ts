import type { Result } from '../../../evaluation/result/result.js'
import { counted } from '../../../output/figures.js'
import { measureText } from '../../measures.js'
import { stepName } from '../../sentences.js'
import { isMany, modelsIn, primaryScore, stepsIn } from '../../view.js'
import { primarySaid, releaseSaid, rulesIn, turnedSaid } from '../../window.js'
import { folded, foldedIf, html, type Markup } from '../markup.js'
import { renderTable } from './table.js'

/** What the means would be with other releases; undefined if values are not revised. */
export function releasesSection(result: Result): Markup | undefined {
  if (rulesIn(result).size < 2) return undefined
  const turned = turnedSaid(result)
  return html`<p>The protocol fixed it: <strong>${releaseSaid(result.settings.rules.outcome.release)}</strong>. The same forecasts scored against other releases of the same outcomes decide nothing; they show how much depends on the choice.</p>
${foldedIf(
  isMany(turned.length),
  `${counted(turned.length, 'comparison turns', 'comparisons turn')} at some steps`,
  html`${turned.map((sentence) => html`<p><strong>${sentence}</strong></p>\n`)}`,
)}${turned.length === 0 && html`<p>No candidate changes its place against a comparator under another rule.</p>\n`}${ruleTable(result)}`
}

function ruleTable(result: Result): Markup {
  const caption = `Means of ${primarySaid(result)} by rule of release`
  const names = modelsIn(result).map(({ name }) => name)
  const { id } = primaryScore(result)
  const rows = [...rulesIn(result)].flatMap(([rule, means]) =>
    stepsIn(result).map((step) => [
      rule,
      stepName(result, step),
      ...names.map((name) => {
        const figures = means.find((of) => of.model === name && of.step === step)
        return measureText(result, id, figures?.mean ?? null)
      }),
    ]),
  )
  const head = ['rule', 'step', ...names]
  return folded(caption, renderTable({ caption, head, left: [1], compact: true, rows }))
}
