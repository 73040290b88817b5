import { relative } from '../../../evaluation/result/readings.js'
import type {
  Result,
  ResultPart,
  ResultTest,
  ResultVerdict,
} from '../../../evaluation/result/result.js'
import { smallestP } from '../../../inference/holm.js'
import {
  counted,
  decimal,
  decimalNotZero,
  formatWhole,
  probability,
} from '../../../output/figures.js'
import { isFlagged } from '../../beside.js'
import { partName } from '../../reason-words.js'
import {
  blockedBecause,
  blockLength,
  familySaid,
  leastAdjustedP,
  placeName,
  TOO_FEW,
} from '../../sentences.js'
import {
  candidatesIn,
  directedSteps,
  directionIn,
  isDecided,
  isDirection,
  isHours,
  isLong,
  isMany,
  isShare,
  ladderOrder,
  nominalIn,
  orderIn,
  testTone,
} from '../../view.js'
import { drawnFigure } from '../charts/figure.js'
import { ladderFigure } from '../charts/ladder.js'
import { folded, foldedIf, html, type Markup } from '../markup.js'
import { columnTable, type HtmlCell, type HtmlColumn } from './table.js'

/** In per cent of the comparator's mean; of a share in percentage points. */
function formatDifference(result: Result, test: ResultTest, value: number | null): string {
  const shown = isShare(result, test.score) ? value : relative(value, test)
  const text = decimal(shown === null ? null : shown * 100, 2)
  return shown !== null && shown > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

function difference(result: Result, test: ResultTest): HtmlCell {
  const { bounds } = test
  const interval =
    bounds &&
    html`<br><span class="muted">${formatDifference(result, test, bounds.lower)} … ${formatDifference(result, test, bounds.upper)}</span>`
  return html`${formatDifference(result, test, test.observed)}${interval}`
}

function decision(result: Result, test: ResultTest): HtmlCell {
  if (!isAsked(result, test)) return `not asked: the comparator predicts up or down ${TOO_FEW}`
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  if (test.decision === 'not_rejected') return 'not rejected'
  if (test.by_verdict) return html`<b>rejected</b>, better, by the joint test`
  if (scoreKind(result, test) === 'coverage') return html`<b>rejected</b>, differs`
  return html`<b>rejected</b>, ${testTone(test) === 'good' ? 'better' : 'worse'}`
}

/** A direction test against a comparator that seldom calls a direction is in the family, and decides nothing. */
const isAsked = (result: Result, { scope, step, score, ...rivals }: ResultTest): boolean =>
  step === 'overall' ||
  scope !== 'all' ||
  !isDirection(result, score) ||
  directedSteps(result, rivals).includes(step)

/** A coverage has no better side. */
const scoreKind = ({ settings }: Result, { score }: ResultTest) =>
  settings.rules.scores.find(({ id }) => id === score)?.kind

/** A rank or a degree of freedom; empty if there is none. */
const wholeIn = (value: number | null | undefined) => (value == null ? '' : formatWhole(value))

/** Two lines if it is words, because the table has no room for a wider column. */
function adjusted({ p_adjusted: p }: Pick<ResultTest, 'p_adjusted'>): HtmlCell {
  if (p === null) return ''
  const [word, figure] = decimalNotZero(p, 4).split(' ')
  return figure === undefined ? (word as string) : html`${word}<br>${figure}`
}

function multiplier({
  multiplier: found,
  weight,
}: Pick<ResultTest, 'multiplier' | 'weight'>): string {
  if (found === null) return ''
  return weight === null ? formatWhole(found) : decimal(found, 1)
}

function ladderTable(
  result: Result,
  caption: string,
  tests: readonly ResultTest[],
  named = true,
): Markup {
  const pair = ({ candidate, comparator }: ResultTest) =>
    named ? `${candidate} − ${comparator}` : `− ${comparator}`
  const ewc = isDecided(result)
  const nu: HtmlColumn<ResultTest> = ['ν', (test) => wholeIn(test.degrees_of_freedom)]
  const columns: HtmlColumn<ResultTest>[] = [
    ['test', (test) => `${pair(test)}, ${test.score}, ${placeName(result, test)}`],
    ['difference, %', (test) => difference(result, test)],
    ['pairs', ({ pairs }) => formatWhole(pairs)],
    ['blocks', ({ effective_blocks: blocks }) => formatWhole(blocks)],
    ['p', ({ p }) => probability(p)],
    ['rank', ({ rank }) => wholeIn(rank)],
    [ewc ? '× w' : '× m', multiplier],
    ['adjusted p', adjusted],
    ['decision', (test) => decision(result, test), 'left'],
    ...(ewc ? [nu] : []),
  ]
  return columnTable({ caption, compact: true }, tests, columns)
}

/** A test and its interval below take two rows. */
const LINES_OF_TEST = 2

/** The deciding tests, folded per candidate. The overall tests come first, unfolded if they are few. */
function deciding(result: Result, tests: readonly ResultTest[]): Markup {
  const overall = tests.filter(({ step }) => step === 'overall')
  const caption = 'The tests that decide: overall loss'
  const isClosed = isLong(LINES_OF_TEST * overall.length)
  return html`${foldedIf(isClosed, `${caption} (${formatWhole(overall.length)})`, ladderTable(result, caption, overall))}
${candidatesIn(result).map((name) => {
  const rest = tests.filter((test) => test.candidate === name && test.step !== 'overall')
  const summary = `${name}: the deciding tests per step (${formatWhole(rest.length)})`
  return html`${folded(summary, ladderTable(result, `${name} minus each comparator`, rest, false))}
`
})}`
}

/** The verdict hypotheses with all their parts; false if there are none. */
function hypotheses(result: Result): Markup | false {
  const { verdicts } = result.reading
  if (verdicts.length === 0) return false
  const tests = new Map(result.reading.tests.map((test) => [test.name, test]))
  const parts = verdicts.flatMap(({ candidate, parts: own }) =>
    own.map((part) => ({ pair: `${candidate} − ${part.comparator}`, part })),
  )
  const shown = ({ test: name }: ResultPart, value: number | null) => {
    const test = tests.get(name)
    // The mean direction is of several tests.
    return test
      ? formatDifference(result, test, value)
      : decimal(value === null ? null : value * 100, 2)
  }
  const caption = 'Joint tests: better than every comparator, and within every limit, at once'
  const all = columnTable<ResultVerdict>({ caption, compact: true }, verdicts, [
    ['candidate', ({ candidate }) => candidate],
    ['largest p', ({ p }) => probability(p)],
    ['rank', ({ rank }) => wholeIn(rank)],
    ['× w', multiplier],
    ['adjusted p', adjusted],
    ['decision', (one) => VERDICT_DECISION[one.decision], 'left'],
  ])
  const named = { caption: 'Parts of the joint tests', compact: true }
  const each = columnTable(named, parts, [
    ['part', ({ pair, part }) => `${pair}, ${partName(result, part)}`],
    ['difference, %', ({ part }) => shown(part, part.observed)],
    ['limit, %', ({ part }) => shown(part, part.limit)],
    ['p', ({ part }) => probability(part.p)],
  ])
  const summary = `Their parts (${formatWhole(parts.length)}): each difference has to lie below its limit`
  return html`${foldedIf(isMany(verdicts.length), `The joint tests (${formatWhole(verdicts.length)})`, all)}
${folded(
  summary,
  html`${each}
<p class="small">Each overall loss is compared after the charge for waiting, and missing outcomes count as the worst. So a difference and a p here may differ from those of the test of the same name below.</p>`,
)}
`
}

const VERDICT_DECISION = {
  rejected: 'better: rejected',
  not_rejected: 'not shown',
  blocked: 'could not be tested',
} as const

const WAVES = 'How strong the slow waves of each overall difference are'
const HLN = 'The statistic of Harvey, Leybourne and Newbold (1997)'
const NO_VALUE = 'no value'
const orNoValue = (value: number | null) => (value === null ? NO_VALUE : decimal(value, 2))

/** Diagnostics of the deciding tests. */
function besideTables(result: Result): Markup {
  const { tests } = result.reading
  const inOneCell = tests.filter(
    ({ decides, cells, step, scope, p }) =>
      decides && cells === 1 && step !== 'overall' && scope === 'all' && p !== null,
  )
  return html`${isHours(result) && folded('Diagnostic: week-long dependence of the overall differences', memoryTable(tests))}
${inOneCell.length > 0 && folded('Diagnostic: Harvey, Leybourne and Newbold', hlnTable(result, inOneCell))}
`
}

function memoryTable(tests: readonly ResultTest[]): Markup {
  const rows = tests.flatMap((test) => {
    const { memory } = test
    return memory ? [{ test, memory }] : []
  })
  const words = { true: 'found', false: 'not found', undefined: 'cannot be checked' }
  return html`${columnTable({ caption: WAVES }, rows, [
    ['difference', ({ test }) => `${test.candidate} − ${test.comparator}`],
    ['blocks', ({ test }) => formatWhole(test.effective_blocks)],
    ['slow to quick', ({ memory }) => orNoValue(memory.ratio)],
    ['1 % point', ({ memory }) => orNoValue(memory.limit)],
    ['week-long dependence', ({ test }) => words[`${isFlagged(test)}`], 'left'],
    ['p', ({ test }) => probability(test.p)],
    ['p, ν = 4', ({ memory }) => probability(memory.p)],
  ])}
<p class="small">Slow to quick: mean square of the cosine waves 1 to 8 over that of all up to half of the blocks. Independent hours exceed the 1 % point in 1 % of windows; the check needs 40 blocks and decides nothing.</p>`
}

/** The statistic is of one series of differences: a test over several cells has none. */
function hlnTable(result: Result, tests: readonly ResultTest[]): Markup {
  const named = (test: ResultTest) =>
    `${test.candidate} − ${test.comparator}, ${test.score}, ${placeName(result, test)}`
  return html`${columnTable({ caption: HLN }, tests, [
    ['test', named],
    ['p of the test', ({ p }) => probability(p)],
    ['statistic', ({ hln }) => orNoValue(hln?.statistic ?? null)],
    ['its p', ({ hln }) => (hln ? probability(hln.p) : NO_VALUE)],
  ])}
<p class="small">Shown for comparison with the literature alone: it assumes that errors at step h are independent from h steps on. Where errors remember .98 from one period to the next, it rejected at step 2 in 18 % of evaluations of equal forecasters, not 5 %.</p>
<p class="small">No value: its variance came out negative or 0.</p>`
}

/** The test method, and what its first rung requires. */
function how(result: Result): Markup {
  const { alpha, weights, test } = result.settings.rules
  if (test.method === 'ewc-t') {
    const { verdict = null, deciding: decidingShare = 0, other = null } = weights ?? {}
    const hypotheses = verdict === null ? '' : `The joint tests share the weight ${verdict}, `
    return html`Method: Diebold–Mariano test with an equal-weighted cosine variance (<code>ewc-t</code>).</p>
<p>${hypotheses}${hypotheses ? 'the' : 'The'} deciding tests ${hypotheses ? '' : 'share the weight '}${decidingShare} in equal parts${other !== null && `, all others ${other}`}. A test is placed by p over its weight.`
  }
  const first = alpha / Math.max(1, result.reading.family.size)
  const smallest = smallestP(test.replicates)
  return html`</p>
<p>With ${formatWhole(test.replicates)} replicates no p-value can be smaller than ${probability(smallest)}; the first rung asks for ${probability(first)}, and no adjusted p can be smaller than ${probability(leastAdjustedP(result))}.${
    smallest > first &&
    html` <strong>So many tests with so few replicates can never reject anything.</strong>`
  }`
}

function footnote(result: Result): string {
  return isDecided(result)
    ? 'ν: degrees of freedom of Student’s t. × w: the weight that remains over that of the test.'
    : 'Intervals are percentiles of the moving-block bootstrap. With few blocks p-values come out too small.'
}

/** The whole family, deciding tests first. */
export function ladderSection(result: Result): Markup {
  const ladder = ladderOrder(result)
  const { family } = result.reading
  const direction = directionIn(result) === undefined ? '' : '; for shares percentage points'
  return html`<p>${familySaid(result)}; ${formatWhole(family.rejected)} rejected (a difference is shown), ${formatWhole(family.blocked)} blocked. ${how(result)}</p>
${drawnFigure(ladderFigure(result))}
${hypotheses(result)}${deciding(
  result,
  ladder.filter((test) => test.decides),
)}
${isDecided(result) && besideTables(result)}${folded(`The whole ladder: ${counted(ladder.length, 'test')}`, ladderTable(result, `The whole ladder, in ${orderIn(result)}`, ladder))}
<p class="small">Difference: mean of candidate minus comparator over the pairs, in per cent of the comparator’s mean${direction}; negative is better. In grey: the ${nominalIn(result)} interval.</p>
<p class="small">Blocks: full stretches of ${blockLength(result)} that hold a pair.</p>
<p class="small">${footnote(result)}</p>`
}
