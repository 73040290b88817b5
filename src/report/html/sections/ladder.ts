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
  type AnyTest,
  candidatesOf,
  ladderOf,
  methodOf,
  nominalIn,
  orderIn,
  toneOf,
} from '../../view.js'
import { drawnFigure } from '../charts/figure.js'
import { ladderFigure } from '../charts/ladder.js'
import { html, type Markup } from '../markup.js'
import { folded, type HtmlCell, table } from './table.js'

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
function shareOrLoss(measure: ResultTest['measure'], value: number | null): string {
  const share = measure === 'direction_error' || measure === 'coverage'
  const text = decimal(value === null ? null : value * 100, share ? 2 : 4)
  return value !== null && value > 0 && /[1-9]/.test(text) ? `+${text}` : text
}

/** Of any series: in per cent of the comparator’s mean. */
function differenceOf(test: AnyTest, value: number | null): string {
  if (!('group' in test)) return shareOrLoss(test.measure, value)
  return shareOrLoss('coverage', relative(value, test))
}

function difference(test: AnyTest): HtmlCell {
  const { bounds } = test
  const interval =
    bounds &&
    html`<br><span class="muted">${differenceOf(test, bounds.lower)} … ${differenceOf(test, bounds.upper)}</span>`
  return html`${differenceOf(test, test.observed)}${interval}`
}

function decision(test: AnyTest): HtmlCell {
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  if (test.decision === 'not_rejected') return 'stands'
  if (test.by_verdict) return html`<b>rejected</b>, better, by the verdict hypothesis`
  if (test.measure === 'coverage') return html`<b>rejected</b>, differs`
  return html`<b>rejected</b>, ${toneOf(test) === 'good' ? 'better' : 'worse'}`
}

/** What the cosine test says besides; nothing for the bootstrap. */
const EWC_HEAD = { 1: ['ν', 'bootstrap p'], 2: ['ν'] } as const

function ewcCells(test: AnyTest): HtmlCell[] {
  if (test.degrees_of_freedom === undefined) return []
  const nu = test.degrees_of_freedom === null ? '' : whole(test.degrees_of_freedom)
  if ('group' in test) return [nu]
  return [nu, test.bootstrap ? probability(test.bootstrap.p) : '']
}

function row(result: AnyResult, test: AnyTest, named: boolean): HtmlCell[] {
  const pair = named ? `${test.candidate} − ${test.comparator}` : `− ${test.comparator}`
  return [
    `${pair}, ${measureName(test)}, ${placeName(result, test)}`,
    difference(test),
    whole(test.pairs),
    whole(test.effective_blocks),
    probability(test.p),
    test.rank === null ? '' : whole(test.rank),
    multiplier(test),
    test.p_adjusted === null ? '' : adjusted(test.p_adjusted),
    decision(test),
    ...ewcCells(test),
  ]
}

/** In two lines where it is words: the table has no room for a wider column. */
function adjusted(p: number): HtmlCell {
  const [word, figure] = decimalNotZero(p, 4).split(' ')
  return figure === undefined ? (word as string) : html`${word}<br>${figure}`
}

function multiplier({ multiplier: found, weight }: AnyTest): string {
  if (found === null) return ''
  return weight === undefined ? whole(found) : decimal(found, 1)
}

function ladderTable(
  result: AnyResult,
  caption: string,
  tests: readonly AnyTest[],
  named = true,
): Markup {
  const rows = tests.map((test) => row(result, test, named))
  const ewc = tests.some((test) => test.degrees_of_freedom !== undefined)
  const head = ewc
    ? [...HEAD.map((name) => (name === '× m' ? '× w' : name)), ...EWC_HEAD[result.result_version]]
    : HEAD
  return table({ caption, head, left: [8], compact: true, rows })
}

/** The tests that decide, one fold per candidate; the overall ones come open before them. */
function deciding(result: AnyResult, tests: readonly AnyTest[]): Markup {
  const overall = tests.filter((test) => test.horizon === 'overall')
  return html`${ladderTable(result, 'The tests that decide: overall loss', overall)}
${candidatesOf(result).map((name) => {
  const rest = tests.filter((test) => test.candidate === name && test.horizon !== 'overall')
  const said = `${name}: the deciding tests per horizon (${whole(rest.length)})`
  return html`${folded(said, ladderTable(result, `${name} minus each comparator`, rest, false))}
`
})}`
}

/** The verdict hypotheses with all their parts; nothing where a registration has none. */
function hypotheses(result: AnyResult): Markup | false {
  const { verdicts = [] } = result
  const tests = new Map<string, AnyTest>(result.tests.map((test) => [test.name, test]))
  const rows = verdicts.map((one): HtmlCell[] => [
    one.candidate,
    probability(one.p),
    one.rank === null ? '' : whole(one.rank),
    one.multiplier === null ? '' : decimal(one.multiplier, 1),
    one.p_adjusted === null ? '' : adjusted(one.p_adjusted),
    VERDICT_DECISION[one.decision],
  ])
  const parts = verdicts.flatMap((one) =>
    one.parts.map((part): HtmlCell[] => {
      const test = tests.get(part.test)
      const shown = (value: number | null) =>
        test && 'group' in test
          ? differenceOf(test, value)
          : shareOrLoss(part.measure as ResultTest['measure'], value)
      return [
        `${one.candidate} − ${part.comparator}, ${partName(result, part)}`,
        ...[part.observed, part.limit].map(shown),
        probability(part.p),
      ]
    }),
  )
  return (
    verdicts.length > 0 &&
    html`${table({
      caption: 'Verdict hypotheses: better than every comparator, and within every limit, at once',
      head: ['candidate', 'largest p', 'rank', '× w', 'adjusted p', 'decision'],
      left: [5],
      compact: true,
      rows,
    })}
${folded(
  `Their parts (${whole(parts.length)}): each difference has to lie below its limit`,
  table({
    caption: 'Parts of the verdict hypotheses',
    head: ['part', 'difference, %', 'limit, %', 'p'],
    compact: true,
    rows: parts,
  }),
)}
`
  )
}

const VERDICT_DECISION = {
  rejected: 'better: rejected',
  not_rejected: 'not shown',
  blocked: 'could not be tested',
} as const

const NO_VALUE = 'no value'

/** What is shown beside the tests that decide; nothing without verdict hypotheses. */
function besideTables({ tests, settings }: EvaluationResult): Markup | false {
  return (
    hasVerdict(settings) &&
    html`${folded('Beside the overall tests: memory of weeks', memoryTable(tests))}
${folded('Beside the tests per horizon: Harvey, Leybourne and Newbold', hlnTable(tests))}
`
  )
}

function memoryTable(tests: readonly ResultTest[]): Markup {
  const rows = tests.flatMap((test): HtmlCell[][] => {
    const { candidate, comparator, effective_blocks: blocks, week_memory: memory } = test
    if (!memory) return []
    const said = { true: 'flagged', false: 'not flagged', undefined: 'cannot be seen' }
    return [
      [
        `${candidate} − ${comparator}`,
        whole(blocks),
        memory.ratio === null ? NO_VALUE : decimal(memory.ratio, 2),
        memory.limit === null ? NO_VALUE : decimal(memory.limit, 2),
        said[`${isFlagged(test)}`],
        probability(test.p),
        probability(memory.p),
      ],
    ]
  })
  return html`${table({
    caption: 'How strong the slow waves of each overall difference are',
    head: [
      'difference',
      'blocks',
      'slow to quick',
      '1 % point',
      'memory of weeks',
      'p',
      'p, ν = 4',
    ],
    left: [4],
    rows,
  })}
<p class="small">Slow to quick: mean square of the cosine waves 1 to 8 over that of all up to half of the blocks. Independent hours exceed the 1 % point in 1 % of windows. It takes 40 blocks to see. It decides nothing.</p>`
}

function hlnTable(tests: readonly ResultTest[]): Markup {
  const rows = tests.flatMap((test): HtmlCell[][] => {
    const { candidate, comparator, measure, horizon, hln } = test
    if (hln === undefined) return []
    return [
      [
        `${candidate} − ${comparator}, ${MEASURE_NAME[measure]}, ${horizonName(HOURLY, horizon)}`,
        probability(test.p),
        hln === null ? NO_VALUE : decimal(hln.statistic, 2),
        hln === null ? NO_VALUE : probability(hln.p),
      ],
    ]
  })
  return html`${table({
    caption: 'The statistic of Harvey, Leybourne and Newbold (1997)',
    head: ['test', 'p of the test', 'statistic', 'its p'],
    rows,
  })}
<p class="small">Known from the literature, and shown for comparison alone: it takes errors at h hours to be independent from h hours on. Where they remember .98 from hour to hour it rejected at 2 h in 18 % of evaluations of equal forecasters, where 5 % are meant (docs/statistics.md). No value: its variance came out negative, or 0. It decides nothing.</p>`
}

/** By which method, and what its first rung asks for. */
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

function footnote(result: AnyResult): string {
  if (result.result_version === 2) {
    return 'ν: degrees of freedom of Student’s t. × w: the weight that remains over that of the test.'
  }
  return methodOf(result) === 'ewc-t'
    ? 'ν: degrees of freedom of Student’s t. × w: the weight that remains over that of the test. Bootstrap: p of the joint moving-block bootstrap, a diagnostic that decides nothing.'
    : 'Intervals are percentiles of the moving-block bootstrap. With few blocks p-values come out too small.'
}

/** The whole family, the tests that decide first. */
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
<p class="small">Difference: mean of candidate minus comparator over the pairs; negative is better${UNIT[result.result_version]}. In grey: the ${nominalIn(result)} interval. Blocks: full stretches of ${blockLength(settings)} that hold a pair. ${footnote(result)}</p>`
}
