import type { PowerFigures } from '../lint/power/figures.js'
import { REDUCTIONS } from '../lint/power/predict.js'
import { decimal, percent, whole } from '../output/figures.js'
import { simulatedText } from '../report/power/page.js'
import {
  daysText,
  KIND_WORDS,
  powerNotes,
  powerText,
  predictionName,
  reductionText,
  shareText,
} from '../report/power/words.js'
import { columns } from './wording.js'

/** What a plan can find, for a person at a terminal. */
export function powerSummary(figures: PowerFigures): string {
  const { needed, family, simulation } = figures
  const parts = [
    powerNotes(figures).join('\n'),
    [
      `|t| needed in the first step of the ladder (${whole(family.size)} tests, alpha ${family.alpha}):`,
      ...columns([
        ['tests', 'how many', 'share of alpha', 'nu', '|t|'],
        ...needed.map((each) => [
          `${KIND_WORDS[each.tests]}${each.tests === 'strata' ? `, ${each.memory}` : ''}`,
          whole(each.count),
          shareText(each.weight),
          whole(each.degrees_of_freedom),
          `${each.tests === 'strata' ? 'at least ' : ''}${decimal(each.t, 2)}`,
        ]),
      ]),
    ].join('\n'),
    predictionTable(figures),
  ]
  if (simulation !== null) parts.push(simulationTable(figures, simulation))
  return parts.join('\n\n')
}

function predictionTable({ predictions }: PowerFigures): string {
  const heading = (word: string) => REDUCTIONS.map((each) => `${word} ${percent(each, 0)}`)
  return [
    'Overall point loss, by the correlation of the errors of candidate and comparator:',
    ...columns([
      ['correlation', 'found with 80 %', ...heading('power for'), ...heading('days for')],
      ...predictions.map((each) => [
        predictionName(each),
        reductionText(each.smallest_reduction),
        ...each.power.map(({ power }) => powerText(power)),
        ...each.days_needed.map(({ days }) => daysText(days)),
      ]),
    ]),
  ].join('\n')
}

function simulationTable(
  { predictions }: PowerFigures,
  { counts, shard, evaluations }: NonNullable<PowerFigures['simulation']>,
): string {
  const part = shard === null ? '' : `, shard ${shard.index} of ${shard.of} alone`
  return [
    `Simulated on windows of the closes (${whole(evaluations)} evaluations${part}; 95 % intervals):`,
    ...columns([
      ['found', ...REDUCTIONS.map((each) => percent(each, 0))],
      ...predictions.map((each, at) => [
        predictionName(each),
        ...counts.power[at]!.map(simulatedText),
      ]),
    ]),
    'Something rejected although all forecasters are equal:',
    ...columns([
      ['among all tests', simulatedText(counts.size.any)],
      ['among deciding tests', simulatedText(counts.size.deciding)],
    ]),
  ].join('\n')
}
