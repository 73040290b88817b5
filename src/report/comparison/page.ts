import { VERSION } from '../../contract/generated/version.js'
import type { Result } from '../../evaluation/result/types.js'
import { counted, listed, NOTHING, readableTime } from '../../output/figures.js'
import { drawnFigure, shortened } from '../html/charts/figure.js'
import { htmlPage } from '../html/document.js'
import { folded, html, lines, type Markup } from '../html/markup.js'
import { kindOf } from '../html/sections/head.js'
import { table } from '../html/sections/table.js'
import { requirementCells } from '../html/sections/verdict.js'
import { reasonLines } from '../reasons.js'
import { REQUIREMENTS } from '../requirements.js'
import { dispositionName } from '../sentences.js'
import { levelIn } from '../time-line.js'
import { asCounts, candidatesIn, comparatorsIn, stepsIn, verdictsIn } from '../view.js'
import { differencesFigure } from './chart.js'
import { type Compared, type Disagreement, disagreementsOf, repeatedIn } from './comparable.js'

const SAME = 'Protocol, window, outcomes and steps are the same in all.'

/**
 * Several evaluations on one self-contained page. The same results give the same bytes.
 * @param folders of the results, as they were named.
 */
export function comparisonPage(results: readonly Result[], folders: readonly string[]): string {
  const all = results.map((result, at): Compared => {
    const label = `${at + 1} · ${result.inputs.registration.name}`
    return { number: at + 1, label, folder: folders[at] ?? '', result }
  })
  const title = `${counted(all.length, 'evaluation')} side by side`
  return htmlPage({
    title,
    generator: `foreproof ${VERSION}`,
    skip: ['comparable', 'what can be compared'],
    header: html`<p class="eyebrow">Comparison</p>
<h1>${title}</h1>
<p class="under">Drawn from the results, which were not audited. Each verdict is that of its own registration; nothing is decided anew or corrected for the number of evaluations.</p>
${warnings(all)}`,
    parts: [
      ['evaluations', 'Evaluations', 'The evaluations', evaluations(all)],
      ['comparable', 'Comparable?', 'What can be compared', comparable(all)],
      ['verdicts', 'Verdicts', 'Verdicts', verdicts(all)],
      ['criteria', 'Criteria', 'Criteria side by side', criteria(all)],
      ['differences', 'Differences', 'Differences in loss', differences(all)],
    ],
    footer: html`Made by foreproof ${VERSION}.`,
  })
}

function evaluations(all: readonly Compared[]): Markup {
  return table({
    caption: 'In the order in which they were named',
    compact: true,
    head: ['evaluation', 'kind', 'protocol', 'window', 'registered', 'folder', 'result'],
    left: [1, 2, 3, 4, 5],
    rows: all.map((one) => {
      const { inputs, settings, result_sha256: sha256 } = one.result
      return [
        ...[one.label, kindOf(one.result), inputs.protocol.version],
        `${readableTime(settings.window.from)} to ${readableTime(settings.window.to)}`,
        `${readableTime(inputs.registration.registered_at)}; time ${levelIn(one.result)}`,
        one.folder,
        `${sha256.slice(0, 8)}…`,
      ]
    }),
  })
}

/** `evaluations 1 and 3`. */
const numbered = (numbers: readonly number[]) =>
  `${numbers.length === 1 ? 'evaluation' : 'evaluations'} ${listed(numbers.map(String))}`

/** What a reader must know before comparing any figure. */
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
  return html`<p>${spoilt ? 'Figures of evaluations that differ in protocol, window, outcomes or steps must not be held against each other.' : SAME} These differ in:</p>
<ul class="reasons">${found.map(item)}</ul>`
}

/** Groups items of several evaluations by name, in the order of first occurrence. */
function sideBySide<Named extends { readonly name: string }>(all: readonly Named[]): Named[] {
  const names = [...new Set(all.map(({ name }) => name))]
  return names.flatMap((name) => all.filter((one) => one.name === name))
}

/** A short label, because the table above has the full name. */
const briefly = ({ label }: Compared) => shortened(label, 28)

function verdicts(all: readonly Compared[]): Markup {
  return table({
    caption: 'The verdict on every candidate, with the first of its reasons',
    head: ['candidate', 'evaluation', 'verdict', 'first reason'],
    left: [1, 2, 3],
    rows: sideBySide(
      all.flatMap((one) => verdictsIn(one.result).map((of) => ({ one, of, name: of.candidate }))),
    ).map(({ one, of }) => [
      ...[of.candidate, briefly(one)],
      html`<b>${dispositionName(one.result, of)}</b>`,
      reasonLines(asCounts(one.result, of.candidate), of, 1).shown[0] ?? 'none',
    ]),
  })
}

/** One table per candidate; the rows of a comparator in several evaluations are next to each other. */
function criteria(all: readonly Compared[]): Markup {
  const candidates = [...new Set(all.flatMap(({ result }) => candidatesIn(result)))]
  return lines(
    candidates.map((candidate) => {
      const asked = all
        .filter(({ result }) => candidatesIn(result).includes(candidate))
        .flatMap((one) => comparatorsIn(one.result).map((name) => ({ one, name })))
      return table({
        caption: `What ${candidate} had to show against each required comparator`,
        head: ['comparator', 'evaluation', ...REQUIREMENTS],
        left: [1, 2, 3, 4, 5],
        rows: sideBySide(asked).map(({ one, name }) => {
          const cells = requirementCells(one.result, candidate, name)
          return [name, briefly(one), ...REQUIREMENTS.map((_, at) => cells[at] ?? NOTHING)]
        }),
      })
    }),
  )
}

function differences(all: readonly Compared[]): Markup {
  const steps = new Set(all.flatMap(({ result }) => stepsIn(result)))
  const ascending = [...steps].sort((a, b) => a - b)
  return html`<p>One row an evaluation. Thick line: the interval of its own level; thin line: the interval at the level of the test’s own rung on the Holm ladder.</p>
${drawnFigure(differencesFigure(all, 'overall'))}
${folded('By step', lines(ascending.map((step) => drawnFigure(differencesFigure(all, step)))))}`
}
