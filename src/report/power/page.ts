import { VERSION } from '../../contract/generated/version.js'
import type { PowerFigures, SimulatedShare } from '../../lint/power/figures.js'
import { REDUCTIONS } from '../../lint/power/predict.js'
import { wilsonInterval } from '../../lint/power/simulate.js'
import { counted, decimal, percent, readableTime, whole } from '../../output/figures.js'
import { drawnFigure } from '../html/charts/figure.js'
import { htmlPage } from '../html/document.js'
import { html, type Markup } from '../html/markup.js'
import { table } from '../html/sections/table.js'
import { powerFigure } from './chart.js'
import {
  daysText,
  foundText,
  KIND_WORDS,
  neededShare,
  powerNotes,
  powerText,
  predictionName,
  reductionText,
} from './words.js'

/** Power as one page that needs nothing else. The same figures give the same bytes. */
export function powerPage(figures: PowerFigures): string {
  const { plan, window, simulation } = figures
  const title = `${plan.name}: what this plan can find`
  return htmlPage({
    title,
    generator: `foreproof ${VERSION}`,
    header: html`<p class="eyebrow">Before registration</p>
<h1>${title}</h1>
<p class="under">${counted(window.origins, 'hourly origin')}, ${readableTime(window.from)} to ${readableTime(window.to)}: ${counted(window.blocks, 'block')}.</p>
`,
    parts: [
      ['find', '', 'What the planned window finds', findSection(figures)],
      ['windows', '', 'Windows of other lengths', drawnFigure(powerFigure(figures))],
      ['needed', '', 'What each test needs', neededSection(figures)],
      ...(simulation === null
        ? []
        : [['simulated', '', 'Simulated', simulated(figures, simulation)] as const]),
      ['basis', '', 'What it rests on', basisSection(figures)],
    ],
    footer: html`Made by foreproof ${VERSION} for the plan <code>${plan.sha256}</code>.`,
  })
}

function findSection(figures: PowerFigures): Markup {
  return html`<ul class="reasons">${powerNotes(figures).map((note) => html`<li>${note}</li>`)}</ul>
${table({
  caption: foundText(figures),
  head: [
    'correlation of errors',
    'smallest reduction found with 80 %',
    ...REDUCTIONS.map((reduction) => `power for ${percent(reduction, 0)}`),
  ],
  rows: figures.predictions.map((each) => [
    predictionName(each),
    reductionText(each.smallest_reduction),
    ...each.power.map(({ power }) => powerText(power)),
  ]),
})}
${table({
  caption: 'Days that a window needs to find a reduction with 80 %',
  head: ['correlation of errors', ...REDUCTIONS.map((reduction) => percent(reduction, 0))],
  rows: figures.predictions.map((each) => [
    predictionName(each),
    ...each.days_needed.map(({ days }) => daysText(days)),
  ]),
})}
<p>${figures.verdict === undefined ? 'Of one comparator. To be found eligible, a candidate has to be better than all that are required, and meet every other condition of the protocol: the chance of that is smaller.' : 'Of one candidate. Not drawn are forecasts that are left out, and what would block: they make the chance smaller.'}</p>`
}

function neededSection({ needed, family }: PowerFigures): Markup {
  return html`${table({
    caption: `|t| needed in the first step of the ladder: ${whole(family.size)} tests, α ${family.alpha}`,
    head: ['tests', 'how many', 'share of α each', 'degrees of freedom', '|t| needed'],
    rows: needed.map((each) => [
      `${KIND_WORDS[each.tests]}${each.tests === 'strata' ? ` (${each.memory === 'days' ? 'intervals' : 'point loss and direction'})` : ''}`,
      whole(each.count),
      neededShare(each),
      whole(each.degrees_of_freedom),
      `${each.tests === 'strata' ? 'at least ' : ''}${decimal(each.t, 2)}`,
    ]),
  })}
<p>${family.weights.verdict !== undefined && `The verdict hypotheses share ${percent(family.weights.verdict, 0)} of α. `}${whole(family.deciding)} tests decide; they share ${percent(family.weights.deciding, 0)} of α, all others ${percent(family.weights.other, 0)}. A level of a stratum has fewer blocks than the window, so its tests need more.</p>`
}

function simulated(
  { predictions }: PowerFigures,
  { counts, shard, evaluations }: NonNullable<PowerFigures['simulation']>,
): Markup {
  const part = shard === null ? '' : ` Shard ${shard.index} of ${shard.of} of them alone.`
  return html`<p>${counted(evaluations, 'evaluation')} on windows of the closes, with Wilson’s 95 % intervals.${part}</p>
${table({
  caption: 'Found, by true reduction',
  head: ['correlation of errors', ...REDUCTIONS.map((reduction) => percent(reduction, 0))],
  rows: predictions.map((each, at) => [
    predictionName(each),
    ...counts.power[at]!.map((tally) => simulatedText(tally)),
  ]),
})}
${table({
  caption: 'Something rejected although all forecasters are equal',
  head: ['among', 'share of evaluations'],
  rows: [
    ['all tests', simulatedText(counts.size.any)],
    ['deciding tests', simulatedText(counts.size.deciding)],
  ],
})}`
}

/** A share with its interval: `4.2 % (3.1 to 5.6)`. */
export function simulatedText(tally: SimulatedShare): string {
  if (tally.of === 0) return 'none simulated'
  const [low, high] = wilsonInterval(tally)
  return `${percent(tally.hits / tally.of, 1)} (${decimal(100 * low, 1)} to ${decimal(100 * high, 1)})`
}

function basisSection({ comparators, outcomes, protocol, seed }: PowerFigures): Markup {
  return html`${table({
    caption: 'Comparators before the window',
    head: ['comparator', 'mean absolute log-return error'],
    rows: comparators.map(({ name, mean_loss }) => [name, percent(mean_loss, 3)]),
  })}
<p>Closes of the vintage ${outcomes.vintage_id}, ${readableTime(outcomes.from)} to ${readableTime(outcomes.to)}, protocol ${protocol.version}, seed ${seed}. A made candidate errs as the comparator does in the share that the correlation says; the rest of its error is that of persistence had the price gone up or down by chance at every hour. So it has the market’s volatility and its fat tails.</p>`
}
