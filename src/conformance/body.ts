import { checkPayload, type PayloadName } from '../contract/check-payload.js'
import type { RuleName } from '../contract/conformance-rules.js'
import { type Finding, formatMessage } from '../contract/findings/finding.js'
import { valueAt } from '../contract/pointer.js'
import { findRowRule, isUnsendable } from '../contract/row-rules.js'
import type { ForecastResource } from '../contract/types.js'
import { readDocument } from '../document/read.js'
import type { FaultLocation, RuleChecks } from './judge.js'

type BodyKind = Extract<
  PayloadName,
  'static-latest' | 'static-page' | 'latest' | 'history' | 'health'
>

const LARGEST = 64 * 1024 * 1024

/** Rules that apply to every forecast. */
const RESOURCE_RULES: readonly RuleName[] = [
  'resource-fields',
  'resource-id',
  'resource-timestamps',
  'resource-horizon',
  'resource-target',
  'resource-interval',
  'resource-level',
  'resource-confidence',
  'resource-price',
  'resource-change',
  'resource-lineage',
  'freshness-fields',
]

const RULE_OF_CODE: Readonly<Record<string, RuleName>> = {
  'forecasts-out-of-order': 'page-order',
  'forecast-repeated': 'each-once',
}

/** The rules that a fault breaks: the rule of `api_version`, which applies to every body, and one more. */
export function brokenRules(fault: Finding, fallback: (fault: Finding) => RuleName): RuleName[] {
  const { code, pointer = '', args } = fault
  const missing = code === 'missing-key' && pointer === '' && 'keys' in args ? args.keys : []
  const ofVersion = pointer === '/api_version' || missing.includes('api_version')
  const ofOthers = !ofVersion || missing.length > 1
  return [...(ofVersion ? ['api-version' as const] : []), ...(ofOthers ? [fallback(fault)] : [])]
}

function ruleForFinding(kind: BodyKind, finding: Finding): RuleName {
  if (kind === 'health') return 'health-body'
  const { code, pointer = '' } = finding
  const rule = findRowRule(finding)?.conformance ?? RULE_OF_CODE[code]
  if (rule !== undefined) return rule
  if (code === 'page-too-long') return kind === 'history' ? 'limit-kept' : 'page-size'
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

/** A body that was parsed and checked; `rows` are those to continue with. */
export interface CheckedBody {
  /** File or address. */
  readonly where: string
  readonly value: Readonly<Record<string, unknown>> | undefined
  readonly rows: readonly ForecastResource[]
  /** True if the only faults are in the content of a forecast. */
  readonly sound: boolean
  /** The location of a member of the body. */
  readonly locate: (pointer: string) => FaultLocation
  /** Records whether a rule holds at a member of the body; see `Judge`. */
  readonly expect: (rule: RuleName, holds: boolean, pointer: string, detail: string) => boolean
  /** The pointer to a row. */
  readonly rowPointer: (index: number) => string
}

/** Checks a body against the contract: each finding breaks one rule, and all other rules hold. */
export function checkBody(
  judge: RuleChecks,
  kind: BodyKind,
  bytes: Uint8Array,
  where: string,
): CheckedBody {
  const read = readDocument(bytes, where, { maxBytes: LARGEST })
  if (!read.ok) {
    const [fault] = read.findings
    const at = { where, pointer: fault?.pointer, position: fault?.position }
    judge.expect('body-json', false, at, fault ? formatMessage(fault).text : 'is not JSON')
    const nothing = { value: undefined, rows: [], sound: false, rowPointer: () => '' }
    return { where, ...nothing, locate: () => ({ where }), expect: () => false }
  }
  judge.countChecks('body-json')
  const locate = (pointer: string): FaultLocation => ({
    where,
    pointer,
    row: rowAt(read.value, pointer),
    get position() {
      return read.positionAt(pointer)
    },
  })
  const expect: CheckedBody['expect'] = (rule, holds, pointer, detail) =>
    judge.expect(rule, holds, () => locate(pointer), detail)
  const findings = checkPayload(kind, read.value).filter(({ severity }) => severity === 'error')
  const broken = new Set<RuleName>()
  for (const finding of findings) {
    for (const rule of brokenRules(finding, (each) => ruleForFinding(kind, each))) {
      broken.add(rule)
      expect(rule, false, finding.pointer ?? '', formatMessage(finding).text)
    }
  }
  const value = (typeof read.value === 'object' ? read.value : undefined) as CheckedBody['value']
  const isHealth = kind === 'health'
  // The data of health are not forecasts.
  const data = isHealth ? undefined : value?.data
  const sound = !isUnsendable(findings)
  const given = (Array.isArray(data) ? data : data ? [data] : []) as ForecastResource[]
  const rows = sound ? given : []
  const size: RuleName = kind === 'history' ? 'limit-kept' : 'page-size'
  const special: RuleName[] = isHealth ? ['health-body'] : ['envelope', 'freshness-fields']
  const general: RuleName[] = ['api-version', ...special]
  if (Array.isArray(data)) general.push(size)
  for (const rule of general.concat(given.length > 0 ? RESOURCE_RULES : [])) {
    if (!broken.has(rule)) judge.countChecks(rule)
  }
  const rowPointer = (index: number) => (Array.isArray(data) ? `/data/${index}` : '/data')
  if (rows.length > 1 && !broken.has('page-order')) judge.countChecks('page-order')
  return { where, value, rows, sound, locate, expect, rowPointer }
}

/** The id of the forecast that a pointer points into. */
function rowAt(body: unknown, pointer: string): string | undefined {
  const row = /^\/data(?:\/\d+)?/.exec(pointer)?.[0]
  const id = row === undefined ? undefined : valueAt(body, `${row}/forecast_id`)
  return typeof id === 'string' ? id : undefined
}
