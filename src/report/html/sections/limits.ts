import type { Result } from '../../../evaluation/result/result.js'
import {
  counted,
  decimal,
  formatWhole,
  keepSentences,
  listed,
  percent,
  percentagePoints,
} from '../../../output/figures.js'
import { listDefinitions } from '../../definitions/definitions.js'
import { measuredSizeIn } from '../../notes.js'
import { blockLength, familySaid, stepsSaid } from '../../sentences.js'
import {
  directionIn,
  isHourlyCloses,
  isHours,
  methodIn,
  minimumBlocksIn,
  stepsIn,
} from '../../view.js'
import { requiredSaid } from '../../waiting.js'
import { primarySaid, releaseSaid, scalingSaid } from '../../window.js'
import { folded, html, type Markup } from '../markup.js'
import { renderTable } from './table.js'

const FEW_BLOCKS = {
  'percentile-bootstrap':
    'With so few, the block bootstrap rejects true null hypotheses more often than its level says.',
  'ewc-t':
    'With so few, the cosine test has few degrees of freedom and finds large differences only.',
} as const

/** Below this number a window finds little. */
const FEW = 20

/** The number of blocks in the window, and what a small number means. */
function blocksSaid(result: Result): Markup {
  const { blocks } = result.window
  const few = blocks < FEW
  const holds = `The window holds ${few ? 'only ' : ''}${counted(blocks, 'full block')} of ${blockLength(result)}.`
  return few
    ? html`<p><strong>${holds}</strong> ${FEW_BLOCKS[methodIn(result)]}</p>`
    : html`<p>${holds}</p>`
}

type Row = readonly [setting: string, value: string]

function settingsIn(result: Result): Row[] {
  const { rules, provenance_required: provenance } = result.settings
  const { limits, dependence, forecast, test } = rules
  const direction = directionIn(result)
  const size = measuredSizeIn(result)
  const out = keepSentences([
    `${percent(limits.availability)} of the outcomes of a step`,
    `${percent(limits.availability_stratum)} of a series or a level of a stratum`,
  ])
  const method =
    test.method === 'ewc-t'
      ? 'Diebold–Mariano test with an equal-weighted cosine variance (ewc-t) over origins, Holm step-down with weights'
      : `percentile bootstrap of joint paired moving blocks of ${blockLength(result)}, ${formatWhole(test.replicates)} replicates, seed ${test.seed}; Holm step-down`
  return [
    ['Value that counts', releaseSaid(rules.outcome.release)],
    ['Zone of dates', rules.zone],
    ['Steps', stepsSaid(stepsIn(result), isHours(result))],
    ['Levels', listed(forecast.levels)],
    ['Score that decides', `${primarySaid(result)}; ${scalingSaid(result)}`],
    ['Scores', rules.scores.map((of) => `${of.id}: ${of.kind.replaceAll('_', ' ')}`).join('; ')],
    ['Required improvement of the overall loss', requiredSaid(result)],
    ['Limit of harm', `${percent(limits.harm)} relative, per step`],
    ...(direction !== undefined && limits.direction !== null
      ? [
          [
            'Direction limit',
            `${percentagePoints(limits.direction)}; moves within ±${direction.epsilon} are not judged`,
          ] as const,
        ]
      : []),
    ...(out.length > 0 ? [['May be left out', out.join(', ')] as const] : []),
    [
      'Smallest sample',
      `${counted(dependence.minimum_pairs, 'pair')} and ${counted(minimumBlocksIn(result), 'block')} of ${blockLength(result)} in every cell of a test`,
    ],
    ['Method', method],
    ...(size === undefined ? [] : [['Measured size', size] as const]),
    ['Family', `${familySaid(result)}; Holm step-down at ${decimal(rules.alpha, 3)}`],
    ['Provenance of inputs', provenance ? 'required' : 'not required'],
  ]
}

/** The scope of a result, and what the registration fixed. */
export function limitsSection(result: Result): Markup {
  const { lines } = result.cells
  const { origins } = result.window
  const reach = isHourlyCloses(result)
    ? 'One market, one exchange, one stretch of time: what held here need not hold elsewhere. A confidence score of a model is no probability and plays no part.'
    : `${counted(lines, 'cell')} at ${counted(origins, 'origin')} are not ${formatWhole(lines * origins)} observations. What held for these series, in this stretch of time, need not hold elsewhere.`
  const caption = 'What was fixed beforehand'
  const rows = settingsIn(result)
  return html`${blocksSaid(result)}
<p>${reach}</p>
${folded(caption, renderTable({ caption, head: ['setting', 'value'], left: [1], rows }), 'printed')}${definitions(result)}`
}

/** Those of hourly closes, whose protocol states them in texts; other protocols state them in members. */
function definitions(result: Result): Markup | false {
  if (!isHourlyCloses(result)) return false
  const { settings, registrations } = result
  const { rules } = settings
  const alpha = registrations?.protocol_alpha ?? rules.alpha
  const defined = listDefinitions({ ...settings, rules: { ...rules, alpha } })
  const rows = defined.map(({ of, text }) => [of, text])
  const caption = 'What was computed'
  return html`
<h3>What was computed</h3>
<p>The texts of a protocol are not executed. These definitions are.</p>
${folded('Every definition, with its numbers', renderTable({ caption, head: ['of', 'definition'], left: [1], rows }))}`
}
