import { quantileLevel } from '../../forecast/levels.js'

/** What the name of a column says, where it looks like a quantile or the bound of an interval. */
export interface NamedLevel {
  /** In its one spelling; null where the name says none, or not for sure. */
  readonly level: string | null
  /** Of `P90`: the 90. */
  readonly percentile: number | null
  /** Of `P90`: the level where P90 is what is exceeded in 90 %. */
  readonly exceeded: string | null
}

const NO_LEVEL: NamedLevel = { level: null, percentile: null, exceeded: null }
/** A level that is no percentile. */
const plainLevel = (level: string | null): NamedLevel => ({ ...NO_LEVEL, level })

/** A word, a number or a percent sign in a name. */
type Token = string

/** The numbers of a name: `0.1`, `.1`, `97.5`, `10`; a point before `97.5` only parts it from a word. */
const TOKEN = /[a-z]+|%|\d+[.,]\d+|(?<!\d)[.,]\d+(?![.,]?\d)|\d+/g
const NUMBER = /^[.,]?\d/

const SIDES: Readonly<Record<string, 'lower' | 'upper'>> = {
  ...{ lower: 'lower', lwr: 'lower', lcl: 'lower', lci: 'lower' },
  ...{ upper: 'upper', upr: 'upper', ucl: 'upper', uci: 'upper' },
}
/** Words that are bounds at the end of a name, or before a number: `yhat_lo`, `hi-80`, but not `high_season`. */
const SHORT_SIDES: Readonly<Record<string, 'lower' | 'upper'>> = {
  ...{ lo: 'lower', low: 'lower', lb: 'lower' },
  ...{ hi: 'upper', high: 'upper', ub: 'upper' },
}
const JOINED_SIDE =
  /^(?:(?:y?hat|ci|pi|pred|forecast)(lower|upper)|(lower|upper)(?:bound|limit|ci|cl|conf))$/
/** Words beside a bound or a level that change nothing. */
const FILLER = new Set([
  ...['x', 'q', 'th', 'ci', 'pi', 'cl', 'conf', 'confidence', 'prediction', 'credible'],
  ...['interval', 'level', 'coverage', 'bound', 'limit', 'pct', 'percent', 'quantile', '%'],
])
const QUANTILE = new Set(['q', 'quantile', 'quantiles', 'quant'])
const PERCENT = new Set(['%', 'pct', 'percent', 'perc', 'percentile', 'prctile', 'centile'])

/** `p975` is a percentile; `p850` is a pressure. */
const TAILS = new Set(['975', '995'])
const PERCENTAGE = /^\d{1,2}(?:\.\d+)?$/
/** Quarters of a year: `2026Q1`, `Q1_2026`. */
const QUARTER = /^(?:(?:19|20)\d\d[ _-]?q[1-4]|q[1-4][ _-]?(?:19|20)\d\d)$/i

/** The columns that look like a quantile or a bound, and what their names say. */
export function namedLevels(columns: readonly string[]): ReadonlyMap<string, NamedLevel> {
  const read = columns
    .filter((name) => !QUARTER.test(name))
    .map((name) => ({ name, tokens: tokensOf(name) }))
  const bounds = read.flatMap(({ name, tokens }) => boundIn(name, tokens) ?? [])
  // `P0.5` is the median, but may be 0.5 % beside `P99.5`.
  const inPercent = new Set(read.filter(hasPercentage).map(({ tokens }) => shapeOf(tokens)))
  const found = new Map<string, NamedLevel>()
  for (const { name, tokens } of read) {
    const bound = bounds.find((each) => each.name === name)
    const said =
      bound === undefined
        ? (percentageOf(name, columns) ?? quantileIn(tokens, inPercent.has(shapeOf(tokens))))
        : levelOfBound(bound, bounds)
    if (said !== undefined) found.set(name, said)
  }
  return withoutQuartiles(found)
}

/** The words and numbers of a name, in lower case. */
function tokensOf(name: string): readonly Token[] {
  const plain = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    // R writes `X10.` for `10%`.
    .replace(/^x(\d+(?:\.\d+)?)\.+(?=$|[a-z])/, '$1% ')
    // `q0_1` and `q0p1` in databases, where names have no points.
    .replace(/((?:^|[^a-z])(?:q|p|quantile)[ _-]?|^)0[_p](\d+)$/, '$10.$2')
  return plain.match(TOKEN) ?? []
}

/** A name without its numbers. */
const shapeOf = (tokens: readonly Token[]) =>
  tokens.map((token) => (isNumber(token) ? '#' : token)).join(' ')
const hasPercentage = ({ tokens }: { readonly tokens: readonly Token[] }) =>
  tokens.some((token) => isNumber(token) && toNumber(token) >= 1)

const isNumber = (token: Token | undefined): token is Token =>
  token !== undefined && NUMBER.test(token)
const toNumber = (token: Token) => Number(token.replace(',', '.'))

/** A number between 0 and 1, as a level. */
const fraction = (token: Token) =>
  /[.,]/.test(token) ? quantileLevel(token.replace(',', '.')) : undefined

/** A number between 0 and 100, as a level: `2.5` is 0.025. */
function hundredth(token: Token): string | undefined {
  const [whole = '', decimals = ''] = token.split(/[.,]/)
  return whole.length > 2 ? undefined : quantileLevel(`.${whole.padStart(2, '0')}${decimals}`)
}

interface Bound {
  readonly name: string
  readonly side: 'lower' | 'upper'
  /** The number with it, in percent; undefined where there is none that is surely its own. */
  readonly percent: number | undefined
  /** `lo-80` and `80%_lower` are of an interval that covers 80 %, in several packages. */
  readonly isCoverage: boolean
}

function boundIn(name: string, tokens: readonly Token[]): Bound | undefined {
  for (const [at, token] of tokens.entries()) {
    const joined = JOINED_SIDE.exec(token)
    const long = Object.hasOwn(SIDES, token) ? SIDES[token] : (joined?.[1] ?? joined?.[2])
    const short = Object.hasOwn(SHORT_SIDES, token) ? SHORT_SIDES[token] : undefined
    const isLast = tokens.slice(at + 1).every((each) => isNumber(each) || FILLER.has(each))
    const side = long ?? (isLast ? short : undefined)
    if (side === undefined) continue
    const number = numberOfBound(tokens, at)
    const value = number === undefined ? undefined : toNumber(number)
    const percent = value !== undefined && value < 1 ? round(value * 100) : value
    const isShort = token === 'lo' || token === 'hi'
    const isCoverage = (isShort && isNumber(tokens[at + 1])) || tokens[at - 1] === '%'
    return { name, side: side as Bound['side'], percent, isCoverage }
  }
  return undefined
}

const round = (value: number) => Number(value.toPrecision(12))

/** `lower_80`, `lower_ci_80`, `80%_lower`, `Coverage_0.8_lower`; the 2 of `yhat2_lower` is no percentage. */
function numberOfBound(tokens: readonly Token[], at: number): Token | undefined {
  const next = tokens.slice(at + 1).find((each) => !FILLER.has(each))
  const before = tokens.slice(0, at).filter((each) => !FILLER.has(each))
  const isBefore = before.length === 1 || tokens[at - 1] === '%'
  const number = isNumber(next) ? next : isBefore ? before.at(-1) : undefined
  if (!isNumber(number)) return undefined
  const value = toNumber(number)
  return value > 0 && value < 100 && (value >= 10 || /[.,]/.test(number)) ? number : undefined
}

/** The level of a bound: of an interval that covers its percentage, unless the names beside it say another thing. */
function levelOfBound(bound: Bound, all: readonly Bound[]): NamedLevel {
  const { side, percent, isCoverage } = bound
  if (percent === undefined) return NO_LEVEL
  const has = (other: number) =>
    all.some((each) => each.side !== side && each.percent === round(other))
  // `lower_10` beside `upper_90` are levels.
  const isLevel = !isCoverage && has(100 - percent) && !has(percent)
  if (!isLevel && !isCoverage && percent < 50) return NO_LEVEL
  const lower = (100 - percent) / 2
  const at = isLevel ? percent : side === 'lower' ? lower : 100 - lower
  return plainLevel(hundredth(String(round(at))) ?? null)
}

/** A name that is nothing but a number up to 100 is one of percent where the middle or its counterpart is beside it. */
function percentageOf(name: string, columns: readonly string[]): NamedLevel | undefined {
  const inPercent = columns.filter((each) => PERCENTAGE.test(each) && Number(each) >= 1).map(Number)
  if (!PERCENTAGE.test(name) || Number(name) === 0 || inPercent.length === 0) return undefined
  const isLevel = inPercent.includes(round(100 - Number(name)))
  return plainLevel(isLevel ? (hundredth(name) ?? null) : null)
}

/** What a name says of a quantile; undefined where it does not look like one. */
function quantileIn(tokens: readonly Token[], inPercent: boolean): NamedLevel | undefined {
  if (tokens.at(-1) === 'median') return plainLevel('0.5')
  const found = tokens.flatMap((_, at) => numberAsLevel(tokens, at, inPercent) ?? [])
  const marked = found.filter(({ isMarked }) => isMarked)
  const [first, ...others] = marked.length > 0 ? marked : found
  if (first === undefined) return undefined
  const { isMarked, ...said } = first
  return others.every(({ level }) => level === said.level) ? said : NO_LEVEL
}

/** A number of a name as a level, by what is beside it. */
function numberAsLevel(
  tokens: readonly Token[],
  at: number,
  inPercent: boolean,
): (NamedLevel & { readonly isMarked: boolean }) | undefined {
  const [before = '', token = '', after = ''] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  if (!isNumber(token) || toNumber(token) === 0) return undefined
  // In `GPT-4-q10` the mark is that of the 10.
  const next = isNumber(tokens[at + 2]) && after !== '%' ? '' : after
  const isQuantile = QUANTILE.has(before) || QUANTILE.has(next)
  const isP = before === 'p'
  const isPercent = PERCENT.has(before) || PERCENT.has(next) || next === 'th'
  const isMarked = isQuantile || isP || isPercent
  const ofLevel = (level: string | undefined) => ({
    ...(level !== undefined && isP ? percentileOf(level) : plainLevel(level ?? null)),
    isMarked,
  })
  const level = after === '%' || next === 'th' ? undefined : fraction(token)
  if (level !== undefined) {
    const isVersion = /^(?:v|ver|version)$/.test(before)
    const isAtEnd = at === 0 || at === tokens.length - 1
    if (isMarked) return ofLevel(inPercent ? undefined : level)
    return isAtEnd && !isVersion ? ofLevel(level) : undefined
  }
  if (!isMarked || toNumber(token) >= 10_000) return undefined
  // `q025` and `q975`.
  const isThousandth = /^\d{3}$/.test(token)
  if (toNumber(token) < 100)
    return ofLevel(isThousandth ? quantileLevel(`.${token}`) : hundredth(token))
  if (isPercent || toNumber(token) === 100 || (isP && !TAILS.has(token))) return undefined
  return ofLevel(isThousandth ? quantileLevel(`.${token}`) : undefined)
}

function percentileOf(level: string): NamedLevel {
  const percentile = round(Number(level) * 100)
  return { level, percentile, exceeded: hundredth(String(round(100 - percentile))) ?? null }
}

/** `q1`, `q2` and `q3` are quartiles as well as percentages: with a 2 or a 3 and nothing else they say no level. */
function withoutQuartiles(found: Map<string, NamedLevel>): ReadonlyMap<string, NamedLevel> {
  const quartiles = [...found.keys()].filter((name) => /^(?:.*[^a-z])?q[ _-]?[1-4]$/i.test(name))
  const isQuarters = quartiles.some((name) => !name.endsWith('1'))
  const isAlone = [...found].every(
    ([name, { level }]) => quartiles.includes(name) || level === '0.5',
  )
  if (!isQuarters || !isAlone) return found
  return new Map(
    [...found].map(([name, said]) => (quartiles.includes(name) ? [name, NO_LEVEL] : [name, said])),
  )
}
