import type {
  AnyResult,
  EvaluationResult,
  SeriesEvaluationResult,
} from '../../../evaluation/result/types.js'
import {
  counted,
  decimal,
  listed,
  percent,
  percentagePoints,
  whole,
} from '../../../output/figures.js'
import { measuredSizeIn, scorerIn } from '../../notes.js'
import { blockLength } from '../../sentences.js'
import { releaseSaid } from '../../series/words.js'
import { methodOf, minimumBlocksIn } from '../../view.js'
import { waitingWorth } from '../../waiting.js'
import { folded, html, type Markup } from '../markup.js'
import { table } from './table.js'

const FEW_BLOCKS = {
  'percentile-bootstrap':
    'The block bootstrap with so few blocks rejects true null hypotheses more often than its level says; read every p-value with that in mind.',
  'ewc-t':
    'With so few blocks the cosine test has few degrees of freedom: it finds large differences only.',
} as const

/** The number of blocks in the window, and what a small number means. */
function blocksSaid(result: AnyResult): Markup {
  const { blocks_in_window: blocks } = result.settings
  const holds = `The window holds ${blocks < 20 ? 'only ' : ''}${counted(blocks, 'full block')} of ${blockLength(result.settings)}.`
  return blocks < 20
    ? html`<strong>${holds}</strong> ${FEW_BLOCKS[methodOf(result)]} `
    : html`${holds} `
}

type Settings = Readonly<Record<string, string>>

function hourlySettings(result: EvaluationResult): Settings {
  const { settings } = result
  return {
    'Primary measure':
      'mean absolute log-return error; overall is the unweighted mean of the horizons',
    Horizons: listed(settings.horizons_hours.map((horizon) => `${horizon} h`)),
    'Practical floor': floorSaid(result),
    'Regression limit': `${percent(settings.regression_limit)} relative, per horizon`,
    'Direction limit': `${percentagePoints(settings.direction_limit)}; moves within ±${settings.direction_epsilon} are not judged`,
    'Smallest sample': `${counted(settings.minimum_pairs, 'pair')} and ${counted(minimumBlocksIn(result), 'effective block')} per test`,
    Method:
      methodOf(result) === 'ewc-t'
        ? 'Diebold–Mariano test with an equal-weighted cosine variance (ewc-t), Holm step-down with weights'
        : `percentile bootstrap of joint paired moving blocks of ${blockLength(settings)}, ${whole(settings.replicates)} replicates, seed ${settings.seed}; Holm step-down`,
    'Measured size': measuredSizeIn(result),
    Family: familySaid(result),
    'Interval level': percent(settings.interval_level, 0),
    'Provenance of inputs': provenanceSaid(result),
  }
}

function seriesSettings(result: SeriesEvaluationResult): Settings {
  const { settings } = result
  const { availability_limit: all, availability_limit_series: one } = settings
  return {
    'Value that counts': releaseSaid(settings.release),
    'Zone of dates': settings.zone,
    Levels: listed(settings.levels),
    Scores: settings.scores.map((of) => `${of.id}: ${of.kind.replaceAll('_', ' ')}`).join('; '),
    Scaling: settings.scaling,
    'Practical floor': floorSaid(result),
    'Regression limit': `${percent(settings.regression_limit)} relative, per step`,
    ...(settings.direction_limit !== undefined && {
      'Direction limit': percentagePoints(settings.direction_limit),
    }),
    'May be left out': `${percent(all)} of the outcomes of a step, ${percent(one)} of a series`,
    'Smallest sample': `${counted(settings.minimum_pairs, 'pair')} and ${counted(settings.minimum_blocks, 'block')} of ${blockLength(settings)} in every cell of a test`,
    Method:
      'Diebold–Mariano test with an equal-weighted cosine variance (ewc-t) over origins, Holm step-down with weights',
    'Provenance of inputs': provenanceSaid(result),
    Family: familySaid(result),
  }
}

const floorSaid = (result: AnyResult) => {
  const worth = waitingWorth(result)
  const charged = worth === undefined ? '' : `, and what waiting is worth: ${worth}`
  return `${percent(result.settings.practical_effect_floor)} relative reduction of the overall loss${charged}`
}
const familySaid = ({ family, settings }: AnyResult) =>
  `${counted(family.size, 'test')}, Holm step-down at ${decimal(settings.alpha, 3)}`
const provenanceSaid = ({ settings }: AnyResult) =>
  settings.provenance_required ? 'required' : 'not required'

/** The scope of a result, and what the registration fixed. */
export function limitsSection(result: AnyResult): Markup {
  const hourly = result.result_version === 1
  const reach = hourly
    ? 'One market, one exchange, one stretch of time: what held here need not hold elsewhere. A confidence score of a model is no probability and plays no part.'
    : `${counted(result.cells.length, 'cell')} at ${counted(result.settings.origins, 'origin')} are not ${whole(result.cells.length * result.settings.origins)} observations. What held for these series, in this stretch of time, need not hold elsewhere.`
  return html`<p>${blocksSaid(result)}${reach}</p>
${folded(
  'What was fixed beforehand',
  table({
    caption: 'What was fixed beforehand',
    head: ['setting', 'value'],
    left: [1],
    rows: Object.entries(hourly ? hourlySettings(result) : seriesSettings(result)),
  }),
  'printed',
)}${hourly && definitions(result)}`
}

function definitions(result: EvaluationResult): Markup {
  const rows = scorerIn(result).computes.map(({ of, says }) => [of, says])
  const caption = 'What the scorer computed'
  return html`
<h3>What was computed</h3>
<p>The texts of a protocol are not executed. These definitions are.</p>
${folded('Every definition, with its numbers', table({ caption, head: ['of', 'definition'], left: [1], rows }))}`
}
