import type { PowerFigures } from '../../lint/power/figures.js'
import { REDUCTIONS } from '../../lint/power/predict.js'
import { decimal, formatWhole, percent } from '../../output/figures.js'
import {
  daysText,
  foundText,
  KIND_WORDS,
  neededShare,
  powerText,
  predictionName,
  reductionText,
} from './words.js'

/** A table for a terminal. */
export interface PowerTable {
  readonly caption: string
  readonly head: readonly string[]
  /** The first cell of a row names the row. */
  readonly rows: readonly (readonly string[])[]
}

const reductions = (word = '') => REDUCTIONS.map((each) => `${word}${percent(each, 0)}`)

/** The |t| that each kind of test has to exceed. */
export function neededTable({ needed, family }: PowerFigures): PowerTable {
  return {
    caption: `|t| needed in the first step of the ladder: ${formatWhole(family.size)} tests, α ${family.alpha}`,
    head: ['tests', 'how many', 'share of α each', 'degrees of freedom', '|t| needed'],
    rows: needed.map((each) => [
      `${KIND_WORDS[each.tests]}${each.tests === 'strata' ? ` (${each.memory === 'days' ? 'intervals' : 'point loss and direction'})` : ''}`,
      formatWhole(each.count),
      neededShare(each),
      formatWhole(each.degrees_of_freedom),
      `${each.tests === 'strata' ? 'at least ' : ''}${decimal(each.t, 2)}`,
    ]),
  }
}

/** What the planned window finds, and the days needed for a reduction. */
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
