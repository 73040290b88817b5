import { ForeproofError } from '../../contract/error.js'
import { nearest } from '../../contract/nearest.js'
import { NATURAL_COLUMNS, type NaturalColumn } from '../../history/natural/columns.js'

const NAMES: readonly string[] = NATURAL_COLUMNS.map(({ name }) => name)

/**
 * What `--columns price_usd=yhat,model=name` says; `q10_usd=` says that there is no such column.
 * @throws {ForeproofError} `usage` for what is not of this form.
 */
export function columnsOption(
  given: readonly string[] | undefined,
): Partial<Record<NaturalColumn, string>> | undefined {
  if (given === undefined) return undefined
  const columns: Partial<Record<NaturalColumn, string>> = {}
  for (const part of given.flatMap((list) => list.split(','))) {
    const [column = '', ...name] = part.split('=')
    if (name.length === 0) {
      throw new ForeproofError('usage', `--columns: ${part} is not COLUMN=NAME`, {
        help: 'Such as --columns price_usd=yhat,model=name',
      })
    }
    if (!isColumn(column)) {
      const close = nearest(column, NAMES)
      throw new ForeproofError('usage', `--columns: a forecast has no column ${column}`, {
        help: close === undefined ? `It has ${NAMES.join(', ')}.` : `Did you mean ${close}?`,
      })
    }
    columns[column] = name.join('=')
  }
  return columns
}

/**
 * What `--sep` says: one character, or `tab`.
 * @throws {ForeproofError} `usage` for anything else.
 */
export function separatorOption(given: string | undefined): string | undefined {
  if (given === undefined || /^[;,|\t]$/.test(given)) return given
  if (given === 'tab' || given === '\\t') return '\t'
  throw new ForeproofError('usage', `--sep ${given}: nothing that separates cells`, {
    help: 'Give ; or | (in quotes), a comma, or the word tab.',
  })
}

/** What says how tables of forecasts are read, and says nothing of these formats. */
const WITHOUT_EFFECT = {
  hubverse: ['columns', 'melt', 'utc', 'sep', 'decimal'],
  scoringutils: ['columns', 'melt', 'sep', 'decimal'],
} as const
export const IMPORTS = ['hubverse', 'scoringutils'] as const

/** @throws {ForeproofError} `usage` for an option that has no effect beside `--from`. */
export function refuseWithoutEffect(
  from: (typeof IMPORTS)[number] | undefined,
  given: Readonly<Record<string, unknown>>,
): void {
  if (from === undefined) return
  const names = WITHOUT_EFFECT[from].filter(
    (name) => given[name] !== undefined && given[name] !== false,
  )
  if (names.length === 0) return
  const options = names.map((name) => `--${name}`).join(' and ')
  throw new ForeproofError('usage', `--from ${from} leaves no room for ${options}`, {
    help: 'That format says itself what its columns and times are. Leave one of the two out.',
  })
}

function isColumn(name: string): name is NaturalColumn {
  return NAMES.includes(name)
}
