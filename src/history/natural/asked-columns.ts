import { type Finding, finding } from '../../contract/findings/finding.js'
import { shellWord } from '../../contract/findings/row.js'
import { type NamedLevel, namedLevels } from './level-names.js'

/** Columns of a file that are no columns of ours, by what may be asked about them. */
export interface SortedNames {
  /** Without a sign of what they are but their whole names. */
  readonly plain: readonly string[]
  /** Those that look like a quantile or a bound. */
  readonly levels: ReadonlyMap<string, NamedLevel>
  /** Those that the user leaves out by name, and means, which are never the point of a forecast. */
  readonly left: readonly string[]
}

/** @param mapped - as `--columns` gives it: `NAME=` leaves a column out. */
export function sortedNames(
  rest: readonly string[],
  mapped: Readonly<Record<string, string>> = {},
): SortedNames {
  const open = rest.filter((name) => mapped[name] !== '')
  const levels = namedLevels(open)
  const isPlain = (name: string) => !levels.has(name) && !MEAN.test(name)
  const plain = open.filter(isPlain)
  return { plain, levels, left: rest.filter((name) => !plain.includes(name) && !levels.has(name)) }
}

const MEAN = /(?:^|[^a-z])(?:mean|average|avg|expected|expectation)(?:[^a-z]|$)/i

/** A column with a mean, as far as its name shows. */
export const meanIn = (names: readonly string[]): string | null =>
  names.find((name) => MEAN.test(name)) ?? null

const SAMPLES =
  /^\.?(?:ensemble_?)?(?:sample|draw|member|realization|realisation|replicate|trajectory|particle)s?_?(?:id|idx|index|nr|no|number)?$/i
/** `member_1`, `sample2`: a column for each. */
const SAMPLE_OF_MANY =
  /^(?:ensemble_?)?(?:sample|draw|member|realization|realisation|ens)s?[ _.-]?\d+$/i
const PROBABILITIES = /^(?:prob|probability|probabilities|pmf|cdf|p_event)$/i

/** What a table has in place of a median and quantiles, in words that name it. */
export function refusedColumns(plain: readonly string[], file: string): Finding[] {
  const many = plain.filter((name) => SAMPLE_OF_MANY.test(name))
  const samples = [...plain.filter((name) => SAMPLES.test(name)), ...(many.length > 1 ? many : [])]
  const probabilities = plain.filter((name) => PROBABILITIES.test(name))
  const layout = (fault: 'samples' | 'probabilities', columns: readonly string[]) =>
    columns.length === 0 ? [] : [finding('natural-layout', { fault, columns }, { file })]
  return [...layout('samples', samples), ...layout('probabilities', probabilities)]
}

/** A column that looks like a quantile or a bound. */
export interface AskedLevel {
  readonly column: string
  /** The column of ours that its name says; null where it says none. */
  readonly is: string | null
}

/** Asks what columns are that look like quantiles; one answer can be given for all of them. @param unknown - `q…`. */
export function askedLevels(
  asked: readonly AskedLevel[],
  unknown: string,
  file: string,
  falling?: Falling,
): Finding[] {
  const [first] = asked
  if (first === undefined) return []
  const args = {
    columns: asked.map(({ column }) => column),
    are: asked.map(({ is }) => is ?? ''),
    answer: answerFor(asked, unknown),
    none: `${shellWord(first.is ?? first.column)}=`,
    ...{ above: '', below: '', percent: '' },
    ...falling,
  }
  return [finding('natural-levels', { fault: falling ? 'exceeded' : 'ask', ...args }, { file })]
}

/** Percentiles whose values fall as their numbers rise. */
export interface Falling {
  readonly above: string
  readonly below: string
  readonly percent: string
}

/** What `--columns` takes, in the words of a shell. */
export const answerFor = (asked: readonly AskedLevel[], unknown: string): string =>
  shellWord(asked.map(({ column, is }) => `${is ?? unknown}=${column}`).join(','))
