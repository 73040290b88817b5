import { type Finding, finding } from '../../contract/findings/finding.js'
import { nearest } from '../../contract/nearest.js'
import { NATURAL_COLUMNS, type NaturalColumn } from './columns.js'
import { meant } from './names.js'
import type { NaturalOptions } from './options.js'

/** Which cell of a row is what. */
export interface Header {
  readonly at: ReadonlyMap<NaturalColumn, number>
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
  const used = new Set(at.values())
  const others = columns.filter((_, index) => !used.has(index))
  for (const column of others.filter((name) => INDEX.test(name))) {
    findings.push(finding('natural-index', { column }, { file }))
  }
  const rest = others.filter((name) => !INDEX.test(name))
  const header = { at, models: undefined, findings }
  if (findings.some(({ code }) => code === 'natural-mapped')) return header
  if (!options.melt) {
    findings.push(...faultsOf(at, rest, columns, file, options))
    return header
  }
  findings.push(...meltFaults(at, rest, columns, file))
  return { ...header, models: rest.map((name) => ({ name, at: columns.indexOf(name) })) }
}

/** What is wrong with the columns of a table that has a row for each forecast, or not imported of it. */
function faultsOf(
  at: ReadonlyMap<NaturalColumn, number>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
  options: NaturalOptions,
): Finding[] {
  const missing = REQUIRED.filter(
    (name) => !at.has(name) && !(name === 'price_usd' && at.has('status')),
  )
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
    return close === undefined
      ? []
      : [finding('natural-near', { column, nearest: close }, { file })]
  })
  return near.length > 0 ? near : [finding('natural-ignored', { columns: rest }, { file })]
}

/** What is wrong with the columns of a wide table. */
function meltFaults(
  at: ReadonlyMap<NaturalColumn, number>,
  rest: readonly string[],
  columns: readonly string[],
  file: string,
): Finding[] {
  const fault = (names: readonly string[], kind: 'long' | 'shared' | 'none') => [
    finding('natural-melt', { columns: names, fault: kind }, { file }),
  ]
  const long = (['model', 'price_usd'] as const).filter((name) => at.has(name))
  if (long.length > 0) return fault(long, 'long')
  const missing = (['origin_at', 'horizon_hours'] as const).filter((name) => !at.has(name))
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
