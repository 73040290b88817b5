import type { Result, ResultTest } from '../../../evaluation/result/result.js'
import { counted, formatWhole, signedPercent } from '../../../output/figures.js'
import { blockedBecause } from '../../sentences.js'
import {
  candidatesIn,
  comparatorsIn,
  lossTest,
  partsIn,
  relativeInterval,
  testTone,
} from '../../view.js'
import { html, type Markup } from '../markup.js'
import { at, linear, type Scale } from '../scale.js'
import { type HtmlCell, renderTable } from './table.js'

const WIDTH = 110

/** A small interval on a scale that all cells of a column share; its figures are next to it. */
function spark(
  { observed, lower, upper }: Record<'observed' | 'lower' | 'upper', number | null>,
  tone: string,
  scale: Scale,
): Markup {
  const x = (value: number | null) =>
    at(4 + Math.min(1, Math.max(0, scale.share(value ?? 0))) * (WIDTH - 8))
  return html`<svg class="spark ${tone}" aria-hidden="true" viewBox="0 0 ${WIDTH} 14" width="${WIDTH}" height="14"><line class="zero" x1="${x(0)}" x2="${x(0)}" y1="0" y2="14"/>${
    lower !== null && html`<line class="thick" x1="${x(lower)}" x2="${x(upper)}" y1="7" y2="7"/>`
  }<circle class="point" cx="${x(observed)}" cy="7" r="3.5"/></svg>`
}

function cell(test: ResultTest | undefined, scale: Scale): HtmlCell {
  if (!test) return 'not registered'
  if (test.decision === 'blocked') {
    return html`<span class="muted">blocked: ${blockedBecause(test.blocked_reasons)} (${counted(test.effective_blocks, 'block')})</span>`
  }
  const word = { open: '', good: ', better', bad: ', worse' }[testTone(test)]
  const share = relativeInterval(test)
  return html`${spark(share, testTone(test), scale)}<br><span class="whole">${signedPercent(share.observed, 2)}<b>${word}</b></span> <span class="muted">(${formatWhole(test.effective_blocks)})</span>`
}

/** Groups of series have a chart among the differences. */
const levelsIn = (result: Result) => partsIn(result).filter(({ of }) => of === 'stratum')

function matrix(result: Result, candidate: string): Markup {
  const comparators = comparatorsIn(result)
  const { origins } = result.window
  const all = { scope: 'all', label: `all (${counted(origins, 'origin')})` }
  const parts = levelsIn(result).map(({ scope, label, count }) => {
    return { scope, label: `${label} (${counted(count, 'origin')})` }
  })
  const rows = [all, ...parts].map(({ scope, label }) => ({
    label,
    tests: comparators.map((comparator) =>
      lossTest(result, { candidate, comparator }, 'overall', scope),
    ),
  }))
  const scales = comparators.map((_, column) => {
    const shares = rows.map(({ tests: { [column]: test } }) => test && relativeInterval(test))
    return linear([0, ...shares.flatMap((of) => (of ? Object.values(of) : []))], 4)
  })
  return renderTable({
    caption: `${candidate}: difference in overall loss by stratum, in per cent of the comparator’s loss`,
    head: ['stratum', ...comparators.map((comparator) => `against ${comparator}`)],
    left: comparators.map((_, index) => index + 1),
    compact: true,
    rows: rows.map((row) => [
      row.label,
      ...row.tests.map((test, index) => cell(test, scales[index] as Scale)),
    ]),
  })
}

/** Origins outside every level of a stratum: readers need not subtract to find their number. */
function outside({ strata, window }: Result): string[] {
  return strata.flatMap(({ name, levels }) => {
    const { origins } = window
    const without = levels.reduce((left, level) => left - level.origins, origins)
    if (without <= 0) return []
    const [belong, count] = without === 1 ? ['belongs', 'counts'] : ['belong', 'count']
    return `${counted(without, 'origin')} ${belong} to no level of ${name} and ${count} over all origins only.`
  })
}

/** Where the difference comes from: the overall loss within each level of each stratum; undefined if there is none. */
export function strataSection(result: Result): Markup | undefined {
  if (levelsIn(result).length === 0) return undefined
  return html`<p>These tests are corrected with the whole family and do not decide. The cells of a column share one scale; the upright line is no difference, the figure in brackets the number of effective blocks.</p>
${outside(result).map((line) => html`<p class="small">${line}</p>\n`)}${candidatesIn(result).map((name) => html`${matrix(result, name)}\n`)}`
}
