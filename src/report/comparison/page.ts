import { VERSION } from '../../contract/generated/version.js'
import type { Horizon, ResultStratum } from '../../evaluation/result/types.js'
import { counted, listed, percentOf, readableTime, whole } from '../../output/figures.js'
import { STATUSES } from '../../pairing/types.js'
import { asCounts } from '../beside.js'
import { drawnFigure, shortened } from '../html/charts/figure.js'
import { htmlPage } from '../html/document.js'
import { html, lines, type Markup } from '../html/markup.js'
import { chainList } from '../html/sections/chain.js'
import { kindOf } from '../html/sections/head.js'
import { folded, table } from '../html/sections/table.js'
import { requirementCells } from '../html/sections/verdict.js'
import { reasonLines } from '../reasons.js'
import { REQUIREMENTS } from '../requirements.js'
import { dispositionName, stratumName } from '../sentences.js'
import { levelIn } from '../time-line.js'
import { accountingIn, candidatesOf, comparatorsOf, strataLevels } from '../view.js'
import { differencesFigure, lossesFigure } from './charts.js'
import { type Disagreement, disagreementsOf, repeatedIn } from './comparable.js'
import { type Compared, horizonsOf } from './compared.js'

const SAME = 'Protocol, window, outcomes and horizons are the same in all.'

/** Several evaluations on one page that needs nothing else. The same results give the same bytes. */
export function comparisonPage(all: readonly Compared[]): string {
  const title = `${counted(all.length, 'evaluation')} side by side`
  return htmlPage({
    title,
    generator: `foreproof ${VERSION}`,
    skip: ['comparable', 'what can be compared'],
    header: html`<p class="eyebrow">Comparison</p>
<h1>${title}</h1>
<p class="under">Drawn from the results, which were not audited. Each disposition is that of its own registration; nothing here decides anew, and nothing is corrected for there being several evaluations.</p>
${warnings(all)}`,
    parts: [
      ['evaluations', 'Evaluations', 'The evaluations', evaluations(all)],
      ['comparable', 'Comparable?', 'What can be compared', comparable(all)],
      ['verdicts', 'Dispositions', 'Dispositions', verdicts(all)],
      ['criteria', 'Criteria', 'Criteria side by side', criteria(all)],
      ['differences', 'Differences', 'Differences in loss', differences(all)],
      ['losses', 'Losses', 'Loss of each model', losses(all)],
      ['attempts', 'Attempts', 'How the expected attempts ended', attempts(all)],
      ['evidence', 'Evidence', 'What each rests on', evidence(all)],
    ],
    footer: html`Made by foreproof ${VERSION}.`,
  })
}

function evaluations(all: readonly Compared[]): Markup {
  return table({
    caption: 'In the order in which they were named',
    head: ['evaluation', 'kind', 'protocol', 'window', 'registered', 'folder'],
    left: [1, 2, 3, 4, 5],
    rows: all.map((one) => {
      const { inputs, settings } = one.result
      return [
        ...[one.label, kindOf(one.result), inputs.protocol.version],
        `${readableTime(settings.from)} to ${readableTime(settings.to)}`,
        `${readableTime(inputs.registration.registered_at)}; time ${levelIn(one.result)}`,
        one.folder,
      ]
    }),
  })
}

/** `evaluations 1 and 3`. */
const numbered = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'evaluation' : 'evaluations'} ${listed(numbers.map(String))}`

/** What must be known before any figure is held against another. */
function warnings(all: readonly Compared[]): Markup {
  const banner = (word: string, says: string) =>
    html`<p class="banner" role="note"><b>${word}.</b> ${says}</p>\n`
  return html`${repeatedIn(all).map((numbers) =>
    banner(
      'The same result',
      `The ${numbered(numbers)} are one result: that they agree says nothing.`,
    ),
  )}${disagreementsOf(all).map(
    ({ what, spoils }) =>
      spoils !== undefined &&
      banner(
        'Not comparable',
        `The evaluations differ in ${what}: ${spoils}. Do not hold figures of one against those of another.`,
      ),
  )}`
}

function comparable(all: readonly Compared[]): Markup {
  const found = disagreementsOf(all)
  if (found.length === 0) return html`<p>${SAME} So are method, family, history and code.</p>`
  const item = ({ what, groups }: Disagreement) =>
    html`<li>${what}: ${groups.map(({ value, numbers }) => `${value} (${numbered(numbers)})`).join('; ')}.</li>`
  const spoilt = found.some(({ spoils }) => spoils !== undefined)
  return html`<p>${spoilt ? 'Figures of evaluations that differ in protocol, window, outcomes or horizons must not be held against each other.' : SAME} These differ in:</p>
<ul class="reasons">${found.map(item)}</ul>`
}

/** What has one name in several evaluations comes together, in the order in which the names came. */
function sideBySide<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
  const names = [...new Set(all.map(({ name }) => name))]
  return names.flatMap((name) => all.filter((one) => one.name === name))
}

/** An evaluation where the table above has its whole name. */
const briefly = ({ label }: Compared) => shortened(label, 28)

function verdicts(all: readonly Compared[]): Markup {
  return table({
    caption: 'The disposition of every candidate, with the first of its reasons',
    head: ['candidate', 'evaluation', 'disposition', 'first reason'],
    left: [1, 2, 3],
    rows: sideBySide(
      all.flatMap((one) => one.result.dispositions.map((of) => ({ one, of, name: of.candidate }))),
    ).map(({ one, of }) => [
      ...[of.candidate, briefly(one)],
      html`<b>${dispositionName(one.result, of)}</b>`,
      reasonLines(asCounts(one.result, of.candidate), of, 1).shown[0] ?? 'none',
    ]),
  })
}

/** One table a candidate; a comparator of several evaluations has their rows one below the other. */
function criteria(all: readonly Compared[]): Markup {
  const candidates = [...new Set(all.flatMap(({ result }) => candidatesOf(result)))]
  return lines(
    candidates.map((candidate) => {
      const asked = all
        .filter(({ result }) => candidatesOf(result).includes(candidate))
        .flatMap((one) => comparatorsOf(one.result).map((name) => ({ one, name })))
      return table({
        caption: `What ${candidate} had to show against each required comparator`,
        head: ['comparator', 'evaluation', ...REQUIREMENTS],
        left: [1, 2, 3, 4, 5],
        rows: sideBySide(asked).map(({ one, name }) => [
          ...[name, briefly(one)],
          ...requirementCells(one.result, candidate, name),
        ]),
      })
    }),
  )
}

function differences(all: readonly Compared[]): Markup {
  const at = (horizon: Horizon, stratum: ResultStratum, file: string) =>
    drawnFigure(differencesFigure(all, { horizon, stratum, file: `difference-${file}` }))
  return html`<p>One row an evaluation. Thick line: the interval of its own level. Thin line: the interval at the level of the test’s own rung on the Holm ladder.</p>
${at('overall', 'all', 'overall')}
${folded('By horizon', lines(horizonsOf(all).map((horizon) => at(horizon, 'all', `${horizon}h`))))}
${levelsOfAny(all).map((stratum, index) => folded(`In ${stratumName(stratum)}`, at('overall', stratum, `stratum-${index + 1}`)))}`
}

/** Levels of strata that any of the evaluations has, by name. */
function levelsOfAny(all: readonly Compared[]): Exclude<ResultStratum, 'all'>[] {
  const levels = new Map<string, Exclude<ResultStratum, 'all'>>()
  for (const { name, level } of all.flatMap(({ result }) => strataLevels(result))) {
    levels.set(JSON.stringify([name, level]), { name, level })
  }
  return [...levels.values()]
}

function losses(all: readonly Compared[]): Markup {
  return html`${drawnFigure(lossesFigure(all, 'overall', 'loss-overall'))}
${folded('By horizon', lines(horizonsOf(all).map((horizon) => drawnFigure(lossesFigure(all, horizon, `loss-${horizon}h`)))))}`
}

function attempts(all: readonly Compared[]): Markup {
  return table({
    caption: 'Shares of the expected attempts, all horizons',
    head: ['model', 'evaluation', 'expected', ...STATUSES],
    left: [1],
    rows: sideBySide(
      all.flatMap((one) => one.result.models.map(({ name }) => ({ one, name }))),
    ).flatMap(({ one, name }) => {
      const cell = accountingIn(one.result, name, 'all')
      if (!cell) return []
      const shares = STATUSES.map((status) => percentOf(cell.point[status], cell.expected))
      return [[name, briefly(one), whole(cell.expected), ...shares]]
    }),
  })
}

function evidence(all: readonly Compared[]): Markup {
  return lines(
    all.map(({ label, result }) =>
      folded(`${label}: result ${result.result_sha256.slice(0, 8)}…`, chainList(result)),
    ),
  )
}
