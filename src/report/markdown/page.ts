import { printable } from '../../contract/printable.js'
import { type Rivals, relative } from '../../evaluation/result/readings.js'
import type { Result, ResultTest } from '../../evaluation/result/result.js'
import {
  counted,
  formatWhole,
  keepSentences,
  listed,
  percentOfAll,
  signedPercent,
} from '../../output/figures.js'
import { UNSCORED } from '../../pairing/paired-attempt.js'
import { memorySaid, readingsSaid } from '../beside.js'
import { listChainLinks } from '../evidence-chain.js'
import { measureName, measureText } from '../measures.js'
import { NOT_CHECKED, notChecked } from '../not-checked.js'
import {
  BEFORE_YOU_READ,
  beforeYouRead,
  gainOfSilence,
  listCopies,
  measuredSizeIn,
} from '../notes.js'
import { listRemedies, reasonLines } from '../reasons.js'
import { othersSaid, othersTable } from '../registrations.js'
import {
  REQUIREMENT_WORDS,
  requirementCaption,
  requirementHeads,
  shownRequirements,
} from '../requirements.js'
import {
  adjustedPIn,
  blockedBecause,
  blockLength,
  dispositionName,
  familySaid,
  leftOutSentence,
  marks,
  stepName,
  verdictSaid,
  verdictSentence,
  withoutOutcome,
} from '../sentences.js'
import {
  commitmentSentence,
  countForecasts,
  eventTime,
  levelIn,
  READ_AT,
  timeLine,
} from '../time-line.js'
import {
  accountingIn,
  asCounts,
  candidatesIn,
  comparatorsIn,
  lossTest,
  measuresIn,
  methodIn,
  modelsIn,
  overallAndSteps,
  partsIn,
  rivalsIn,
  type Verdict,
  verdictsIn,
} from '../view.js'
import {
  countsSaid,
  primarySaid,
  scalingSaid,
  spreadIn,
  turnedSaid,
  valuesSaid,
  windowSaid,
} from '../window.js'

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

function disposition(all: Result, of: Verdict): string {
  const result = asCounts(all, of.candidate)
  const { shown, rest } = reasonLines(result, of, MANY)
  const item = (line: string) => `- ${plain(line)}`
  const remedies = listRemedies(result, of)
  const further = counted(rest.length, 'further reason')
  const toPlain = (sentence: string | undefined) => sentence && plain(sentence)
  return keepSentences([
    `### ${plain(of.candidate)}: ${dispositionName(all, of)}`,
    plain(verdictSentence(result, of)),
    toPlain(verdictSaid(result, of)),
    toPlain(readingsSaid(all, of.candidate)),
    requirements(result, of.candidate),
    shown.map(item).join('\n'),
    toPlain(memorySaid(result, of.candidate)),
    remedies.length > 0 && `What would unblock it:\n\n${remedies.map(item).join('\n')}`,
    toPlain(leftOutSentence(result, of.candidate)),
    toPlain(gainOfSilence(result, of.candidate)),
    rest.length > 0 && foldedPart(further, rest.map(item).join('\n')),
  ]).join('\n\n')
}

/** What a candidate had to show against each comparator. */
function requirements(result: Result, candidate: string): string {
  const rows = comparatorsIn(result).map((comparator) => [
    comparator,
    ...shownRequirements(result, candidate, comparator).map(({ answer, figure, step }) => {
      const at = step === null ? '' : `, ${stepName(result, step)}`
      return figure === null
        ? REQUIREMENT_WORDS[answer]
        : `${REQUIREMENT_WORDS[answer]} (${figure}${at})`
    }),
  ])
  const caption = plain(`${requirementCaption(result, candidate)}:`)
  return `${caption}\n\n${table(['comparator', ...requirementHeads(result, candidate)], rows, true)}`
}

function testSaid(result: Result, test: ResultTest | undefined): string {
  if (!test) return ''
  if (test.decision === 'blocked') return `blocked: ${blockedBecause(test.blocked_reasons)}`
  const joint = test.by_verdict ? ' (joint test)' : ''
  const p = test.p_adjusted === null ? '' : `, p ${adjustedPIn(result, test.p_adjusted)}${joint}`
  return `${signedPercent(relative(test.observed, test), 2)}${p}`
}

/** One row per candidate and comparator, with their tests in some places. */
function differences(
  result: Result,
  places: readonly string[],
  listTests: (rivals: Rivals) => readonly (ResultTest | undefined)[],
): string {
  const rows = rivalsIn(result).map((rivals) => [
    `${rivals.candidate} − ${rivals.comparator}`,
    ...listTests(rivals).map((test) => testSaid(result, test)),
  ])
  return table(['loss', ...places], rows)
}

/** One row per model, with the means of its scores and the number of its attempts by status. */
function models(result: Result): string {
  const scores = result.settings.rules.scores.map(({ id }) => id)
  const rows = modelsIn(result).map(({ name, role }) => {
    const attempts = accountingIn(result, name, 'overall')
    const counts = UNSCORED.map((status) => formatWhole(attempts?.point[status] ?? 0))
    const means = measuresIn(result, name, 'overall')?.means
    return [
      ...[name, role],
      ...scores.map((id) => measureText(result, id, means?.[id] ?? null)),
      percentOfAll(attempts?.point.scored ?? 0, attempts?.expected ?? 0),
      ...counts,
    ]
  })
  return table(['model', 'role', ...scores.map(measureName), 'scored', ...UNSCORED], rows)
}

/** The order of events, and what the log shows about the forecasts. */
function time(result: Result): string[] {
  const models = result.time?.commitment?.models ?? []
  const events = timeLine(result).map((event) => [event.name, eventTime(event), event.source])
  const counts = models.map((model) => {
    const all = countForecasts(model)
    return [
      model.model,
      percentOfAll(model.committed, all),
      ...[all, model.committed, model.committed_late, model.not_committed, model.withdrawn].map(
        formatWhole,
      ),
    ]
  })
  const head = ['model', 'share in time', 'forecasts', 'in time', 'late', 'not committed']
  return [
    plain(`Time of the registration: ${levelIn(result)}.`),
    ...commitmentSentence(result).map(plain),
    table(['what', 'when', 'who says so'], events, true),
    ...(models.length === 0 ? [] : [table([...head, 'withdrawn'], counts)]),
    READ_AT,
    ...otherRegistrations(result),
  ]
}

/** Other registrations in the ledger; empty if the ledger was not read. */
function otherRegistrations(result: Result): string[] {
  const { registrations } = result
  if (registrations === null) return []
  const { head, rows } = othersTable(registrations)
  const listing = rows.length === 0 ? [] : [table(head, rows, true)]
  return [plain(othersSaid(result, registrations)), ...listing]
}

function cautions(result: Result): string[] {
  const { open, folded } = beforeYouRead(result)
  const quoted = (text: string) => `> ${plain(text)}`
  const first = marks(result).map((mark) => `> **${mark.word}.** ${mark.means}`)
  if (first.length + open.length === 0) return []
  const more = folded.map(quoted).join('\n\n')
  const others = folded.length > 0 ? [foldedPart(`${folded.length} more`, more)] : []
  return [`**${BEFORE_YOU_READ}**`, ...first, ...open.map(quoted), ...others]
}

/**
 * Renders the main parts of a result for a pull request, as Markdown: dispositions, differences, statuses and the
 * chain. The same result gives the same bytes.
 */
export function renderMarkdown(result: Result): string {
  const { inputs } = result
  const steps = overallAndSteps(result)
  const chain = listChainLinks(result).map(
    ([name, says, sha256]) => `- ${plain(name)}: ${plain(says)}\n  \`${sha256 ?? 'none'}\``,
  )
  const both = `${plain(listed(candidatesIn(result)))} against ${plain(listed(comparatorsIn(result)))}`
  return `${[
    `## Evaluation: ${plain(inputs.registration.name)}`,
    ...cautions(result),
    `${both}. ${plain(windowSaid(result))}`,
    plain(valuesSaid(result)),
    ...verdictsIn(result).map((of) => disposition(result, of)),
    `### ${NOT_CHECKED}`,
    notChecked(result)
      .map((text) => `- ${plain(text)}`)
      .join('\n'),
    '### Time',
    ...time(result),
    '### Differences in loss',
    'In per cent of the comparator’s loss, over the pairs that both models have; negative is better. p is adjusted by Holm’s method. Where it is that of the joint test, it covers all overall comparisons of the candidate at once.',
    differences(
      result,
      steps.map((step) => stepName(result, step)),
      (rivals) => steps.map((step) => lossTest(result, rivals, step)),
    ),
    ...listCopies(result).map(plain),
    ...byPart(result),
    ...overSeries(result),
    '### Models',
    plain(`Means of the tested cells; ${primarySaid(result)} decides, and ${scalingSaid(result)}.`),
    models(result),
    ...keepSentences([withoutOutcome(result), countsSaid(result), ...turnedSaid(result)]).map(
      plain,
    ),
    plain(ladderSaid(result)),
    ...keepSentences([sizeSaid(result)]).map(plain),
    foldedPart('Evidence chain', chain.join('\n')),
  ].join('\n\n')}\n`
}

function byPart(result: Result): string[] {
  const parts = partsIn(result)
  if (parts.length === 0) return []
  const labels = parts.map(({ label }) => label)
  const tests = (rivals: Rivals) =>
    parts.map(({ scope }) => lossTest(result, rivals, 'overall', scope))
  return ['### By stratum and group', differences(result, labels, tests)]
}

/** How the differences lie over series; empty for a single one. */
function overSeries(result: Result): string[] {
  const spreads = spreadIn(result)
  if (spreads.length === 0) return []
  const middle = (quantiles: readonly number[]) => quantiles[(quantiles.length - 1) / 2] ?? null
  const rows = spreads.map(({ candidate, comparator, series, worse, quantiles, best, worst }) => [
    `${candidate} − ${comparator}`,
    signedPercent(middle(quantiles), 1),
    `${formatWhole(worse)} of ${formatWhole(series)}`,
    ...[best, worst].map(([first]) =>
      first === undefined ? '' : `${first.series} (${signedPercent(first.difference, 1)})`,
    ),
  ])
  const head = ['loss', 'median', 'worse by more than the limit', 'best', 'worst']
  return ['### Over series', table(head, rows)]
}

function ladderSaid(result: Result): string {
  const { rejected, blocked } = result.reading.family
  return `${familySaid(result)}; ${formatWhole(rejected)} rejected, ${formatWhole(blocked)} blocked; method ${methodIn(result)}. ${counted(result.window.blocks, 'full block')} of ${blockLength(result)} fit into the window.`
}

function sizeSaid(result: Result): string | undefined {
  const size = measuredSizeIn(result)
  return size === undefined ? undefined : `Measured size of the method: ${size}.`
}
