import type { PowerFigures, SimulatedShare } from '../../lint/power/figures.js'
import { REDUCTIONS } from '../../lint/power/predict.js'
import { wilsonInterval } from '../../lint/power/simulate.js'
import { decimal, percent, whole } from '../../output/figures.js'
import {
  daysText,
  foundText,
  KIND_WORDS,
  neededShare,
  powerText,
  predictionName,
  reductionText,
} from './words.js'

/** A table of a page, or of a terminal. */
export interface PowerTable {
  readonly caption: string
  readonly head: readonly string[]
  /** The first cell of a row names the row. */
  readonly rows: readonly (readonly string[])[]
}

const reductions = (word = '') => REDUCTIONS.map((each) => `${word}${percent(each, 0)}`)

/** What each kind of test has to exceed. */
export function neededTable({ needed, family }: PowerFigures): PowerTable {
  return {
    caption: `|t| needed in the first step of the ladder: ${whole(family.size)} tests, α ${family.alpha}`,
    head: ['tests', 'how many', 'share of α each', 'degrees of freedom', '|t| needed'],
    rows: needed.map((each) => [
      `${KIND_WORDS[each.tests]}${each.tests === 'strata' ? ` (${each.memory === 'days' ? 'intervals' : 'point loss and direction'})` : ''}`,
      whole(each.count),
      neededShare(each),
      whole(each.degrees_of_freedom),
      `${each.tests === 'strata' ? 'at least ' : ''}${decimal(each.t, 2)}`,
    ]),
  }
}

/** What the planned window finds, and the days that a reduction needs. */
export function foundTable(figures: PowerFigures): PowerTable {
  return {
    caption: `${foundText(figures)}, by the correlation of the errors of candidate and comparator`,
    head: [
      'correlation',
      'found with 80 %',
      ...reductions('power for '),
      ...reductions('days for '),
    ],
    rows: figures.predictions.map((each) => [
      predictionName(each),
      reductionText(each.smallest_reduction),
      ...each.power.map(({ power }) => powerText(power)),
      ...each.days_needed.map(({ days }) => daysText(days)),
    ]),
  }
}

/** What simulated evaluations found; none where none were simulated. */
export function simulatedTables({ predictions, simulation }: PowerFigures): PowerTable[] {
  if (simulation === null) return []
  const { counts, shard, evaluations } = simulation
  const part = shard === null ? '' : `, shard ${shard.index} of ${shard.of} alone`
  return [
    {
      caption: `Found on windows of the closes, by true reduction (${whole(evaluations)} evaluations${part}; Wilson’s 95 % intervals)`,
      head: ['correlation', ...reductions()],
      rows: predictions.map((each, at) => [
        predictionName(each),
        ...counts.power[at]!.map(simulatedText),
      ]),
    },
    {
      caption: 'Something rejected although all forecasters are equal',
      head: ['among', 'share of evaluations'],
      rows: [
        ['all tests', simulatedText(counts.size.any)],
        ['deciding tests', simulatedText(counts.size.deciding)],
      ],
    },
  ]
}

/** A share with its interval: `4.2 % (3.1 to 5.6)`. */
function simulatedText(tally: SimulatedShare): string {
  if (tally.of === 0) return 'none simulated'
  const [low, high] = wilsonInterval(tally)
  return `${percent(tally.hits / tally.of, 1)} (${decimal(100 * low, 1)} to ${decimal(100 * high, 1)})`
}
