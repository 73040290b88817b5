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

function isColumn(name: string): name is NaturalColumn {
  return NAMES.includes(name)
}
