import type { EvaluationResult, ResultTest } from '../../../evaluation/result/types.js'
import { smallestP } from '../../../inference/holm.js'
import { counted, decimal, percent, probability, whole } from '../../../output/figures.js'
import {
  blockedBecause,
  horizonName,
  leastAdjustedP,
  MEASURE_NAME,
  stratumName,
} from '../../sentences.js'
import { candidatesOf, ladderOf } from '../../view.js'
import { ladderChart } from '../charts/ladder.js'
import { html, type Markup } from '../markup.js'
import { type Cell, folded, table } from './table.js'

const HEAD = [
  'test',
  'difference, %',
  'pairs',
  'blocks',
  'p',
  'rank',
  '× m',
  'adjusted p',
  'decision',
]

/** Losses are shown in per cent; shares (direction, coverage) in percentage points. */
function figure(test: ResultTest, value: number | null): string {
  const share = test.measure === 'direction_error' || test.measure === 'coverage'
  const text = decimal(value === null ? null : value * 100, share ? 2 : 4)
  return value !== null && value > 0 ? `+${text}` : text
}

function difference(test: ResultTest): Cell {
  const { bounds } = test
  const interval =
    bounds &&
    html`<br><span class="muted">${figure(test, bounds.lower)} … ${figure(test, bounds.upper)}</span>`
  return html`${figure(test, test.observed)}${interval}`
}

function decision(test: ResultTest): Cell {
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  if (test.decision === 'not_rejected') return 'stands'
  if (test.measure === 'coverage') return html`<b>rejected</b>, differs`
  return html`<b>rejected</b>, ${(test.observed ?? 0) < 0 ? 'better' : 'worse'}`
}

function row(test: ResultTest, named: boolean): Cell[] {
  const pair = named ? `${test.candidate} − ${test.comparator}` : `− ${test.comparator}`
  const where = test.stratum === 'all' ? '' : `, ${stratumName(test.stratum)}`
  return [
    `${pair}, ${MEASURE_NAME[test.measure]}, ${horizonName(test.horizon)}${where}`,
    difference(test),
    whole(test.pairs),
    whole(test.effective_blocks),
    probability(test.p),
    test.rank === null ? '' : whole(test.rank),
    test.multiplier === null ? '' : whole(test.multiplier),
    test.p_adjusted === null ? '' : decimal(test.p_adjusted, 4),
    decision(test),
  ]
}

function ladderTable(caption: string, tests: readonly ResultTest[], named = true): Markup {
  const rows = tests.map((test) => row(test, named))
  return table({ caption, head: HEAD, left: [8], compact: true, rows })
}

/** The tests that decide, one fold per candidate; the overall ones stand open before them. */
function deciding(result: EvaluationResult, tests: readonly ResultTest[]): Markup {
  const overall = tests.filter((test) => test.horizon === 'overall')
  return html`${ladderTable('The tests that decide: overall loss', overall)}
${candidatesOf(result).map((model) => {
  const rest = tests.filter((test) => test.candidate === model.name && test.horizon !== 'overall')
  const said = `${model.name}: the deciding tests per horizon (${whole(rest.length)})`
  return html`${folded(said, ladderTable(`${model.name} minus each comparator`, rest, false))}
`
})}`
}

/** The whole family, the tests that decide first. */
export function ladderSection(result: EvaluationResult): Markup {
  const ladder = ladderOf(result)
  const { family, settings } = result
  const smallest = smallestP(settings.replicates)
  return html`<section aria-labelledby="ladder">
<h2 id="ladder">Every test, and Holm’s correction</h2>
<p>${counted(family.size, 'test was', 'tests were')} registered by name; ${whole(family.rejected)} rejected, ${whole(family.blocked)} blocked. With ${whole(settings.replicates)} replicates no p-value can be smaller than ${probability(smallest)}; the first rung asks for ${probability(settings.alpha / Math.max(1, family.size))}, and no adjusted p can be smaller than ${probability(leastAdjustedP(result))}.${
    smallest > settings.alpha / Math.max(1, family.size) &&
    html` <strong>So many tests with so few replicates can never reject anything.</strong>`
  }</p>
${ladderChart(result, ladder)}
${deciding(
  result,
  ladder.filter((test) => test.decides),
)}
${folded(`The whole ladder: ${counted(ladder.length, 'test')}`, ladderTable('The whole ladder, in ascending order of p', ladder))}
<p class="small">Difference: mean of candidate minus comparator over the pairs; negative is better, except for coverage, which has no better side. Per cent of log return; for direction and coverage percentage points. In grey: the ${percent(1 - settings.alpha, 0)} interval, percentiles of the moving-block bootstrap. Blocks: full stretches of ${counted(settings.block_length_origins, 'hour')} that hold a pair; with few of them p-values come out too small.</p>
</section>`
}
