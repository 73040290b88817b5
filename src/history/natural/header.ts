import { type ArgsOf, type Finding, finding } from '../../contract/findings/finding.js'
import { isObject } from '../../contract/is-object.js'
import { writtenPairs } from '../../contract/name-pairs.js'
import { nearest } from '../../contract/nearest.js'
import { detectEncodingFault } from '../../table/csv.js'
import type { TableInput } from '../../table/input.js'
import { isIndex } from '../../table/row-watch.js'
import { createSplitter } from '../../table/split.js'
import {
  checkLevelColumns,
  checkPlainColumns,
  findMeanColumn,
  groupColumns,
} from './asked-columns.js'
import {
  LEVEL_COLUMN,
  NATURAL_COLUMNS,
  NATURAL_NAMES,
  type NaturalColumn,
  type NaturalOptions,
  QUANTILE_COLUMNS,
  TARGET_COLUMN,
} from './columns.js'

/** The positions of the columns. */
export interface TableHeader {
  readonly at: ReadonlyMap<NaturalColumn, number>
  /** In a wide table, the columns that are models. */
  readonly models: readonly { readonly name: string; readonly at: number }[] | undefined
  /** Findings about the columns; with an error the rows cannot be read. */
  readonly findings: readonly Finding[]
}

/** The first two are required in a wide table too. */
const REQUIRED = ['origin_at', 'horizon_hours', 'model', 'price_usd'] as const
/** Columns that belong to one model, which a wide table cannot have. */
const OF_ONE_MODEL = [
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'change_pct',
  'model_agreement',
  'status',
  'reason',
  LEVEL_COLUMN,
] as const

/** Names of a level column: each quantile has a row, so a forecast is several rows. */
const QUANTILE_LEVEL = /^(quantile|quantile_level|output_type(_id)?)$/i

/** Columns that affect no score if they are missing. */
const HARMLESS: readonly NaturalColumn[] = [
  'change_pct',
  'run_id',
  'configuration_id',
  'source_name',
  'model_agreement',
  'vintage_id',
  'reason',
]

/** Finds our columns in the header of a table. */
export function parseHeader(
  columns: readonly string[],
  file: string,
  options: NaturalOptions,
): TableHeader {
  const { at, findings } = mapColumns(NATURAL_NAMES, columns, options.columns, file)
  const used = new Set(at.values())
  const given: Readonly<Record<string, string>> = options.columns ?? {}
  const rest = columns.filter((name, index) => !used.has(index) && !isIndex(name))
  const wide = rest
    .filter((name) => given[name] !== '')
    .map((name) => ({ name, at: columns.indexOf(name) }))
  const header = { at, models: options.melt ? wide : undefined, findings }
  if (findings.length > 0) return header
  return { ...header, findings: checkHeaderColumns(header, rest, columns, file, options) }
}

/**
 * Finds the positions of columns in a file.
 * @param given - their names in the file, if they differ; `''` for none, and for any other column of the file that is
 * left out.
 */
export function mapColumns<C extends string>(
  names: readonly C[],
  columns: readonly string[],
  given: Readonly<Record<string, string>> = {},
  file: string,
): { at: Map<C, number>; findings: Finding[] } {
  const at = new Map<C, number>()
  const isMissing = (name: string) =>
    !(names as readonly string[]).includes(name) && !columns.includes(name)
  const findings: Finding[] = Object.keys(given)
    .filter((name) => given[name] === '' && isMissing(name))
    .map((column) => {
      const close = nearest(column, [...names, ...columns]) ?? null
      return finding('natural-mapped', { column, mapped: '', nearest: close }, { file })
    })
  for (const name of names) {
    const mapped = given[name]
    const index = columns.indexOf(mapped ?? name)
    if (index !== -1 && mapped !== '') at.set(name, index)
    else if (mapped) {
      const close = nearest(mapped, columns) ?? null
      findings.push(finding('natural-mapped', { column: name, mapped, nearest: close }, { file }))
    }
  }
  return { at, findings }
}

/** Reports what is wrong with the columns of a table, or not imported from it. */
function checkHeaderColumns(
  { at, models }: Pick<TableHeader, 'at' | 'models'>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
  options: NaturalOptions,
): Finding[] {
  const layout = (fault: ArgsOf<'natural-layout'>['fault'], columns: readonly string[]) => [
    finding('natural-layout', { fault, columns }, { file }),
  ]
  const has = (name: NaturalColumn) => at.has(name)
  const missing = (options.melt ? REQUIRED.slice(0, 2) : REQUIRED).filter(
    (name) =>
      !has(name) &&
      !(name === 'price_usd' && has('status')) &&
      !(name === 'horizon_hours' && has(TARGET_COLUMN)),
  )
  const { plain, levels, left } = groupColumns(rest, options.columns)
  const guess = guessColumns(plain, missing, ALIASES)
  const found = columns.filter((name) => name !== '')
  const mean = missing.includes('price_usd') ? findMeanColumn(rest) : null
  const lacking = () => [finding('natural-columns', { missing, found, guess, mean }, { file })]
  if (options.melt) {
    const long = (['model', 'price_usd'] as const).filter(has)
    if (long.length > 0) return layout('long', long)
    if (missing.length > 0) return lacking()
    const shared = OF_ONE_MODEL.filter(has)
    if (shared.length > 0) return layout('shared', shared)
    if (levels.size > 0) return layout('bounds', [...levels.keys()])
    return models?.length === 0 ? layout('none', []) : []
  }
  const level = has(LEVEL_COLUMN) ? undefined : rest.find((name) => QUANTILE_LEVEL.test(name))
  if (level !== undefined) return layout('quantiles', [level])
  const named = QUANTILE_COLUMNS.flatMap(([, name]) => (has(name) ? [name] : []))
  if (has(LEVEL_COLUMN) && named.length > 0) return layout('level', named)
  const refused = checkPlainColumns(plain, file)
  if (refused.length > 0) return refused
  const isWide = !has('model') && !has('price_usd') && has('origin_at')
  if (isWide && rest.length > 0 && guess === null) return layout('wide', rest)
  if (missing.length > 0) return lacking()
  const ofLevels = has(LEVEL_COLUMN) ? OF_LEVELS : [LEVEL_COLUMN]
  const given = [...at.keys(), ...ofLevels, TARGET_COLUMN]
  const absent = NATURAL_NAMES.filter(
    (name) => !given.includes(name) && options.columns?.[name] !== '',
  )
  const ofLevel = (level: string | null) => absent.find((name) => LEVELS[name] === level)
  const others = absent.filter((name) => LEVELS[name] === undefined)
  const near = [
    ...plain.map((column) => ({ column, nearest: guessColumn(column, others, ALIASES) })),
    ...[...levels].map(([column, { level }]) => ({ column, nearest: ofLevel(level) })),
  ].filter((each): each is { column: string; nearest: NaturalColumn } => each.nearest !== undefined)
  const bounds = [...levels.keys()].filter((name) => levels.get(name)?.level === null)
  const asked = ['q10_usd', 'q90_usd'].some((name) => absent.includes(name as NaturalColumn))
    ? bounds
    : []
  const ignored = [...plain, ...levels.keys(), ...left].filter(
    (name) => !asked.includes(name) && near.every(({ column }) => column !== name),
  )
  return [
    ...near.map((args) => {
      const severity = HARMLESS.includes(args.nearest) ? 'note' : 'error'
      return finding('natural-near', args, { file, severity })
    }),
    ...checkLevelColumns(
      { asked: asked.map((column) => ({ column, is: null })), used: [], unknown: 'q…_usd' },
      file,
    ),
    ...(ignored.length === 0 ? [] : [ignoredColumnsFinding(ignored, file)]),
  ]
}

/** The levels of the quantile columns of an hourly forecast. */
const LEVELS: Readonly<Partial<Record<NaturalColumn, string>>> = Object.fromEntries(
  QUANTILE_COLUMNS.map(([level, name]) => [name, level]),
)
const OF_LEVELS = QUANTILE_COLUMNS.map(([, name]) => name)

/** Columns that a history cannot store. */
export const ignoredColumnsFinding = (columns: readonly string[], file: string): Finding =>
  finding('natural-ignored', { columns }, { file })

/** Other common names of these columns; the user is asked about them, they are never assumed. */
const ALIASES: Readonly<Partial<Record<NaturalColumn, RegExp>>> = {
  origin_at:
    /^(origin|timestamp|ts|time|datetime|date|ds|issued?_at|forecast_origin|reference_(time|date))$/i,
  horizon_hours: /^(horizon|horizon_h|h|hours|lead|lead_time|step)$/i,
  model: /^(model_?name|model_?id|unique_id|forecaster|name)$/i,
  price_usd: /^(y_?hat|prediction|(predicted|forecast)(_price)?(_usd)?|price|point|value)$/i,
  change_pct: /^(change|pct_change|predicted_change_pct)$/i,
  generated_at: /^(created|generated|made)(_at)?$/i,
  run_id: /^(run|experiment_run_id)$/i,
  configuration_id: /^(config|config_id|configuration)$/i,
  source_price_usd: /^(source_price|origin_price|last_price|spot(_price)?)$/i,
  source_name: /^(source|exchange)$/i,
  model_agreement: /^agreement$/i,
  vintage_id: /^vintage$/i,
}

/** The most likely column for a name, or undefined. */
function guessColumn<C extends string>(
  name: string,
  columns: readonly C[],
  aliases: Readonly<Partial<Record<C, RegExp>>>,
): C | undefined {
  const alias = columns.find((column) => aliases[column]?.test(name))
  return alias ?? columns.find((column) => column === nearest(name, columns))
}

/** The most likely meaning of columns, in the form of `--columns`: one name for each, and each name once. */
export function guessColumns<C extends string>(
  names: readonly string[],
  columns: readonly C[],
  aliases: Readonly<Partial<Record<C, RegExp>>>,
): string | null {
  const guesses = names.flatMap((name) => {
    const column = guessColumn(name, columns, aliases)
    return column === undefined ? [] : [[column, name] as const]
  })
  return writtenPairs([...new Map(guesses)]) || null
}

/** Members that show other kinds of imports: resources, attempts, bodies of the API. */
const KNOWN_JSON_MEMBERS = ['forecast_id', 'estimate', 'model_name', 'api_version']

/** True if an input is a table of forecasts, judged by its beginning or the options. */
export function isNatural(input: TableInput, options: NaturalOptions): boolean {
  if (input.kind === 'parquet' || isAsked(options)) return true
  return input.kind === 'csv' ? hasHeader(input.start) : isRow(firstValue(input))
}

/** The same for rows of any series. */
export function isSeriesTable(input: TableInput, options: object): boolean {
  if (input.kind !== 'json' || isAsked(options)) return true
  const value = firstValue(input)
  return isObject(value) && !('quantiles' in value) && ('value' in value || !('status' in value))
}

const isAsked = (options: object) =>
  Object.values(options).some((given) => given !== undefined && given !== false)

/** True if it can only be a table, because JSON values have no such line or bytes. */
function hasHeader(start: Buffer): boolean {
  if (detectEncodingFault(start) !== undefined) return true
  const [line = ''] = start
    .toString('utf8')
    .trimStart()
    .split(/[\r\n]/, 1)
  return NATURAL_COLUMNS.some(({ name }) => line.includes(name)) || /\w[,;\t|]/.test(line)
}

function isRow(value: unknown): boolean {
  return (
    isObject(value) && 'origin_at' in value && !KNOWN_JSON_MEMBERS.some((member) => member in value)
  )
}

/** The first value of JSON input; undefined if it does not end within the bytes read so far. */
function firstValue({ name, start, isWhole }: TableInput): unknown {
  try {
    const splitter = createSplitter(name)
    const [piece] = splitter.push(start)
    const first = piece ?? (isWhole ? splitter.end()[0] : undefined)
    return first && JSON.parse(first.bytes.toString('utf8'))
  } catch {
    // The JSON parser will report the fault.
    return undefined
  }
}
