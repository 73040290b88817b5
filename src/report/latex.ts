import { printable } from '../contract/printable.js'
import { relative } from '../evaluation/result/readings.js'
import type {
  AnyResult,
  EvaluationResult,
  SeriesEvaluationResult,
} from '../evaluation/result/types.js'
import { decimal, NOTHING, percent, probability, whole } from '../output/figures.js'
import { requirementHeads, SAID, type ShownRequirement, shownRequirements } from './requirements.js'
import { horizonName, measureName, placeName } from './sentences.js'
import { primarySaid, scoreRows } from './series/words.js'
import {
  type AnyTest,
  ladderOf,
  measuresOf,
  orderIn,
  overallAndHorizons,
  rivalsOf,
} from './view.js'

/** The tables of a result for a paper, by the names of their files. */
export function latexTables(result: AnyResult): Readonly<Record<string, string>> {
  return {
    'criteria.tex': criteria(result),
    'scores.tex': result.result_version === 1 ? scores(result) : seriesScores(result),
    'tests.tex': tests(result),
  }
}

function criteria(result: AnyResult): string {
  const answered = ({ answer, figure, horizon }: ShownRequirement) => {
    const at = horizon === null ? '' : ` (${horizonName(result, horizon)})`
    return figure === null || answer === 'not_asked'
      ? SAID[answer]
      : `${figure}${at}, ${SAID[answer]}`
  }
  const rows = rivalsOf(result).map(({ candidate, comparator }) => [
    ...[candidate, comparator],
    ...shownRequirements(result, candidate, comparator).map(answered),
  ])
  return latexTable(result, {
    caption: `what each candidate had to show against each required comparator`,
    label: 'criteria',
    head: ['candidate', 'comparator', ...requirementHeads(result)],
    left: requirementHeads(result).length + 2,
    rows,
  })
}

/** Of any series, with their cells: means of every score. */
function seriesScores(result: SeriesEvaluationResult): string {
  const { scores: all } = result.settings
  return latexTable(result, {
    caption: `mean scores of each model over the cells that are tested; ${primarySaid(result)} decides`,
    label: 'scores',
    head: ['model', 'where', 'forecasts', ...all.map(({ id }) => id)],
    left: 2,
    rows: scoreRows(result),
  })
}

function scores(result: EvaluationResult): string {
  const rows = result.models.flatMap(({ name }) =>
    overallAndHorizons(result).flatMap((horizon) => {
      const found = measuresOf(result, name, horizon)
      if (!found) return []
      const { interval, point_loss_bounds: bounds } = found
      return [
        [
          ...[name, horizonName(result, horizon), whole(found.pairs), percent(found.point_loss, 3)],
          bounds === null ? NOTHING : `${percent(bounds.lower, 3)} to ${percent(bounds.upper, 3)}`,
          ...[percent(found.direction.error_rate, 1), percent(interval.coverage, 1)],
          decimal(interval.width_percent, 2),
        ],
      ]
    }),
  )
  return latexTable(result, {
    caption: `mean absolute log-return error, direction error and coverage of each model`,
    label: 'scores',
    head: ['model', 'horizon', 'pairs', 'loss', 'interval', 'direction', 'coverage', 'width, %'],
    left: 2,
    rows,
  })
}

function decision({ decision, observed }: AnyTest): string {
  if (decision !== 'rejected') return decision.replace('_', ' ')
  return `rejected, ${(observed ?? 0) < 0 ? 'lower' : 'higher'}`
}

/** The tests that decide: a paper has no room for all others, which `foreproof export` gives. */
function tests(result: AnyResult): string {
  const row = (test: AnyTest) => {
    // Of any series: as a share of the comparator’s mean.
    const shown = (value: number | null) => {
      const figure = 'group' in test ? relative(value, test) : value
      return decimal(figure === null ? null : figure * 100, 3)
    }
    return [
      `${test.candidate} − ${test.comparator}`,
      ...[measureName(test), placeName(result, test), whole(test.pairs)],
      whole(test.effective_blocks),
      shown(test.observed),
      test.bounds === null ? NOTHING : `${shown(test.bounds.lower)} to ${shown(test.bounds.upper)}`,
      ...[probability(test.p), probability(test.p_adjusted)],
      decision(test),
    ]
  }
  return latexTable(result, {
    caption: `the tests that decide, in ${orderIn(result)}; differences ${result.result_version === 1 ? 'of losses in per cent of log return, of shares in percentage points' : 'in per cent of the comparator’s mean'}`,
    label: 'tests',
    head: [
      ...['test', 'measure', 'horizon', 'pairs', 'blocks', 'difference', 'interval'],
      ...['p', 'adjusted p', 'decision'],
    ],
    left: 3,
    rows: ladderOf(result)
      .filter((test) => test.decides)
      .map(row),
  })
}

interface LatexTable {
  readonly caption: string
  /** `\\ref` finds it by `tab:` and this. */
  readonly label: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** How many columns are flush left; those after them are flush right. */
  readonly left: number
}

/** A table for a paper. It needs no package, and a document in UTF-8. */
function latexTable(
  { inputs, result_sha256 }: AnyResult,
  { caption, label, head, rows, left }: LatexTable,
): string {
  const line = (cells: readonly string[]) => `${cells.map(latexText).join(' & ')} \\\\`
  const columns = head.map((_, index) => (index < left ? 'l' : 'r')).join('')
  return `% Made by foreproof from result ${result_sha256}.
% No package is needed. Put it in with \\input{...}; change caption, label and place as you like.
\\begin{table}
\\caption{${latexText(`${inputs.registration.name}: ${caption}`)}}
\\label{tab:${label}}
\\begin{tabular}{${columns}}
\\hline
${line(head)}
\\hline
${rows.map((row) => `${line(row)}\n`).join('')}\\hline
\\end{tabular}
\\end{table}
`
}

/** What LaTeX takes for a command, and signs that not every font of its has. */
const SIGNS: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
  // After the end of a row LaTeX would take brackets for a length, and a star for its own.
  '[': '{[}',
  '*': '{*}',
  '−': '$-$',
  '–': '--',
  '×': '$\\times$',
  '…': '\\ldots{}',
  '’': "'",
  '\u202f': '\\,',
  '\u00a0': '~',
}
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** Any text as LaTeX that shows it as it is. */
export function latexText(text: string): string {
  return printable(text)
    .replace(/["\\{}$&#%_^~<>|[*−–×…’\u202f\u00a0]/g, (sign) => SIGNS[sign] ?? sign)
    .replace(/(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)/g, (_, minus, digits) => {
      const plain = [...digits].map((digit) => RAISED.indexOf(digit)).join('')
      return `$^{${minus === '' ? '' : '-'}${plain}}$`
    })
}
