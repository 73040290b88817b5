import type { EvaluationResult, ResultTest } from '../../../evaluation/result/types.js'
import { smallestP } from '../../../inference/holm.js'
import { counted, decimal, decimalNotZero, probability, whole } from '../../../output/figures.js'
import { partName } from '../../reason-words.js'
import {
  blockedBecause,
  horizonName,
  leastAdjustedP,
  MEASURE_NAME,
  stratumName,
} from '../../sentences.js'
import { candidatesOf, ladderOf, methodOf, nominalIn, orderIn, toneOf } from '../../view.js'
import { drawnFigure } from '../charts/figure.js'
import { ladderFigure } from '../charts/ladder.js'
import { html, type Markup } from '../markup.js'
import { besideTables } from './beside.js'
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

function difference(test: ResultTest): HtmlCell {
  const { bounds } = test
  const interval =
    bounds &&
    html`<br><span class="muted">${shareOrLoss(test.measure, bounds.lower)} … ${shareOrLoss(test.measure, bounds.upper)}</span>`
  return html`${shareOrLoss(test.measure, test.observed)}${interval}`
}

function decision(test: ResultTest): HtmlCell {
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  if (test.decision === 'not_rejected') return 'stands'
  if (test.by_verdict) return html`<b>rejected</b>, better, by the verdict hypothesis`
  if (test.measure === 'coverage') return html`<b>rejected</b>, differs`
  return html`<b>rejected</b>, ${toneOf(test) === 'good' ? 'better' : 'worse'}`
}

/** What the cosine test says besides; nothing for the bootstrap. */
const EWC_HEAD = ['ν', 'bootstrap p']

function ewcCells(test: ResultTest): HtmlCell[] {
  if (test.degrees_of_freedom === undefined) return []
  const { degrees_of_freedom: nu, bootstrap } = test
  return [nu === null ? '' : whole(nu), bootstrap ? probability(bootstrap.p) : '']
}

function row(test: ResultTest, named: boolean): HtmlCell[] {
  const pair = named ? `${test.candidate} − ${test.comparator}` : `− ${test.comparator}`
  const where = test.stratum === 'all' ? '' : `, ${stratumName(test.stratum)}`
  return [
    `${pair}, ${MEASURE_NAME[test.measure]}, ${horizonName(test.horizon)}${where}`,
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

function multiplier({ multiplier: found, weight }: ResultTest): string {
  if (found === null) return ''
  return weight === undefined ? whole(found) : decimal(found, 1)
}

function ladderTable(caption: string, tests: readonly ResultTest[], named = true): Markup {
  const rows = tests.map((test) => row(test, named))
  const ewc = tests.some((test) => test.degrees_of_freedom !== undefined)
  const head = ewc ? [...HEAD.map((name) => (name === '× m' ? '× w' : name)), ...EWC_HEAD] : HEAD
  return table({ caption, head, left: [8], compact: true, rows })
}

/** The tests that decide, one fold per candidate; the overall ones come open before them. */
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

/** The verdict hypotheses with all their parts; nothing where a registration has none. */
function hypotheses({ verdicts = [] }: EvaluationResult): Markup | false {
  const rows = verdicts.map((one): HtmlCell[] => [
    one.candidate,
    probability(one.p),
    one.rank === null ? '' : whole(one.rank),
    one.multiplier === null ? '' : decimal(one.multiplier, 1),
    one.p_adjusted === null ? '' : adjusted(one.p_adjusted),
    VERDICT_DECISION[one.decision],
  ])
  const parts = verdicts.flatMap((one) =>
    one.parts.map((part): HtmlCell[] => [
      `${one.candidate} − ${part.comparator}, ${partName(part)}`,
      shareOrLoss(part.measure, part.observed),
      shareOrLoss(part.measure, part.limit),
      probability(part.p),
    ]),
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

/** By which method, and what its first rung asks for. */
function how(result: EvaluationResult): Markup {
  const { family, settings } = result
  const first = settings.alpha / Math.max(1, family.size)
  const { inference } = settings
  if (inference?.method === 'ewc-t') {
    const { verdict, deciding, other } = inference.weights
    const verdicts =
      verdict === undefined ? '' : `The verdict hypotheses share the weight ${verdict}. `
    return html`Method: Diebold–Mariano test with an equal-weighted cosine variance (<code>ewc-t</code>). ${verdicts}The deciding tests share the weight ${deciding} in equal parts, all others ${other}; a test is placed by p over its weight.`
  }
  const smallest = smallestP(settings.replicates)
  return html`With ${whole(settings.replicates)} replicates no p-value can be smaller than ${probability(smallest)}; the first rung asks for ${probability(first)}, and no adjusted p can be smaller than ${probability(leastAdjustedP(result))}.${
    smallest > first &&
    html` <strong>So many tests with so few replicates can never reject anything.</strong>`
  }`
}

function footnote(result: EvaluationResult): string {
  return methodOf(result) === 'ewc-t'
    ? 'ν: degrees of freedom of Student’s t. × w: the weight that remains over that of the test. Bootstrap: p of the joint moving-block bootstrap, a diagnostic that decides nothing.'
    : 'Intervals are percentiles of the moving-block bootstrap. With few blocks p-values come out too small.'
}

/** The whole family, the tests that decide first. */
export function ladderSection(result: EvaluationResult): Markup {
  const ladder = ladderOf(result)
  const { family, settings } = result
  return html`<section aria-labelledby="ladder">
<h2 id="ladder">Every test, and Holm’s correction</h2>
<p>${counted(family.size, 'test was', 'tests were')} registered by name; ${whole(family.rejected)} rejected, ${whole(family.blocked)} blocked. ${how(result)}</p>
${drawnFigure(ladderFigure(result))}
${hypotheses(result)}${deciding(
  result,
  ladder.filter((test) => test.decides),
)}
${besideTables(result)}${folded(`The whole ladder: ${counted(ladder.length, 'test')}`, ladderTable(`The whole ladder, in ${orderIn(result)}`, ladder))}
<p class="small">Difference: mean of candidate minus comparator over the pairs; negative is better, except for coverage, which has no better side. Per cent of log return; for direction and coverage percentage points. In grey: the ${nominalIn(result)} interval. Blocks: full stretches of ${counted(settings.block_length_origins, 'hour')} that hold a pair. ${footnote(result)}</p>
</section>`
}
