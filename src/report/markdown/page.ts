import { printable } from '../../contract/printable.js'
import { type Rivals, relative } from '../../evaluation/result/readings.js'
import type {
  AnyResult,
  EvaluationResult,
  SeriesEvaluationResult,
} from '../../evaluation/result/types.js'
import {
  counted,
  keepSentences,
  listed,
  percent,
  percentOfAll,
  readableTime,
  signedPercent,
  whole,
} from '../../output/figures.js'
import { STATUSES, type Status, UNSCORED } from '../../pairing/types.js'
import { asCounts, memorySaid, readingsSaid, strongestSaid } from '../beside.js'
import { chainOf } from '../evidence-chain.js'
import {
  BEFORE_YOU_READ,
  beforeYouRead,
  copiesOf,
  gainOfSilence,
  measuredSizeIn,
  scorerIn,
} from '../notes.js'
import { reasonLines, remediesOf } from '../reasons.js'
import { othersSaid, othersTable } from '../registrations.js'
import {
  adjustedPIn,
  blockedBecause,
  blockLength,
  dispositionName,
  horizonName,
  leftOut,
  marks,
  verdict,
  withoutOutcome,
} from '../sentences.js'
import {
  countsSaid,
  primarySaid,
  scalingSaid,
  scoreSaid,
  seriesApart,
  seriesWindowSaid,
  turnedSaid,
} from '../series/words.js'
import {
  commitmentSentence,
  eventTime,
  forecastsOf,
  levelIn,
  READ_AT,
  timeLine,
} from '../time-line.js'
import {
  type AnyDisposition,
  type AnyTest,
  accountingIn,
  candidatesOf,
  comparatorsOf,
  lossTest,
  measuresOf,
  methodOf,
  overallAndHorizons,
  rivalsOf,
} from '../view.js'

/**
 * Escapes a text so that it shows as it is: no emphasis, link, mention, table bar or HTML. Names come from databases,
 * and a comment in a pull request must not notify anyone or break its table.
 */
function plain(text: string): string {
  return printable(text.replace(/[\r\n]+/g, ' '))
    .replace(/[\\`*_{}[\]<>()#+!|~$]/g, (sign) => `\\${sign}`)
    .replaceAll('@', '@\u200b')
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  words = false,
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, index) => (index === 0 || words ? '---' : '---:'))
  return [line(head.map(plain)), line(rule), ...rows.map((row) => line(row.map(plain)))].join('\n')
}

const foldedPart = (summary: string, body: string) =>
  `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`

const MANY = 8

function disposition(all: AnyResult, of: AnyDisposition): string {
  const result = asCounts(all, of.candidate)
  const { shown, rest } = reasonLines(result, of, MANY)
  const item = (line: string) => `- ${plain(line)}`
  const remedies = remediesOf(result, of)
  const further = counted(rest.length, 'further reason')
  const said = (sentence: string | undefined) => sentence && plain(sentence)
  return keepSentences([
    `### ${plain(of.candidate)}: ${dispositionName(result, of)}`,
    said(readingsSaid(all, of.candidate)),
    said(strongestSaid(result, of.candidate)),
    plain(verdict(of)),
    shown.map(item).join('\n'),
    said(memorySaid(result, of.candidate)),
    remedies.length > 0 && plain(`What would unblock it: ${remedies.join(' ')}`),
    said(leftOut(result, of.candidate)),
    said(gainOfSilence(result, of.candidate)),
    rest.length > 0 && foldedPart(further, rest.map(item).join('\n')),
  ]).join('\n\n')
}

function testSaid(result: AnyResult, test: AnyTest | undefined): string {
  if (!test) return ''
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  const p = test.p_adjusted === null ? '' : `, p ${adjustedPIn(result, test.p_adjusted)}`
  return `${signedPercent(relative(test.observed, test), 2)}${p}`
}

/** One row per candidate and comparator, with their tests in some scopes. */
function differences(
  result: AnyResult,
  places: readonly string[],
  testsOf: (rivals: Rivals) => readonly (AnyTest | undefined)[],
): string {
  const rows = rivalsOf(result).map((rivals) => [
    `${rivals.candidate} − ${rivals.comparator}`,
    ...testsOf(rivals).map((test) => testSaid(result, test)),
  ])
  return table(['loss', ...places], rows)
}

/** One row per model, with its figures and the number of its attempts by status. */
function models(
  result: AnyResult,
  heads: readonly string[],
  figuresOf: (model: string) => readonly string[],
  statuses: readonly Status[],
): string {
  const rows = result.models.map(({ name, role }) => {
    const attempts = accountingIn(result, name, 'all')
    const counts = statuses.map((status) => whole(attempts?.point[status] ?? 0))
    return [name, role, ...figuresOf(name), ...counts]
  })
  return table(['model', 'role', ...heads, ...statuses], rows)
}

/** The order of events, and what the log shows about the forecasts. */
function time(result: AnyResult): string[] {
  const models = result.time?.commitment?.models ?? []
  const events = timeLine(result).map((event) => [event.name, eventTime(event), event.source])
  const counts = models.map((model) => {
    const all = forecastsOf(model)
    return [
      model.model,
      percentOfAll(model.committed, all),
      ...[all, model.committed, model.committed_late, model.not_committed, model.withdrawn].map(
        whole,
      ),
    ]
  })
  const head = ['model', 'share in time', 'forecasts', 'in time', 'late', 'not committed']
  return [
    plain(`Time of the registration: ${levelIn(result)}. ${commitmentSentence(result)}`),
    table(['what', 'when', 'who says so'], events, true),
    ...(models.length === 0 ? [] : [table([...head, 'withdrawn'], counts)]),
    READ_AT,
    ...otherRegistrations(result),
  ]
}

/** Other registrations in the ledger; empty if the ledger was not read. */
function otherRegistrations(result: AnyResult): string[] {
  const { registrations } = result
  if (registrations === undefined) return []
  const { head, rows } = othersTable(registrations)
  const listing = rows.length === 0 ? [] : [table(head, rows, true)]
  return [plain(othersSaid(result, registrations)), ...listing]
}

function cautions(result: AnyResult): string[] {
  const { open, folded } = beforeYouRead(result)
  const quoted = (says: string) => `> ${plain(says)}`
  if (open.length === 0) return []
  const more = folded.map(quoted).join('\n\n')
  const others = folded.length > 0 ? [foldedPart(`${folded.length} more`, more)] : []
  return [`**${BEFORE_YOU_READ}**`, ...open.map(quoted), ...others]
}

/**
 * Renders the main parts of a result for a pull request, as Markdown: dispositions, differences, statuses and the
 * chain. The same result gives the same bytes.
 */
export function renderMarkdown(result: AnyResult): string {
  const { settings, inputs } = result
  const horizons = overallAndHorizons(result)
  const chain = chainOf(result).map(
    ([name, says, sha256]) => `- ${plain(name)}: ${plain(says)}\n  \`${sha256 ?? 'none'}\``,
  )
  const both = `${plain(listed(candidatesOf(result)))} against ${plain(listed(comparatorsOf(result)))}`
  return `${[
    `## Evaluation: ${plain(inputs.registration.name)}`,
    ...marks(result).map((mark) => `> **${mark.word}.** ${mark.means}`),
    ...cautions(result),
    result.result_version === 1
      ? `${both}; ${whole(settings.origins)} hourly origins from ${readableTime(settings.from)} to ${readableTime(settings.to)}.`
      : `${both}. ${plain(seriesWindowSaid(result))}`,
    ...result.dispositions.map((of) => disposition(result, of)),
    '### Time',
    ...time(result),
    '### Differences in loss',
    `Relative to the comparator, with Holm-adjusted p-values. Negative is better; at least ${percent(settings.practical_effect_floor)} lower overall is required.`,
    differences(
      result,
      horizons.map((horizon) => horizonName(result, horizon)),
      (rivals) => horizons.map((horizon) => lossTest(result, rivals, horizon)),
    ),
    ...copiesOf(result).map(plain),
    ...(result.result_version === 1 ? hourlyMarkdown(result) : seriesMarkdown(result)),
    foldedPart('Evidence chain', chain.join('\n')),
  ].join('\n\n')}\n`
}

function hourlyMarkdown(result: EvaluationResult): string[] {
  const { settings } = result
  const figuresOf = (model: string) => {
    const cell = accountingIn(result, model, 'all')
    const found = measuresOf(result, model, 'overall')
    return [
      percent(found?.point_loss ?? null, 3),
      percent(found?.interval.coverage ?? null, 1),
      percentOfAll(cell?.point.scored ?? 0, cell?.expected ?? 0),
    ]
  }
  const computed = scorerIn(result).computes.map(({ of, says }) => `- ${plain(of)}: ${plain(says)}`)
  return [
    '### Models',
    models(result, ['loss', 'coverage', 'scored'], figuresOf, UNSCORED),
    ...[withoutOutcome(result) ?? []].flat().map(plain),
    `${familySaid(result)}; ${whole(settings.replicates)} replicates of ${whole(settings.block_length_origins)}-hour blocks, ${whole(settings.blocks_in_window)} of which fit into the window.`,
    `Measured size of the method: ${plain(measuredSizeIn(result))}.`,
    foldedPart('What was computed', computed.join('\n')),
  ]
}

const familySaid = (result: AnyResult) => {
  const { size, rejected, blocked } = result.family
  return `${counted(size, 'registered test')}, ${whole(rejected)} rejected, ${whole(blocked)} blocked; method ${methodOf(result)}`
}

/** Additional parts for any series: groups, scores and other releases. */
function seriesMarkdown(result: SeriesEvaluationResult): string[] {
  const { settings } = result
  const { groups, scores } = settings
  const figuresOf = (model: string) => {
    const found = result.measures.find((of) => of.model === model && of.horizon === 'overall')
    return scores.map((score) => scoreSaid(score, found))
  }
  const byGroup = (rivals: Rivals) =>
    groups.map((group) => lossTest(result, rivals, 'overall', group))
  return [
    ...(groups.length === 0 ? [] : ['### By group', differences(result, groups, byGroup)]),
    '### Models',
    plain(
      `Means of the cells that are tested; ${primarySaid(result)} decides, and ${scalingSaid(result)}.`,
    ),
    models(
      result,
      scores.map(({ id }) => id),
      figuresOf,
      STATUSES,
    ),
    plain(seriesApart(result)),
    ...[countsSaid(result) ?? []].flat(),
    ...turnedSaid(result).map(plain),
    `${familySaid(result)}; ${counted(settings.blocks_in_window, 'full block')} of ${blockLength(settings)} fit into the window.`,
  ]
}
