import { isObject } from '../../contract/is-object.js'
import { magicOf } from '../../table/csv.js'
import type { TableInput } from '../../table/input.js'
import { createSplitter } from '../../table/split.js'
import { NATURAL_COLUMNS } from './columns.js'
import type { NaturalOptions } from './options.js'

/** Members of what an import knows otherwise: resources, attempts, bodies of the API. */
const OTHERWISE_KNOWN = ['forecast_id', 'estimate', 'model_name', 'api_version']

/** True for an input that is a table of forecasts, by its beginning or because the options say so. */
export function isNatural(input: TableInput, options: NaturalOptions): boolean {
  if (input.kind === 'parquet') return true
  if (Object.values(options).some((given) => given !== undefined && given !== false)) return true
  return input.kind === 'csv' ? hasHeader(input.start) : isRow(firstValue(input))
}

/** True for what can only be meant as a table: JSON values have neither such a line nor such bytes. */
function hasHeader(start: Buffer): boolean {
  if (magicOf(start) !== undefined) return true
  const line =
    start
      .toString('utf8')
      .trimStart()
      .split(/[\r\n]/, 1)[0] ?? ''
  return NATURAL_COLUMNS.some(({ name }) => line.includes(name)) || /\w[,;\t|]/.test(line)
}

function isRow(value: unknown): boolean {
  return (
    isObject(value) && 'origin_at' in value && !OTHERWISE_KNOWN.some((member) => member in value)
  )
}

/** The first value of the JSON in an input; undefined where it does not lie within its beginning. */
function firstValue({ name, start, isWhole }: TableInput): unknown {
  try {
    const splitter = createSplitter(name)
    const [piece] = splitter.push(start)
    const first = piece ?? (isWhole ? splitter.end()[0] : undefined)
    return first && JSON.parse(first.bytes.toString('utf8'))
  } catch {
    // Whoever reads it as JSON says what is wrong.
    return undefined
  }
}
