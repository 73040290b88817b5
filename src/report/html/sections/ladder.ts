import { relative } from '../../../evaluation/result/readings.js'
import type { AnyResult, EvaluationResult, ResultTest } from '../../../evaluation/result/types.js'
import { smallestP } from '../../../inference/holm.js'
import { counted, decimal, decimalNotZero, probability, whole } from '../../../output/figures.js'
import { hasVerdict } from '../../../registration/family.js'
import { isFlagged } from '../../beside.js'
import { partName } from '../../reason-words.js'
import {
  blockedBecause,
  blockLength,
  HOURLY,
  horizonName,
  leastAdjustedP,
  MEASURE_NAME,
  measureName,
  placeName,
} from '../../sentences.js'
import {
  type AnyPart,
  type AnyTest,
  type AnyVerdict,
  candidatesOf,
  isDirection,
  isLongTable,
  isMany,
  ladderOf,
  methodOf,
  nominalIn,
  orderIn,
  toneOf,
} from '../../view.js'
import { drawnFigure } from '../charts/figure.js'
import { ladderFigure } from '../charts/ladder.js'
import { folded, foldedIf, html, type Markup } from '../markup.js'
import { columnTable, type HtmlCell, type HtmlColumn } from './table.js'

/** Losses are shown in per cent; shares (direction, coverage) in percentage points. */
function shareOrLoss(measure: ResultTest['measure'], value: number | null): string {
  const share = measure === 'direction_error' || measure === 'coverage'
  const text = decimal(value === null ? null : value * 100, share ? 2 : 4)
  return value !== null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** For any series: in per cent of the comparator's mean, except the direction. */
function differenceOf(result: AnyResult, test: AnyTest, value: number | null): string {
  if (!('group' in test)) return shareOrLoss(test.measure, value)
  if (isDirection(result, test.measure)) return shareOrLoss('direction_error', value)
  return shareOrLoss('coverage', relative(value, test))
}

function difference(result: AnyResult, test: AnyTest): HtmlCell {
  const { bounds } = test
  const interval =
    bounds &&
    html`<br><span class="muted">${differenceOf(result, test, bounds.lower)} … ${differenceOf(result, test, bounds.upper)}</span>`
  return html`${differenceOf(result, test, test.observed)}${interval}`
}

function decision(test: AnyTest): HtmlCell {
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  if (test.decision === 'not_rejected') return 'stands'
  if (test.by_verdict) return html`<b>rejected</b>, better, by the verdict hypothesis`
  if (test.measure === 'coverage') return html`<b>rejected</b>, differs`
  return html`<b>rejected</b>, ${toneOf(test) === 'good' ? 'better' : 'worse'}`
}

/** A rank or a degree of freedom; empty if there is none. */
const wholeIn = (value: number | null | undefined) => (value == null ? '' : whole(value))

/** Two lines if it is words, because the table has no room for a wider column. */
function adjusted({ p_adjusted: p }: Pick<AnyTest, 'p_adjusted'>): HtmlCell {
  if (p === null) return ''
  const [word, figure] = decimalNotZero(p, 4).split(' ')
  return figure === undefined ? (word as string) : html`${word}<br>${figure}`
}

function multiplier({ multiplier: found, weight }: Pick<AnyTest, 'multiplier' | 'weight'>): string {
  if (found === null) return ''
  return weight === undefined ? whole(found) : decimal(found, 1)
}

function ladderTable(
  result: AnyResult,
  caption: string,
  tests: readonly AnyTest[],
  named = true,
): Markup {
  const pair = ({ candidate, comparator }: AnyTest) =>
    named ? `${candidate} − ${comparator}` : `− ${comparator}`
  const ewc = tests.some((test) => test.degrees_of_freedom !== undefined)
  const nu: HtmlColumn<AnyTest> = ['ν', (test) => wholeIn(test.degrees_of_freedom)]
  const columns: HtmlColumn<AnyTest>[] = [
    ['test', (test) => `${pair(test)}, ${measureName(test)}, ${placeName(result, test)}`],
    ['difference, %', (test) => difference(result, test)],
    ['pairs', ({ pairs }) => whole(pairs)],
    ['blocks', ({ effective_blocks: blocks }) => whole(blocks)],
    ['p', ({ p }) => probability(p)],
    ['rank', ({ rank }) => wholeIn(rank)],
    [ewc ? '× w' : '× m', multiplier],
    ['adjusted p', adjusted],
    ['decision', decision, 'left'],
    ...(ewc ? [nu] : []),
  ]
  return columnTable({ caption, compact: true }, tests, columns)
}

/** A test and its interval below take two rows. */
const LINES_OF_TEST = 2

/** The deciding tests, folded per candidate. The overall tests come first, unfolded if they are few. */
function deciding(result: AnyResult, tests: readonly AnyTest[]): Markup {
  const overall = tests.filter((test) => test.horizon === 'overall')
  const caption = 'The tests that decide: overall loss'
  const isClosed = result.result_version === 2 && isLongTable(LINES_OF_TEST * overall.length)
  return html`${foldedIf(isClosed, `${caption} (${whole(overall.length)})`, ladderTable(result, caption, overall))}
${candidatesOf(result).map((name) => {
  const rest = tests.filter((test) => test.candidate === name && test.horizon !== 'overall')
  const said = `${name}: the deciding tests per horizon (${whole(rest.length)})`
  return html`${folded(said, ladderTable(result, `${name} minus each comparator`, rest, false))}
`
})}`
}

/** The verdict hypotheses with all their parts; false if there are none. */
function hypotheses(result: AnyResult): Markup | false {
  const { verdicts = [] } = result
  if (verdicts.length === 0) return false
  const tests = new Map<string, AnyTest>(result.tests.map((test) => [test.name, test]))
  const parts = verdicts.flatMap(({ candidate, parts: own }) =>
    (own as readonly AnyPart[]).map((part) => ({
      pair: `${candidate} − ${part.comparator}`,
      part,
    })),
  )
  const shown = ({ test: name, measure }: AnyPart, value: number | null) => {
    const test = tests.get(name)
    return test && 'group' in test
      ? differenceOf(result, test, value)
      : shareOrLoss(
          isDirection(result, measure) ? 'direction_error' : (measure as ResultTest['measure']),
          value,
        )
  }
  const caption =
    'Verdict hypotheses: better than every comparator, and within every limit, at once'
  const all = columnTable<AnyVerdict>({ caption, compact: true }, verdicts, [
    ['candidate', ({ candidate }) => candidate],
    ['largest p', ({ p }) => probability(p)],
    ['rank', ({ rank }) => wholeIn(rank)],
    ['× w', multiplier],
    ['adjusted p', adjusted],
    ['decision', (one) => VERDICT_DECISION[one.decision], 'left'],
  ])
  const named = { caption: 'Parts of the verdict hypotheses', compact: true }
  const each = columnTable(named, parts, [
    ['part', ({ pair, part }) => `${pair}, ${partName(result, part)}`],
    ['difference, %', ({ part }) => shown(part, part.observed)],
    ['limit, %', ({ part }) => shown(part, part.limit)],
    ['p', ({ part }) => probability(part.p)],
  ])
  const said = `Their parts (${whole(parts.length)}): each difference has to lie below its limit`
  return html`${foldedIf(isMany(verdicts.length), `The verdict hypotheses (${whole(verdicts.length)})`, all)}
${folded(said, each)}
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

/** Tables in addition to the deciding tests; false without verdict hypotheses. */
function besideTables({ tests, settings }: EvaluationResult): Markup | false {
  return (
    hasVerdict(settings) &&
    html`${folded('Beside the overall tests: memory of weeks', memoryTable(tests))}
${folded('Beside the tests per horizon: Harvey, Leybourne and Newbold', hlnTable(tests))}
`
  )
}

function memoryTable(tests: readonly ResultTest[]): Markup {
  const found = tests.flatMap((test) => {
    const { week_memory: memory } = test
    return memory ? [{ test, memory }] : []
  })
  const said = { true: 'flagged', false: 'not flagged', undefined: 'cannot be seen' }
  return html`${columnTable({ caption: WAVES }, found, [
    ['difference', ({ test }) => `${test.candidate} − ${test.comparator}`],
    ['blocks', ({ test }) => whole(test.effective_blocks)],
    ['slow to quick', ({ memory }) => orNoValue(memory.ratio)],
    ['1 % point', ({ memory }) => orNoValue(memory.limit)],
    ['memory of weeks', ({ test }) => said[`${isFlagged(test)}`], 'left'],
    ['p', ({ test }) => probability(test.p)],
    ['p, ν = 4', ({ memory }) => probability(memory.p)],
  ])}
<p class="small">Slow to quick: mean square of the cosine waves 1 to 8 over that of all up to half of the blocks. Independent hours exceed the 1 % point in 1 % of windows. It takes 40 blocks to see. It decides nothing.</p>`
}

function hlnTable(tests: readonly ResultTest[]): Markup {
  const found = tests.filter(({ hln }) => hln !== undefined)
  const named = ({ candidate, comparator, measure, horizon }: ResultTest) =>
    `${candidate} − ${comparator}, ${MEASURE_NAME[measure]}, ${horizonName(HOURLY, horizon)}`
  return html`${columnTable({ caption: HLN }, found, [
    ['test', named],
    ['p of the test', ({ p }) => probability(p)],
    ['statistic', ({ hln }) => orNoValue(hln?.statistic ?? null)],
    ['its p', ({ hln }) => (hln ? probability(hln.p) : NO_VALUE)],
  ])}
<p class="small">Known from the literature, and shown for comparison alone: it takes errors at h hours to be independent from h hours on. Where they remember .98 from hour to hour it rejected at 2 h in 18 % of evaluations of equal forecasters, where 5 % are meant (docs/statistics.md). No value: its variance came out negative, or 0. It decides nothing.</p>`
}

/** The test method, and what its first rung requires. */
function how(result: AnyResult): Markup {
  const { family, settings } = result
  const first = settings.alpha / Math.max(1, family.size)
  const { inference } = settings
  if (inference?.method === 'ewc-t') {
    const { verdict, deciding } = inference.weights
    const other = 'other' in inference.weights ? inference.weights.other : 0
    const verdicts =
      verdict === undefined ? '' : `The verdict hypotheses share the weight ${verdict}. `
    return html`Method: Diebold–Mariano test with an equal-weighted cosine variance (<code>ewc-t</code>). ${verdicts}The deciding tests share the weight ${deciding} in equal parts${other > 0 && `, all others ${other}`}; a test is placed by p over its weight.`
  }
  const replicates = 'replicates' in settings ? settings.replicates : 0
  const smallest = smallestP(replicates)
  return html`With ${whole(replicates)} replicates no p-value can be smaller than ${probability(smallest)}; the first rung asks for ${probability(first)}, and no adjusted p can be smaller than ${probability(leastAdjustedP(result))}.${
    smallest > first &&
    html` <strong>So many tests with so few replicates can never reject anything.</strong>`
  }`
}

const UNIT = {
  1: ', except for coverage, which has no better side. Per cent of log return; for direction and coverage percentage points',
  2: '. In per cent of the comparator’s mean over the same pairs, every cell with the same weight',
} as const

/** The unit of direction tests, if there are any beside those of any series. */
const directed = (result: AnyResult) =>
  result.result_version === 2 && result.settings.direction_limit !== undefined
    ? '; for direction percentage points'
    : ''

function footnote(result: AnyResult): string {
  return methodOf(result) === 'ewc-t'
    ? 'ν: degrees of freedom of Student’s t. × w: the weight that remains over that of the test.'
    : 'Intervals are percentiles of the moving-block bootstrap. With few blocks p-values come out too small.'
}

/** The whole family, deciding tests first. */
export function ladderSection(result: AnyResult): Markup {
  const ladder = ladderOf(result)
  const { family, settings } = result
  return html`<p>${counted(family.size, 'test was', 'tests were')} registered by name; ${whole(family.rejected)} rejected, ${whole(family.blocked)} blocked. ${how(result)}</p>
${drawnFigure(ladderFigure(result))}
${hypotheses(result)}${deciding(
  result,
  ladder.filter((test) => test.decides),
)}
${result.result_version === 1 && besideTables(result)}${folded(`The whole ladder: ${counted(ladder.length, 'test')}`, ladderTable(result, `The whole ladder, in ${orderIn(result)}`, ladder))}
<p class="small">Difference: mean of candidate minus comparator over the pairs; negative is better${UNIT[result.result_version]}${directed(result)}. In grey: the ${nominalIn(result)} interval. Blocks: full stretches of ${blockLength(settings)} that hold a pair. ${footnote(result)}</p>`
}
