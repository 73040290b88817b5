import type { AnyResult, EvaluationResult } from '../../../evaluation/result/types.js'
import {
  counted,
  decimal,
  listed,
  percent,
  percentagePoints,
  readableTime,
  whole,
} from '../../../output/figures.js'
import { cautionsOf, measuredSizeIn, scorerIn } from '../../notes.js'
import { blockLength, marks } from '../../sentences.js'
import { seriesWindowSaid } from '../../series/words.js'
import { candidatesOf, comparatorsOf, methodOf, minimumBlocksIn } from '../../view.js'
import { html, type Markup } from '../markup.js'
import { folded, table } from './table.js'

/** Words set before the title of the page and of the window: `Retrospective, exploratory evaluation`. */
export function kindOf(result: AnyResult): string {
  const text = [result.mode, ...(result.exploratory ? ['exploratory'] : []), 'evaluation'].join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What was evaluated, over which time, and what must be known before anything is believed. */
export function headSection(result: AnyResult): Markup {
  return html`<header>
<p class="eyebrow">${kindOf(result)}</p>
<h1>${result.inputs.registration.name}</h1>
<p class="under">${listed(candidatesOf(result).map((model) => model.name))} against ${listed(comparatorsOf(result).map((model) => model.name))}. ${result.result_version === 1 ? windowSaid(result) : seriesWindowSaid(result)}</p>
${marks(result).map(
  (mark) => html`<p class="banner" role="note"><b>${mark.word}.</b> ${mark.means}</p>
`,
)}${cautionsOf(result).map(
  (says) => html`<p class="banner" role="note">${says}</p>
`,
)}</header>`
}

function windowSaid({ settings }: EvaluationResult): string {
  return `${whole(settings.origins)} hourly origins, ${readableTime(settings.from)} to ${readableTime(settings.to)}; outcomes as of ${readableTime(settings.as_of)}.`
}

/** How many blocks the window has, and what few of them mean. */
export function blocksSaid(result: AnyResult): Markup {
  const { blocks_in_window: blocks } = result.settings
  const holds = `The window holds ${blocks < 20 ? 'only ' : ''}${counted(blocks, 'full block')} of ${blockLength(result.settings)}.`
  return blocks < 20
    ? html`<strong>${holds}</strong> ${FEW_BLOCKS[methodOf(result)]} `
    : html`${holds} `
}

const FEW_BLOCKS = {
  'percentile-bootstrap':
    'The block bootstrap with so few blocks rejects true null hypotheses more often than its level says; read every p-value with that in mind.',
  'ewc-t':
    'With so few blocks the cosine test has few degrees of freedom: it finds large differences only.',
} as const

/** `, and 0.8 % for the publication lag`; nothing where none is paid for. */
function lagPaid({ lag_worth: worth = 0 }: EvaluationResult['settings']): string {
  return worth === 0 ? '' : `, and ${percent(worth)} for what the publication lag is worth`
}

export function limitsSection(result: EvaluationResult): Markup {
  const { settings } = result
  return html`<section aria-labelledby="limits">
<h2 id="limits">Limits of this evaluation</h2>
<p>${blocksSaid(result)}One market, one exchange, one stretch of time: what held here need not hold elsewhere. A confidence score of a model is no probability and plays no part.</p>
${table({
  caption: 'What was fixed beforehand',
  head: ['setting', 'value'],
  left: [1],
  rows: [
    [
      'Primary measure',
      'mean absolute log-return error; overall is the unweighted mean of the horizons',
    ],
    ['Horizons', listed(settings.horizons_hours.map((horizon) => `${horizon} h`))],
    [
      'Practical floor',
      `${percent(settings.practical_effect_floor)} relative reduction of the overall loss${lagPaid(settings)}`,
    ],
    ['Regression limit', `${percent(settings.regression_limit)} relative, per horizon`],
    [
      'Direction limit',
      `${percentagePoints(settings.direction_limit)}; moves within ±${settings.direction_epsilon} are not judged`,
    ],
    [
      'Smallest sample',
      `${counted(settings.minimum_pairs, 'pair')} and ${counted(minimumBlocksIn(result), 'effective block')} per test`,
    ],
    [
      'Method',
      methodOf(result) === 'ewc-t'
        ? 'Diebold–Mariano test with an equal-weighted cosine variance (ewc-t), Holm step-down with weights'
        : 'percentile bootstrap, Holm step-down',
    ],
    ['Measured size', measuredSizeIn(result)],
    [
      'Bootstrap',
      `joint paired moving blocks of ${blockLength(settings)}, ${whole(settings.replicates)} replicates, seed ${settings.seed}`,
    ],
    [
      'Family',
      `${counted(result.family.size, 'test')}, Holm step-down at ${decimal(settings.alpha, 3)}`,
    ],
    ['Interval level', percent(settings.interval_level, 0)],
    ['Provenance of inputs', settings.provenance_required ? 'required' : 'not required'],
  ],
})}
<h3>What was computed</h3>
<p>The texts of a protocol are not executed. These definitions are.</p>
${folded(
  'Every definition, with its numbers',
  table({
    caption: 'What the scorer computed',
    head: ['of', 'definition'],
    left: [1],
    rows: scorerIn(result).computes.map(({ of, says }) => [of, says]),
  }),
)}
</section>`
}
