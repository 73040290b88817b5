import { type Finding, finding } from '../../contract/findings/finding.js'
import { shellWord } from '../../contract/findings/row.js'
import { writtenPairs } from '../../contract/name-pairs.js'
import { quantileLevel } from '../../forecast/levels.js'
import { isNothing } from '../../table/cells.js'
import { formatCell } from '../../table/row-watch.js'
import type { SourceRow } from '../../table/table.js'
import { findLevelNames, type NamedLevel } from './level-names.js'

/** Unknown columns of a file, grouped by the question to ask about them. */
export interface ColumnGroups {
  /** Nothing but their whole names shows what they are. */
  readonly plain: readonly string[]
  /** Those that look like a quantile or a bound. */
  readonly levels: ReadonlyMap<string, NamedLevel>
  /** Those that the user leaves out by name, and means, which are never the point of a forecast. */
  readonly left: readonly string[]
}

/** @param mapped - the names given by `--columns`: `NAME=` leaves a column out. */
export function groupColumns(
  rest: readonly string[],
  mapped: Readonly<Record<string, string>> = {},
): ColumnGroups {
  const open = rest.filter((name) => mapped[name] !== '')
  const levels = findLevelNames(open)
  const isPlain = (name: string) => !levels.has(name) && !MEAN.test(name)
  const plain = open.filter(isPlain)
  return { plain, levels, left: rest.filter((name) => !plain.includes(name) && !levels.has(name)) }
}

const MEAN = /(?:^|[^a-z])(?:mean|average|avg|expected|expectation)(?:[^a-z]|$)/i

/** A column with a mean, according to its name. */
export const findMeanColumn = (names: readonly string[]): string | null =>
  names.find((name) => MEAN.test(name)) ?? null

const SAMPLES =
  /^\.?(?:ens|ensemble|(?:ens[ _.-]?|ensemble[ _.-]?)?(?:sample|draw|member|realization|realisation|replicate|trajectory|particle|simulation|scenario)s?|path|sim)[ _.-]?(?:id|idx|index|nr|no|num|number|name)?$/i
/** `member_1`, `sample2`, and `load_s0` of darts: one column per sample. */
const SAMPLE_OF_MANY =
  /^(?:(?:ensemble[ _.-]?)?(?:sample|draw|member|realization|realisation|ens|ensemble|path|sim|simulation|scenario|trajectory)s?[ _.-]?|.+_s)\d+$/i
const PROBABILITIES = /^(?:prob|probability|probabilities|pmf|cdf|p_event)$/i

/** Reports what a table has instead of a median and quantiles, when its names are words. */
export function checkPlainColumns(plain: readonly string[], file: string): Finding[] {
  const many = plain.filter((name) => SAMPLE_OF_MANY.test(name))
  const samples = [...plain.filter((name) => SAMPLES.test(name)), ...(many.length > 1 ? many : [])]
  const probabilities = plain.filter((name) => PROBABILITIES.test(name))
  const layout = (fault: 'samples' | 'probabilities', columns: readonly string[]) =>
    columns.length === 0 ? [] : [finding('natural-layout', { fault, columns }, { file })]
  return [...layout('samples', samples), ...layout('probabilities', probabilities)]
}

const LEVEL_NAMES =
  /^(?:tau|alpha|p|q|probs?|probabilit(?:y|ies)|quantiles?|(?:quantile|prob|probability)[ _.-]?levels?|percentiles?|pct|perc(?:ent)?)$/i
/** Percentages are included, so that the finding can explain them. */
const isPercentage = (text: string) => Number(text) > 0 && Number(text) < 100

/**
 * Finds columns with the level of each row. All their texts are levels, and either their name says so or rows of one
 * key differ in them.
 * @param names - of unread columns.
 * @param key - positions of the columns that identify a forecast; undefined if some are unknown: then the name of a
 * column must say so.
 */
export function findLevelColumns(
  names: readonly string[],
  {
    columns,
    rows,
    key,
  }: {
    readonly columns: readonly string[]
    readonly rows: readonly SourceRow[]
    readonly key: readonly number[] | undefined
  },
): readonly string[] {
  const sound = rows.filter(({ fault }) => fault === undefined)
  return names.filter((name) => {
    const at = columns.indexOf(name)
    const texts = sound.map(({ cells }) => formatCell(cells[at]))
    const cells = texts.filter((text) => !isNothing(text))
    const isNamed = LEVEL_NAMES.test(name)
    const isLevel = (text: string) => quantileLevel(text) !== undefined
    if (cells.length === 0 || (key === undefined && !isNamed)) return false
    const areLevels = cells.every(isLevel)
    if (areLevels && isNamed) return true
    if (!areLevels && !(isNamed && cells.every(isPercentage))) return false
    const first = new Map<string, string>()
    return sound.some(({ cells }, row) => {
      const id = JSON.stringify((key ?? []).map((index) => formatCell(cells[index])))
      const text = texts[row] ?? ''
      const before = first.get(id)
      if (before === undefined) first.set(id, text)
      return before !== undefined && before !== text
    })
  })
}

/** A column that looks like a quantile or a bound. */
export interface AskedLevel {
  readonly column: string
  /** Our column for its name; null if unknown. */
  readonly is: string | null
}

/** A question about columns that look like quantiles. */
export interface LevelQuestion {
  readonly asked: readonly AskedLevel[]
  /** Columns that are already read as quantiles: one in question may duplicate them. */
  readonly used: readonly AskedLevel[]
  /** A placeholder for an unknown column of ours, such as `q…`. */
  readonly unknown: string
  readonly falling?: Falling | undefined
}

/** Asks what the columns are that look like quantiles; one answer can cover all of them. */
export function checkLevelColumns(question: LevelQuestion, file: string): Finding[] {
  const { asked, falling } = question
  const [first] = asked
  if (first === undefined) return []
  const same = asked.map((each) => {
    const duplicate = findDuplicate(each, question)
    return duplicate === each.column ? '' : duplicate
  })
  // A level with an open column is not an answer, and of two columns of one level the second must be left out.
  const others = asked.filter(({ is }, at) => is === null || same[at] !== '')
  const none = others.length > 0 ? others.map(({ column }) => column) : [first.is ?? '']
  const args = {
    columns: asked.map(({ column }) => column),
    are: asked.map(({ is }) => is ?? ''),
    same,
    answer: shellWord(suggestAnswer(question)),
    none: shellWord(writtenPairs(none.map((name) => [name, '']))),
    ...{ above: '', below: '', percent: '' },
    ...falling,
  }
  return [finding('natural-levels', { fault: falling ? 'exceeded' : 'ask', ...args }, { file })]
}

/** The first column with the same level; columns that are already read come first. */
function findDuplicate({ column, is }: AskedLevel, { asked, used }: LevelQuestion): string {
  if (is === null) return column
  return [...used, ...asked].find((each) => each.is === is)?.column ?? column
}

/** Percentiles whose values fall while their numbers rise. */
export interface Falling {
  readonly above: string
  readonly below: string
  readonly percent: string
}

/** The suggested value for `--columns`. */
export function suggestAnswer(question: LevelQuestion): string {
  const parts = question.asked.map((each) =>
    writtenPairs([[each.is ?? question.unknown, findDuplicate(each, question)]]),
  )
  return [...new Set(parts)].join(',')
}
