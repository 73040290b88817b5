import {
  checkHistoryBody,
  checkLatestBody,
  checkStaticLatestBody,
  checkStaticPageBody,
} from '../contract/check-payload.js'
import type { RuleName } from '../contract/conformance-rules.js'
import type { Finding } from '../contract/findings/finding.js'
import { messageOf } from '../contract/findings/finding.js'
import type { ForecastKey } from '../contract/order.js'
import { compareKeys } from '../contract/order.js'
import { forecastKey } from '../contract/rules.js'
import type { ForecastResource } from '../contract/types.js'
import { readDocument } from '../document/read.js'
import type { Judge, Place } from './judge.js'

const CHECKS = {
  'static-latest': checkStaticLatestBody,
  'static-page': checkStaticPageBody,
  latest: checkLatestBody,
  history: checkHistoryBody,
} as const
type BodyKind = keyof typeof CHECKS

const LARGEST = 64 * 1024 * 1024

/** The rules that every forecast is judged by. */
const RESOURCE_RULES: readonly RuleName[] = [
  'resource-fields',
  'resource-id',
  'resource-timestamps',
  'resource-horizon',
  'resource-target',
  'resource-interval',
  'resource-level',
  'resource-confidence',
  'resource-lineage',
  'freshness-fields',
]

const RULE_OF_CODE: Readonly<Record<string, RuleName>> = {
  'forecast-id-mismatch': 'resource-id',
  'history-key-mismatch': 'resource-lineage',
  'manifest-absence-unexplained': 'resource-lineage',
  'target-mismatch': 'resource-target',
  'interval-disordered': 'resource-interval',
  'interval-partly-null': 'resource-interval',
  'confidence-unknown-scored': 'resource-confidence',
  'confidence-unknown-unexplained': 'resource-confidence',
  'forecasts-out-of-order': 'page-order',
  'forecast-repeated': 'each-once',
}

function ruleOf(kind: BodyKind, { code, pointer = '' }: Finding): RuleName {
  const known = RULE_OF_CODE[code]
  if (known !== undefined) return known
  if (code === 'page-too-long') return kind === 'history' ? 'limit-kept' : 'page-size'
  if (pointer === '/api_version') return 'api-version'
  if (/\/freshness(?:\/|$)/.test(pointer)) return 'freshness-fields'
  if (code === 'invalid-timestamp') return 'resource-timestamps'
  const inside = /^\/data(?:\/\d+)?(\/.*)$/.exec(pointer)?.[1]
  if (inside === undefined) {
    return /^\/data\/\d+$/.test(pointer) || (pointer === '/data' && kind.endsWith('latest'))
      ? 'resource-fields'
      : 'envelope'
  }
  if (inside === '/interval/level') return 'resource-level'
  if (inside === '/horizon_hours') return 'resource-horizon'
  if (inside === '/confidence/score' && code !== 'wrong-type') return 'resource-confidence'
  return 'resource-fields'
}

/** A body that was read and judged; rows are those to go on with. */
export interface JudgedBody {
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly rows: readonly ForecastResource[]
  /** True when the contract found nothing wrong. */
  readonly sound: boolean
  readonly place: (pointer: string) => Place
}

/** Judges a body by the contract: every finding belongs to one rule, and every other rule has held. */
export function judgeBody(
  judge: Judge,
  kind: BodyKind,
  bytes: Uint8Array,
  where: string,
): JudgedBody {
  const read = readDocument(bytes, where, { maxBytes: LARGEST })
  if (!read.ok) {
    const [fault] = read.findings
    const place = { where, pointer: fault?.pointer, position: fault?.position }
    judge.expect('body-json', false, place, fault ? messageOf(fault).text : 'is not JSON')
    return { value: undefined, rows: [], sound: false, place: () => ({ where }) }
  }
  judge.look('body-json')
  const place = (pointer: string): Place => ({ where, pointer, position: read.positionOf(pointer) })
  const findings = CHECKS[kind](read.value)
  const broken = new Set<RuleName>()
  for (const finding of findings) {
    const rule = ruleOf(kind, finding)
    broken.add(rule)
    judge.expect(rule, false, place(finding.pointer ?? ''), messageOf(finding).text)
  }
  const value = (typeof read.value === 'object' ? read.value : undefined) as JudgedBody['value']
  const data = value?.data
  const sound = findings.every(({ severity }) => severity !== 'error')
  const given = (Array.isArray(data) ? data : data ? [data] : []) as ForecastResource[]
  const rows = sound ? given : []
  const size: RuleName = kind === 'history' ? 'limit-kept' : 'page-size'
  const general: RuleName[] = ['api-version', 'envelope', 'freshness-fields']
  if (Array.isArray(data)) general.push(size)
  for (const rule of general.concat(given.length > 0 ? RESOURCE_RULES : [])) {
    if (!broken.has(rule)) judge.look(rule)
  }
  for (const [index, row] of rows.entries()) {
    judgeChange(judge, row, place(Array.isArray(data) ? `/data/${index}` : '/data'))
  }
  if (rows.length > 1 && !broken.has('page-order')) judge.look('page-order')
  judgeClasses(judge, rows, { where })
  return { value, rows, sound, place }
}

/** Percentage points that rounding of prices and percentages may account for. */
const ROUNDING = 0.02

function judgeChange(judge: Judge, row: ForecastResource, { where, pointer }: Place): void {
  const { price_usd: price, change_pct: change } = row.estimate
  const source = row.lineage.source.price_usd
  if (source <= 0) return
  const expected = (price / source - 1) * 100
  const near = Math.abs(change - expected) <= ROUNDING + Math.abs(expected) * 0.001
  const detail = `change_pct is ${change}, but ${price} is ${expected.toFixed(4)} % off ${source}`
  judge.expect(
    'resource-change',
    near,
    { where, pointer: `${pointer}/estimate/change_pct` },
    detail,
  )
}

function judgeClasses(judge: Judge, rows: readonly ForecastResource[], place: Place): void {
  const ages = (status: string) =>
    rows.filter((row) => row.freshness.status === status).map((row) => row.freshness.age_seconds)
  if (rows.length === 0) return
  const oldestFresh = Math.max(...ages('fresh'), 0)
  const youngestStale = Math.min(...ages('stale'), Number.POSITIVE_INFINITY)
  const detail = `one of ${oldestFresh} s is fresh, one of ${youngestStale} s is stale`
  judge.expect('freshness-classes', oldestFresh <= youngestStale, place, detail)
}

/** Follows a walk over pages: order across their borders, and every row once. */
export class Walk {
  readonly #seen = new Set<string>()
  #last: ForecastKey | undefined

  constructor(
    private readonly judge: Judge,
    private readonly alsoBreaks?: RuleName,
  ) {}

  add(body: JudgedBody): void {
    for (const [index, row] of body.rows.entries()) {
      const key = forecastKey(row)
      const name = `${key.origin} ${key.horizon} ${key.model}`
      const at = body.place(`/data/${index}`)
      const fresh = !this.#seen.has(name)
      const id = row.forecast_id
      this.judge.expect('each-once', fresh, at, `${id} was on an earlier page`)
      if (index === 0 && this.#last !== undefined && fresh) {
        const follows = compareKeys(this.#last, key) < 0
        const detail = `${id} may not follow the last forecast of the page before`
        this.judge.expect('page-order', follows, at, detail)
      }
      if (this.alsoBreaks !== undefined) {
        this.judge.expect(this.alsoBreaks, fresh, at, `${id} was met twice`)
      }
      this.#seen.add(name)
      this.#last = key
    }
  }
}
