import type {
  EvaluationResult,
  ModelMeasures,
  ResultTest,
} from '../../../evaluation/result/types.js'
import { decimal, percent, probability, whole } from '../../../output/figures.js'
import { hasVerdict } from '../../../registration/family.js'
import { QUANTILE_NAMES } from '../../../scoring/below.js'
import { isFlagged } from '../../beside.js'
import { HOURLY, horizonName, MEASURE_NAME } from '../../sentences.js'
import { measuresOf, nominalIn } from '../../view.js'
import { html, type Markup } from '../markup.js'
import { folded, type HtmlCell, perModelAndHorizon, table } from './table.js'

const NO_VALUE = 'no value'

/** What is shown beside the tests that decide; nothing without verdict hypotheses. */
export function besideTables({ tests, settings }: EvaluationResult): Markup | false {
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

/** The share of outcomes below each quantile; nothing without verdict hypotheses. */
export function reliabilityTable(result: EvaluationResult): Markup | false {
  const { settings } = result
  const rows = perModelAndHorizon(result, settings.horizons_hours, (model, horizon) => {
    const below = measuresOf(result, model, horizon)?.below
    return below && QUANTILE_NAMES.map((quantile) => shareBelow(below[quantile]))
  })
  return (
    hasVerdict(settings) &&
    html`${table({
      caption: 'Quantile reliability: share of the outcomes below each quantile',
      head: ['model', 'horizon', 'below 10 %', 'below 50 %', 'below 90 %'],
      left: [1],
      rows,
    })}
<p class="small">A reliable quantile has that share of the outcomes below it. In grey: the ${nominalIn(result)} cosine-test interval of each by itself. Diagnostic; it does not decide.</p>`
  )
}

type Below = NonNullable<ModelMeasures['below']>['0.1']

function shareBelow({ share, bounds }: Below): HtmlCell {
  return html`${percent(share, 1)}${
    bounds &&
    html`<br><span class="muted">${percent(bounds.lower, 1)} … ${percent(bounds.upper, 1)}</span>`
  }`
}
