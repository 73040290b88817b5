import { type Finding, finding, type Severity } from '../../contract/findings/finding.js'
import { nearest } from '../../contract/nearest.js'
import { NATURAL_COLUMNS, type NaturalColumn } from './columns.js'
import { meant } from './names.js'
import type { NaturalOptions } from './options.js'

/** Which cell of a row is what. */
export interface Header {
  readonly at: ReadonlyMap<NaturalColumn, number>
  /** The column with the target, in place of the horizon or beside it. */
  readonly target?: number | undefined
  /** In a wide table the columns that are models. */
  readonly models: readonly { readonly name: string; readonly at: number }[] | undefined
  /** What is to be said of the columns; with an error the rows cannot be read. */
  readonly findings: readonly Finding[]
}

const NAMES = NATURAL_COLUMNS.map(({ name }) => name)
const REQUIRED = ['origin_at', 'horizon_hours', 'model', 'price_usd'] as const
/** Columns that each model has for itself: a wide table has no place for them. */
const OF_ONE_MODEL = [
  'q10_usd',
  'q50_usd',
  'q90_usd',
  'change_pct',
  'model_agreement',
  'status',
  'reason',
] as const

/** A row for each quantile: one forecast is several rows. */
const QUANTILE_LEVEL = /^(quantile|quantile_level|output_type(_id)?)$/i

/** Columns that say nothing of what is judged: without them no score is another. */
const HARMLESS: readonly NaturalColumn[] = [
  ...(['change_pct', 'run_id', 'configuration_id', 'source_name', 'model_agreement'] as const),
  ...(['vintage_id', 'reason'] as const),
]

function severityOf(close: NaturalColumn): Severity {
  return HARMLESS.includes(close) ? 'note' : 'error'
}

/** The index of a data frame, as pandas writes it. */
const INDEX = /^(|Unnamed: 0(\.\d+)?|__index_level_\d+__)$/

/** Says which column of a table is what. */
export function readHeader(
  columns: readonly string[],
  file: string,
  options: NaturalOptions,
): Header {
  const at = new Map<NaturalColumn, number>()
  const findings: Finding[] = []
  for (const name of NAMES) {
    const mapped = options.columns?.[name]
    const index = columns.indexOf(mapped ?? name)
    if (index !== -1 && mapped !== '') at.set(name, index)
    else if (mapped) {
      const close = nearest(mapped, columns) ?? null
      findings.push(finding('natural-mapped', { column: name, mapped, nearest: close }, { file }))
    }
  }
  const named = columns.indexOf('target_at')
  const used = new Set(at.values())
  const target = named === -1 || used.has(named) ? undefined : named
  if (target !== undefined) used.add(target)
  const others = columns.filter((_, index) => !used.has(index))
  for (const column of others.filter((name) => INDEX.test(name))) {
    findings.push(finding('natural-index', { column }, { file }))
  }
  const rest = others.filter((name) => !INDEX.test(name))
  const header = { at, target, models: undefined, findings }
  if (findings.some(({ code }) => code === 'natural-mapped')) return header
  if (!options.melt) {
    findings.push(...faultsOf(header, rest, columns, file, options))
    return header
  }
  findings.push(...meltFaults(header, rest, columns, file))
  return { ...header, models: rest.map((name) => ({ name, at: columns.indexOf(name) })) }
}

/** What is wrong with the columns of a table that has a row for each forecast, or not imported of it. */
function faultsOf(
  { at, target }: Pick<Header, 'at' | 'target'>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
  options: NaturalOptions,
): Finding[] {
  const missing = REQUIRED.filter(
    (name) =>
      !at.has(name) &&
      !(name === 'price_usd' && at.has('status')) &&
      !(name === 'horizon_hours' && target !== undefined),
  )
  const level = rest.find((name) => QUANTILE_LEVEL.test(name))
  if (level !== undefined) return [finding('natural-quantiles', { column: level }, { file })]
  const guesses = rest.flatMap((name) => {
    const column = meant(name, missing)
    return column === undefined ? [] : [[column, name] as const]
  })
  const isWide = !at.has('model') && !at.has('price_usd') && at.has('origin_at')
  if (isWide && rest.length > 0 && guesses.length === 0) {
    return [finding('natural-wide', { columns: rest }, { file })]
  }
  if (missing.length > 0) {
    const found = columns.filter((name) => name !== '')
    // One name for each, and each name once.
    const guess = [...new Map(guesses)].map(([column, name]) => `${column}=${name}`).join(',')
    const args = { missing, found, guess: guess === '' ? null : guess }
    return [finding('natural-columns', args, { file })]
  }
  if (rest.length === 0) return []
  const absent = NAMES.filter((name) => !at.has(name) && options.columns?.[name] !== '')
  const near = rest.flatMap((column) => {
    const close = meant(column, absent)
    return close === undefined ? [] : [{ column, nearest: close }]
  })
  const others = rest.filter((name) => near.every(({ column }) => column !== name))
  return [
    ...near.map((args) =>
      finding('natural-near', args, { file, severity: severityOf(args.nearest) }),
    ),
    ...(others.length === 0 ? [] : [finding('natural-ignored', { columns: others }, { file })]),
  ]
}

/** What is wrong with the columns of a wide table. */
function meltFaults(
  { at, target }: Pick<Header, 'at' | 'target'>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
): Finding[] {
  const fault = (names: readonly string[], kind: 'long' | 'shared' | 'none') => [
    finding('natural-melt', { columns: names, fault: kind }, { file }),
  ]
  const long = (['model', 'price_usd'] as const).filter((name) => at.has(name))
  if (long.length > 0) return fault(long, 'long')
  const missing = (['origin_at', 'horizon_hours'] as const).filter(
    (name) => !at.has(name) && !(name === 'horizon_hours' && target !== undefined),
  )
  if (missing.length > 0) {
    const guesses = rest.flatMap((name) => {
      const column = meant(name, missing)
      return column === undefined ? [] : [`${column}=${name}`]
    })
    const args = { missing, found: columns, guess: guesses.join(',') || null }
    return [finding('natural-columns', args, { file })]
  }
  const shared = OF_ONE_MODEL.filter((name) => at.has(name))
  if (shared.length > 0) return fault(shared, 'shared')
  return rest.length === 0 ? fault([], 'none') : []
}
