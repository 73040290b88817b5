import {
  FILLER,
  FORECAST,
  isNumber,
  type NameParts,
  nameShape,
  percentLevel,
  roundToDecimal,
  type Token,
  toNumber,
} from './name-tokens.js'

type Side = 'lower' | 'upper'

/** A column that looks like the bound of an interval. */
export interface Bound {
  readonly name: string
  readonly side: Side
  /** Its number, in percent; undefined if no number surely belongs to it. */
  readonly percent: number | undefined
  /** `lo-80` and `80%_lower` are bounds of an interval that covers 80 %, in several packages. */
  readonly isCoverage: boolean
}

const sides = (lower: readonly Token[], upper: readonly Token[]): ReadonlyMap<Token, Side> =>
  new Map([
    ...lower.map((token) => [token, 'lower'] as const),
    ...upper.map((token) => [token, 'upper'] as const),
  ])

/** Words that mark a bound in any position. */
const SIDES = sides(
  ['lower', 'lwr', 'lcl', 'lci', 'lpl', 'lcb', 'lclm', 'inferior', 'untere'],
  ['upper', 'upr', 'ucl', 'uci', 'upl', 'ucb', 'uclm', 'superior', 'obere'],
)
/** Bounds only at the end of a name, or before a number: `yhat_lo`, `hi-80`, but not `high_season`. */
const SHORT_SIDES = sides(['lo', 'low', 'lb'], ['hi', 'high', 'ub'])
/** Words that mark bounds only if another column has the counterpart: `l80` and `u80`, `sales_min` and `sales_max`. */
const PAIRS: readonly (readonly [lower: Token, upper: Token])[] = [
  ['min', 'max'],
  ['minimum', 'maximum'],
  ['inf', 'sup'],
  ['l', 'u'],
  ['ll', 'ul'],
  ['lo', 'hi'],
  ['low', 'high'],
  ['bottom', 'top'],
  ['minus', 'plus'],
  ['worst', 'best'],
  ['pessimistic', 'optimistic'],
]
/**
 * The first of these, up to this number, also mark bounds alone, if all other words of the name are about forecasts and
 * intervals.
 */
const LONE_PAIRS = 5
/** A single letter counts only with one of these words, because wind also has a `u`. */
const INTERVAL = new Set(['ci', 'pi', 'ic', 'conf', 'confidence', 'interval', 'bound', 'limit'])
const JOINED_SIDE =
  /^(?:(?:y?hat|y|ci|pi|pred|forecast|fcst)(?:(lower|min|lo|low)|(upper|max|hi|high))|(?:(lower)|(upper))(?:bound|limit|ci|cl|conf))$/

/** The columns that look like bounds. */
export function findBounds(columns: readonly NameParts[]): readonly Bound[] {
  const shapes = new Set(columns.map(({ tokens }) => nameShape(tokens)))
  return columns.flatMap(({ name, tokens }) => {
    for (const at of tokens.keys()) {
      const side = findSide(tokens, at, shapes)
      if (side === undefined) continue
      const number = findBoundNumber(tokens, at)
      const value = number === undefined ? undefined : toNumber(number)
      const percent = value !== undefined && value < 1 ? roundToDecimal(value * 100) : value
      const isShort = tokens[at] === 'lo' || tokens[at] === 'hi'
      const isCoverage = (isShort && isNumber(tokens[at + 1])) || tokens[at - 1] === '%'
      return [{ name, side, percent, isCoverage }]
    }
    return []
  })
}

function findSide(
  tokens: readonly Token[],
  at: number,
  shapes: ReadonlySet<string>,
): Side | undefined {
  const token = tokens[at] ?? ''
  const joined = JOINED_SIDE.exec(token)
  if (joined !== null) return (joined[1] ?? joined[3]) === undefined ? 'upper' : 'lower'
  const long = SIDES.get(token)
  if (long !== undefined) return long
  const isLast = tokens.slice(at + 1).every((each) => isNumber(each) || FILLER.has(each))
  const short = isLast ? SHORT_SIDES.get(token) : undefined
  if (short !== undefined) return short
  const index = PAIRS.findIndex((pair) => pair.includes(token))
  const [lower, upper] = PAIRS[index] ?? []
  if (lower === undefined || upper === undefined) return undefined
  const side = token === lower ? 'lower' : 'upper'
  const others = tokens.toSpliced(at, 1)
  const isAlone =
    index < LONE_PAIRS &&
    // `15 min` is a time.
    !isNumber(tokens[at - 1]) &&
    others.every((each) => isNumber(each) || FILLER.has(each) || FORECAST.has(each)) &&
    (token.length > 2 || others.some((each) => INTERVAL.has(each)))
  const neighbour = tokens.with(at, token === lower ? upper : lower)
  return isAlone || shapes.has(nameShape(neighbour)) ? side : undefined
}

/** `lower_80`, `lower_ci_80`, `80%_lower`, `Coverage_0.8_lower`; the 2 of `yhat2_lower` is not a percentage. */
function findBoundNumber(tokens: readonly Token[], at: number): Token | undefined {
  const next = tokens.slice(at + 1).find((each) => !FILLER.has(each))
  const before = tokens.slice(0, at).filter((each) => !FILLER.has(each))
  const isBefore = before.length === 1 || tokens[at - 1] === '%'
  const number = isNumber(next) ? next : isBefore ? before.at(-1) : undefined
  if (!isNumber(number)) return undefined
  const value = toNumber(number)
  return value > 0 && value < 100 && (value >= 10 || /[.,]/.test(number)) ? number : undefined
}

/**
 * The level of a bound. Its percentage is taken as the coverage of an interval, unless other names show that it is a
 * level.
 */
export function toBoundLevel(bound: Bound, all: readonly Bound[]): string | null {
  const { side, percent, isCoverage } = bound
  if (percent === undefined) return null
  const has = (other: number) =>
    all.some((each) => each.side !== side && each.percent === roundToDecimal(other))
  // `lower_10` and `upper_90` together are levels.
  const isLevel = !isCoverage && has(100 - percent) && !has(percent)
  if (!isLevel && !isCoverage && percent < 50) return null
  const lower = (100 - percent) / 2
  const at = isLevel ? percent : side === 'lower' ? lower : 100 - lower
  return percentLevel(String(roundToDecimal(at))) ?? null
}
