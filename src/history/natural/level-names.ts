import { quantileLevel } from '../../forecast/levels.js'
import { findBounds, toBoundLevel } from './bound-names.js'
import {
  FORECAST,
  fractionLevel,
  isNumber,
  type NameParts,
  nameShape,
  percentLevel,
  roundToDecimal,
  splitName,
  type Token,
  toNumber,
} from './name-tokens.js'

/** The meaning of a column name that looks like a quantile or the bound of an interval. */
export interface NamedLevel {
  /** In its canonical spelling; null if the name contains none, or is ambiguous. */
  readonly level: string | null
  /** For `P90`: the 90. */
  readonly percentile: number | null
  /** For `P90`: the level if P90 means the value exceeded in 90 % of cases. */
  readonly exceeded: string | null
}

const NO_LEVEL: NamedLevel = { level: null, percentile: null, exceeded: null }
/** A level that is not a percentile. */
const plainLevel = (level: string | null): NamedLevel => ({ ...NO_LEVEL, level })

const QUANTILE = new Set(['q', 'quantile', 'quantiles', 'quant', 'quantil', 'cuantil'])
const PERCENT = new Set([
  ...['%', 'pct', 'percent', 'perc', 'percentile', 'pctl', 'pctile', 'prctile', 'centile'],
  ...['percentil', 'perzentil', 'centil'],
])

/** `p975` is a percentile; `p850` is a pressure. */
const TAILS = new Set(['975', '995'])
const PERCENTAGE = /^\d{1,2}(?:\.\d+)?$/
/** Quarters of a year: `2026Q1`, `Q1_2026`. */
const DIGIT = /^[1-9]$/
const OF_ONE_DIGIT = /^(?:.*[^a-z])?q[ _-]?[1-9]$/i
/** What parts a distribution is cut into. */
const PARTS: ReadonlyMap<Token, number> = new Map([
  ...['tercile', 'tertile'].map((word) => [word, 3] as const),
  ...['quartile', 'quartil', 'cuartil'].map((word) => [word, 4] as const),
  ...['quintile', 'quintil'].map((word) => [word, 5] as const),
  ...['decile', 'decil', 'dezil'].map((word) => [word, 10] as const),
  ...['vigintile', 'ventile'].map((word) => [word, 20] as const),
])
const ORDINALS = new Set(['first', 'second', 'third', 'last'])
/** Words of columns whose numbers are not levels. */
const OTHER = new Set([
  ...['lag', 'h', 'horizon', 'lead', 'step', 'v', 'version', 'id', 'feature', 'd', 'u', 't'],
  ...['ma', 'sma', 'ema', 'rsi', 'window', 'day', 'days', 'week', 'month', 'year', 'hour', 'hours'],
])
const QUARTER = /^(?:(?:19|20)\d\d[ _-]?q[1-4]|q[1-4][ _-]?(?:19|20)\d\d)$/i

/** The columns that look like a quantile or a bound, with the meaning of their names. */
export function findLevelNames(columns: readonly string[]): ReadonlyMap<string, NamedLevel> {
  const read = columns
    .filter((name) => !QUARTER.test(name))
    .map((name) => ({ name, tokens: splitName(name) }))
  const bounds = findBounds(read)
  // `P0.5` is the median, but may be 0.5 % beside `P99.5`.
  const inPercent = new Set(read.filter(hasPercentage).map(({ tokens }) => nameShape(tokens)))
  const levels = new Map<string, NamedLevel>()
  for (const each of read) {
    const { name, tokens } = each
    const bound = bounds.find((other) => other.name === name)
    const parsed =
      bound === undefined
        ? (parsePercentageName(name, columns) ??
          parseDecileName(tokens, read) ??
          parseQuantileName(tokens, inPercent.has(nameShape(tokens))) ??
          parseForecastName(each, read))
        : plainLevel(toBoundLevel(bound, bounds))
    if (parsed !== undefined) levels.set(name, parsed)
  }
  return withoutDigits(levels)
}

const hasPercentage = ({ tokens }: NameParts) =>
  tokens.some((token) => isNumber(token) && toNumber(token) >= 1)

/** A name that is only a number up to 100 is a percentage if the middle or its counterpart is also a column. */
function parsePercentageName(name: string, columns: readonly string[]): NamedLevel | undefined {
  const inPercent = columns.filter((each) => PERCENTAGE.test(each) && Number(each) >= 1).map(Number)
  if (!PERCENTAGE.test(name) || Number(name) === 0 || inPercent.length === 0) return undefined
  const isLevel = inPercent.includes(roundToDecimal(100 - Number(name)))
  return plainLevel(isLevel ? (percentLevel(name) ?? null) : null)
}

/** Reads a name as a quantile; undefined if it does not look like one. */
function parseQuantileName(tokens: readonly Token[], inPercent: boolean): NamedLevel | undefined {
  if (tokens.at(-1) === 'median') return plainLevel('0.5')
  const levels = tokens.flatMap((_, at) => numberAsLevel(tokens, at, inPercent) ?? [])
  const marked = levels.filter(({ isMarked }) => isMarked)
  const [first, ...others] = marked.length > 0 ? marked : levels
  if (first === undefined) return undefined
  const { isMarked, ...common } = first
  return others.every(({ level }) => level === common.level) ? common : NO_LEVEL
}

/** Reads a number in a name as a level, depending on the words around it. */
function numberAsLevel(
  tokens: readonly Token[],
  at: number,
  inPercent: boolean,
): (NamedLevel & { readonly isMarked: boolean }) | undefined {
  const [before = '', token = '', after = ''] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (!isNumber(token) || toNumber(token) === 0) return undefined
  // In `GPT-4-q10` the mark belongs to the 10.
  const next = isNumber(tokens[at + 2]) && after !== '%' ? '' : after
  const isQuantile = QUANTILE.has(before) || QUANTILE.has(next)
  const isP = before === 'p'
  const isPercent = PERCENT.has(before) || PERCENT.has(next) || next === 'th'
  const isMarked = isQuantile || isP || isPercent
  const ofLevel = (level: string | undefined) => ({
    ...(level !== undefined && isP ? parsePercentile(level) : plainLevel(level ?? null)),
    isMarked,
  })
  const level = after === '%' || next === 'th' ? undefined : fractionLevel(token)
  if (level !== undefined) {
    const isVersion = /^(?:v|ver|version)$/.test(before)
    const isAtEnd = at === 0 || at === tokens.length - 1
    if (isMarked) return ofLevel(inPercent ? undefined : level)
    return isAtEnd && !isVersion ? ofLevel(level) : undefined
  }
  if (!isMarked || toNumber(token) >= 10_000) return undefined
  // `q10_2`: one of two numbers may mean something else.
  if (isNumber(after) && at + 2 === tokens.length) return { ...NO_LEVEL, isMarked }
  // `q025` and `q975`.
  const isThousandth = /^\d{3}$/.test(token)
  if (toNumber(token) < 100)
    return ofLevel(isThousandth ? quantileLevel(`.${token}`) : percentLevel(token))
  if (isPercent || toNumber(token) === 100 || (isP && !TAILS.has(token))) return undefined
  return ofLevel(isThousandth ? quantileLevel(`.${token}`) : undefined)
}

function parsePercentile(level: string): NamedLevel {
  const percentile = roundToDecimal(Number(level) * 100)
  return {
    level,
    percentile,
    exceeded: percentLevel(String(roundToDecimal(100 - percentile))) ?? null,
  }
}

/** `decile_9`, `3rd quartile`; `D1` and `D9`, but not the days `D1` to `D14`. */
function parseDecileName(
  tokens: readonly Token[],
  all: readonly NameParts[],
): NamedLevel | undefined {
  const at = tokens.findIndex((token) => PARTS.has(token))
  if (at >= 0) {
    const parts = PARTS.get(tokens[at] ?? '') ?? 1
    const number = [tokens[at + 1], tokens[at - 1], tokens[at - 2]].find(isNumber)
    if (number === undefined)
      return tokens.some((each) => ORDINALS.has(each)) ? NO_LEVEL : undefined
    const part = toNumber(number)
    const isOne = Number.isInteger(part) && part > 0 && part < parts && 100 % parts === 0
    return plainLevel(isOne ? (quantileLevel(String(roundToDecimal(part / parts))) ?? null) : null)
  }
  const ofD = all.filter((each) => nameShape(each.tokens) === 'd #').map(toPart)
  const part = toPart({ tokens })
  if (nameShape(tokens) !== 'd #' || !ofD.every((each) => DIGIT.test(String(each))))
    return undefined
  const isDecile = part !== 5 ? ofD.includes(10 - part) : ofD.some((each) => each !== 5)
  return plainLevel(isDecile ? `0.${part}` : null)
}

const toPart = ({ tokens }: Pick<NameParts, 'tokens'>) => toNumber(tokens.at(-1) ?? '')

/**
 * Reads names that end in numbers: `m_5` and `m_95` are levels, because they are equally far from 50. Without a
 * counterpart, `prediction_5` may be a level or a fifth model.
 */
function parseForecastName(
  { tokens }: NameParts,
  all: readonly NameParts[],
): NamedLevel | undefined {
  const [last, words] = [tokens.at(-1), tokens.slice(0, -1)]
  if (!isNumber(last) || words.length === 0 || words.some((word) => OTHER.has(word)))
    return undefined
  const numbers = all
    .filter((each) => nameShape(each.tokens) === nameShape(tokens))
    .map((each) => percentIn(each.tokens.at(-1) ?? ''))
  if (!numbers.every((each) => each > 0 && each < 100)) return undefined
  const percent = percentIn(last)
  const hasPair = (each: number) => each !== 50 && numbers.includes(roundToDecimal(100 - each))
  if (numbers.some(hasPair)) {
    const isLevel = percent === 50 || hasPair(percent)
    return plainLevel(isLevel ? (percentLevel(String(percent)) ?? null) : null)
  }
  const isOfForecast = words.every((word) => FORECAST.has(word)) && words.join('') !== 'y'
  return isOfForecast && numbers.some((each) => each >= 5) ? NO_LEVEL : undefined
}

/** `05` is 5, and `025` and `975` are 2.5 and 97.5. */
const percentIn = (token: Token): number =>
  /^0\d\d$/.test(token) || TAILS.has(token) ? toNumber(token) / 10 : toNumber(token)

/**
 * `q1`, `q2` and `q3` may be quartiles or percentages, and `Q1`, `Q5` and `Q9` deciles: a single digit alone is not a
 * level.
 */
function withoutDigits(levels: Map<string, NamedLevel>): ReadonlyMap<string, NamedLevel> {
  const digits = [...levels.keys()].filter((name) => OF_ONE_DIGIT.test(name))
  const isMany = digits.some((name) => !name.endsWith('1'))
  const isAlone = [...levels].every(([name, { level }]) => digits.includes(name) || level === '0.5')
  if (!isMany || !isAlone) return levels
  return new Map(
    [...levels].map(([name, level]) => (digits.includes(name) ? [name, NO_LEVEL] : [name, level])),
  )
}
