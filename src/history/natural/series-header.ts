import { type Finding, finding } from '../../contract/findings/finding.js'
import { writtenPairs } from '../../contract/name-pairs.js'
import { quantileLevel, type ReadLevel } from '../../forecast/levels.js'
import { parseNumberCell } from '../../table/cells.js'
import { isIndex } from '../../table/row-watch.js'
import type { Column, SourceRow } from '../../table/table.js'
import {
  type AskedLevel,
  type ColumnGroups,
  checkLevelColumns,
  checkPlainColumns,
  type Falling,
  findLevelColumns,
  findMeanColumn,
  groupColumns,
  suggestAnswer,
} from './asked-columns.js'
import { guessColumns, ignoredColumnsFinding, mapColumns } from './header.js'
import type { NamedLevel } from './level-names.js'
import { roundToDecimal } from './name-tokens.js'

/**
 * The columns of a forecast of any series: `history import` reads them and `history export` writes them, in this order,
 * with a column for each quantile (`q0.1`) after `value`.
 */
export const SERIES_COLUMNS = [
  { name: 'series', type: 'text' },
  { name: 'origin', type: 'text' },
  { name: 'horizon', type: 'integer' },
  { name: 'model', type: 'text' },
  { name: 'value', type: 'number' },
  /** For an attempt without a forecast: when it was recorded. */
  { name: 'generated_at', type: 'instant' },
  { name: 'input_available_at', type: 'instant' },
  { name: 'selection_data_through', type: 'instant' },
  { name: 'vintage_id', type: 'text' },
  { name: 'vintage_sha256', type: 'text' },
  { name: 'salt', type: 'text' },
  { name: 'status', type: 'text' },
  { name: 'reason', type: 'text' },
] as const satisfies readonly Column[]

/** `target` is a period instead of the horizon; `level` belongs to the value if each quantile has its own row. */
export type SeriesColumn = (typeof SERIES_COLUMNS)[number]['name'] | 'target' | 'level'

export const SERIES_NAMES: readonly SeriesColumn[] = [
  ...SERIES_COLUMNS.map(({ name }) => name),
  'target',
  'level',
]

/** Whether `--columns` may name this column. */
export function isSeriesColumn(name: string): boolean {
  return (SERIES_NAMES as readonly string[]).includes(name) || parseLevelColumn(name) !== undefined
}

/** The level in the name of a quantile column such as `q0.025`, as written. */
function parseLevelColumn(name: string): string | undefined {
  const level = name.slice(1)
  return name.startsWith('q') && quantileLevel(level) !== undefined ? level : undefined
}

/** The positions of the columns. */
export interface SeriesTableHeader {
  readonly at: ReadonlyMap<SeriesColumn, number>
  readonly quantiles: readonly { readonly level: string; readonly at: number }[]
  /** Levels in column names that are read as a nearby level of the protocol. */
  readonly near: readonly string[]
  /** Columns that are not read. */
  readonly unread: readonly string[]
  /** Findings about the columns; with an error the rows cannot be read. */
  readonly findings: readonly Finding[]
}

/** Other common names of these columns; the user is asked about them, they are never assumed. */
const ALIASES: Readonly<Partial<Record<SeriesColumn, RegExp>>> = {
  series: /^(series_?id|unique_id|location|item_id|id)$/i,
  origin: /^(origin_(at|date)|reference_(date|time)|forecast_(date|origin)|cutoff|issued?_at)$/i,
  horizon: /^(h|steps?|lead|lead_time|horizon_(steps|days|weeks|hours))$/i,
  model: /^(model_?name|model_?id|forecaster)$/i,
  value: /^(y_?hat|prediction|predicted|point|forecast)$/i,
  target: /^(target_(end_date|at|date|time)|valid_(at|time)|timestamp|ds|date)$/i,
  level: /^(quantile|quantile_level|output_type_id)$/i,
}

const IN_PERCENT = /^q[1-9]\d?(?:\.\d+)?$/

/** How to read the header of a table. */
export interface HeaderReading {
  /** The names of columns in the file; `''`: the column is missing or left out. */
  readonly mapped?: Readonly<Record<string, string>> | undefined
  /** Whether rows need not name the series. */
  readonly oneSeries: boolean
  readonly readLevel: (text: string) => ReadLevel
  /** The first rows: they show whether percentiles count from above. */
  readonly rows: readonly SourceRow[]
  readonly decimalComma?: boolean | undefined
}

/** Finds our columns in the header of a table. */
export function parseSeriesHeader(
  columns: readonly string[],
  file: string,
  reading: HeaderReading,
): SeriesTableHeader {
  const { mapped = {}, readLevel } = reading
  const names = [...SERIES_NAMES, ...listLevelNames(columns, mapped, readLevel)]
  const { at: all, findings } = mapColumns(names, columns, mapped, file)
  const at = new Map<SeriesColumn, number>()
  const levels = new Map<string, number>()
  const near: string[] = []
  const used = new Set<number>()
  for (const [name, index] of all) {
    const text = parseLevelColumn(name)
    if (text === undefined) {
      at.set(name as SeriesColumn, index)
      used.add(index)
      continue
    }
    const read = readLevel(text)
    const isTwice = read.ok && levels.has(read.level)
    // If two columns have this name, the user is asked about the second.
    if (isTwice && mapped[name] === undefined) continue
    used.add(index)
    const fault = !read.ok ? read.fault : isTwice ? 'level-twice' : undefined
    if (fault !== undefined) {
      findings.push(finding('natural-cell', { fault, column: name, found: text }, { file }))
    }
    if (!read.ok) continue
    levels.set(read.level, index)
    if (read.isNear) near.push(text)
  }
  const quantiles = [...levels].map(([level, index]) => ({ level, at: index }))
  const unread = columns.filter((name, index) => !used.has(index) && !isIndex(name))
  const header = { at, quantiles, near, unread, findings }
  if (findings.length > 0) return header
  return { ...header, findings: checkSeriesColumns(header, unread, columns, file, reading) }
}

/** Names of level columns: those that the user assigns, and those of the file that the user did not assign. */
function listLevelNames(
  columns: readonly string[],
  mapped: Readonly<Record<string, string>>,
  readLevel: HeaderReading['readLevel'],
): string[] {
  const answered = answeredLevels(mapped, columns, readLevel)
  const given = Object.values(mapped)
  const isOpen = (name: string) => !given.includes(name) && mapped[name] !== ''
  const inPercent = columns.filter((name) => IN_PERCENT.test(name) && isOpen(name))
  const matching = columns.filter((name) => {
    const level = matchLevel(name, readLevel)
    return level !== undefined && !answered.has(level) && !mayBePercent(name, columns, inPercent)
  })
  const all = [...Object.keys(mapped), ...matching]
  return [...new Set(all.filter((name) => parseLevelColumn(name) !== undefined))]
}

/** The level in a name of ours, as the protocol writes it. */
function matchLevel(name: string, readLevel: HeaderReading['readLevel']): string | undefined {
  const text = parseLevelColumn(name)
  if (text === undefined) return undefined
  const read = readLevel(text)
  return read.ok ? read.level : text
}

/** The levels for which the user names a column, or says that there is none. A left-out column answers no level. */
function answeredLevels(
  mapped: Readonly<Record<string, string>>,
  columns: readonly string[],
  readLevel: HeaderReading['readLevel'],
): ReadonlySet<string | undefined> {
  const named = Object.keys(mapped).filter((name) => mapped[name] !== '' || !columns.includes(name))
  return new Set(named.map((name) => matchLevel(name, readLevel)))
}

/**
 * Whether `q0.5` may mean 0.5 %. It may if there is a `q99.5`. With `q50`, which means the same in percent, it is the
 * median; with `q0.9`, `q0.1` is 0.1.
 */
function mayBePercent(
  name: string,
  columns: readonly string[],
  inPercent: readonly string[],
): boolean {
  if (inPercent.length === 0) return false
  const number = Number(name.slice(1))
  const has = (others: readonly string[], other: number) =>
    others.some((each) => each.startsWith('q') && Number(each.slice(1)) === roundToDecimal(other))
  if (has(inPercent, 100 - number)) return true
  return !has(columns, 1 - number) && !has(inPercent, 100 * number)
}

function checkSeriesColumns(
  header: Pick<SeriesTableHeader, 'at' | 'quantiles'>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
  reading: HeaderReading,
): Finding[] {
  const { at, quantiles } = header
  const { mapped = {}, oneSeries } = reading
  const sorted = groupColumns(rest, mapped)
  const isLevelOpen = !at.has('level') && mapped.level === undefined
  const named: readonly SeriesColumn[] = ['series', 'origin', 'horizon', 'target', 'model']
  const isKnown = at.has('origin') && at.has('model') && (at.has('horizon') || at.has('target'))
  const key = isKnown ? named.flatMap((name) => at.get(name) ?? []) : undefined
  const { rows } = reading
  const alike = sorted.plain.filter((name) => isLevelOpen && ALIASES.level?.test(name))
  const open = isLevelOpen ? sorted.plain.filter((name) => !alike.includes(name)) : []
  const ofLevels = findLevelColumns(open, { columns, rows, key })
  const plain = sorted.plain.filter((name) => !ofLevels.includes(name))
  const refused = checkPlainColumns(plain, file)
  if (refused.length > 0) return refused
  const levels = levelQuestion(header, sorted, columns, file, reading)
  const hasLevels = quantiles.length + levels.asked.length > 0
  const needed: readonly (readonly [SeriesColumn, boolean])[] = [
    ['series', oneSeries],
    ['origin', false],
    ['horizon', at.has('target')],
    ['model', false],
    ['value', hasLevels || at.has('status')],
  ]
  const missing = needed.flatMap(([name, isSaid]) => (isSaid || at.has(name) ? [] : [name]))
  if (missing.length > 0) {
    // A target can replace a horizon, and a hub has both.
    const isTargetAsked =
      missing.includes('horizon') || (!at.has('target') && rest.includes('target_end_date'))
    const likely: readonly SeriesColumn[] = [
      ...missing,
      ...(isTargetAsked ? ['target' as const] : []),
      ...(isLevelOpen ? ['level' as const] : []),
    ]
    const names = guessColumns(plain, likely, ALIASES)
    const level = ofLevels.slice(0, 1).map((name) => writtenPairs([['level', name]]))
    const guess = [...(names === null ? [] : [names]), ...level, ...levels.answer].join(',') || null
    const mean = missing.includes('value') ? findMeanColumn(rest) : null
    const args = { missing, found: columns, guess, mean }
    return [finding('natural-columns', args, { file }), ...levels.findings]
  }
  const near = [...alike, ...ofLevels]
  const asked = [...near, ...levels.asked]
  const others = rest.filter((name) => !asked.includes(name))
  return [
    ...near.map((column) => {
      const args = { column, nearest: 'level' }
      return finding('natural-near', args, { file, severity: 'error' })
    }),
    ...levels.findings,
    ...(others.length === 0 ? [] : [ignoredColumnsFinding(others, file)]),
  ]
}

/**
 * Asks about columns that look like quantiles and are not read as such, so that none is dropped without the user's
 * decision.
 */
function levelQuestion(
  { quantiles }: Pick<SeriesTableHeader, 'quantiles'>,
  { levels }: ColumnGroups,
  columns: readonly string[],
  file: string,
  reading: HeaderReading,
) {
  const { mapped = {}, readLevel } = reading
  const read = (level: string | null) => {
    const parsed = level === null ? undefined : readLevel(level)
    return parsed?.ok ? parsed.level : level
  }
  const answered = answeredLevels(mapped, columns, readLevel)
  const open = [...levels]
    .map(([column, named]) => ({ ...named, column, level: read(named.level) }))
    .filter(({ level }) => level === null || !answered.has(level))
  const falling = fallingPercentiles(open, columns, reading)
  const asked = open.map(({ column, level, exceeded }): AskedLevel => {
    const readAs = falling && exceeded !== null ? read(exceeded) : level
    return { column, is: readAs === null ? null : `q${readAs}` }
  })
  const chosen = quantiles.map(({ level, at }): AskedLevel => {
    return { column: columns[at] ?? '', is: `q${level}` }
  })
  const question = { asked, used: chosen, unknown: 'q…', falling }
  return {
    asked: asked.map(({ column }) => column),
    answer: asked.length === 0 ? [] : [suggestAnswer(question)],
    findings: checkLevelColumns(question, file),
  }
}

interface OpenLevel extends NamedLevel {
  readonly column: string
}

/**
 * Reports columns such as P10, P50 and P90 whose values fall: for wind and oil, P90 is the value exceeded in 90 % of
 * cases.
 */
function fallingPercentiles(
  open: readonly OpenLevel[],
  columns: readonly string[],
  { rows, decimalComma }: HeaderReading,
): Falling | undefined {
  const ascending = open
    .filter(({ percentile }) => percentile !== null)
    .sort((a, b) => (a.percentile ?? 0) - (b.percentile ?? 0))
  const [first, last] = [ascending[0], ascending.at(-1)]
  if (first === undefined || last === undefined || first === last) return undefined
  const [low, high] = [columns.indexOf(first.column), columns.indexOf(last.column)]
  const numberAt = ({ cells }: SourceRow, at: number) => {
    const read = parseNumberCell(cells[at] ?? null, decimalComma)
    return read.ok ? read.value : Number.NaN
  }
  let [rises, falls] = [0, 0]
  for (const row of rows) {
    const difference = numberAt(row, high) - numberAt(row, low)
    if (difference > 0) rises++
    if (difference < 0) falls++
  }
  if (falls <= rises) return undefined
  return { above: first.column, below: last.column, percent: String(last.percentile) }
}
