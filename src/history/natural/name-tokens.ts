import { quantileLevel } from '../../forecast/levels.js'

/** A word, a number or a percent sign in the name of a column. */
export type Token = string

/** The parts of a column name. */
export interface NameParts {
  readonly name: string
  readonly tokens: readonly Token[]
}

/** The numbers of a name: `0.1`, `.1`, `97.5`, `10`; a point before `97.5` only separates it from a word. */
const TOKEN = /\p{L}+|%|\d+[.,]\d+|(?<!\d)[.,]\d+(?![.,]?\d)|\d+/gu
const NUMBER = /^[.,]?\d/

/** Words next to a bound or a level that do not change its meaning. */
export const FILLER: ReadonlySet<Token> = new Set([
  ...['x', 'q', 'th', 'ci', 'pi', 'ic', 'cl', 'conf', 'confidence', 'prediction', 'credible'],
  ...['interval', 'level', 'coverage', 'bound', 'limit', 'lim', 'limite', 'borne', 'grenze'],
  ...['range', 'pct', 'percent', 'quantile', '%'],
])

/** Words for a forecast. */
export const FORECAST: ReadonlySet<Token> = new Set([
  ...['y', 'yhat', 'hat', 'pred', 'prediction', 'predicted', 'forecast', 'fcst', 'fc'],
])

/** The words and numbers of a name, in lower case. */
export function splitName(name: string): readonly Token[] {
  const plain = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    // R writes `X10.` for `10%`, and its janitor `x2_5_percent` for `2.5%`, `x0_1` for `0.1`.
    .replace(/^x(\d+(?:\.\d+)?)\.+(?=$|[a-z])/, '$1% ')
    .replace(/^x(\d+)_(\d+)(?=_percent$)|^x(0)_(\d+)$/, '$1$3.$2$4')
    // `q0_1` and `q0p1` in databases, where names have no points; `p2_5` is not a 2.
    .replace(/((?:^|[^a-z])(?:q|p|quantile)[ _-]?|^)0[_p](\d+)$/, '$10.$2')
    .replace(
      /((?:^|[^a-z])(?:q|p|pct|quantile|percentile)[ _-]?)(2|12|37|62|87|97|99)[_p]5$/,
      '$1$2.5',
    )
  return plain.match(TOKEN) ?? []
}

/** A name without its numbers. */
export const nameShape = (tokens: readonly Token[]): string =>
  tokens.map((token) => (isNumber(token) ? '#' : token)).join(' ')

export const isNumber = (token: Token | undefined): token is Token =>
  token !== undefined && NUMBER.test(token)
export const toNumber = (token: Token): number => Number(token.replace(',', '.'))

/** Removes the floating-point error of a computed decimal number. */
export const roundToDecimal = (value: number): number => Number(value.toPrecision(12))

/** A number between 0 and 1, as a level. */
export const fractionLevel = (token: Token): string | undefined =>
  /[.,]/.test(token) ? quantileLevel(token.replace(',', '.')) : undefined

/** A number between 0 and 100, as a level: `2.5` is 0.025. */
export function percentLevel(token: Token): string | undefined {
  const [integerPart = '', decimals = ''] = token.split(/[.,]/)
  return integerPart.length > 2
    ? undefined
    : quantileLevel(`.${integerPart.padStart(2, '0')}${decimals}`)
}
