import type { RuleName } from './conformance-rules.js'
import type { Code, Finding } from './findings/finding.js'

/** A rule that no schema can say of one forecast; `forecastRules` judges it, its severity is the catalogue's. */
export interface RowRuleSettings {
  /** What `conformance` calls it; absent where the rule is none of the specification's. */
  readonly conformance?: RuleName
  /**
   * The forecast says what its history says, and can be read: a service that only reads a history sends it, and
   * warns its operator. Without this a breach is not sent.
   */
  readonly isSent?: true
}

/**
 * What makes a forecast sound, for all that judge one: `history import`, `history pull`, `history verify`, `publish`,
 * `serve` and `conformance`. What is an error to one of them is an error to all.
 */
export const ROW_RULES = {
  'forecast-id-mismatch': { conformance: 'resource-id' },
  'history-key-mismatch': { conformance: 'resource-lineage' },
  'manifest-absence-unexplained': { conformance: 'resource-lineage' },
  'target-mismatch': { conformance: 'resource-target', isSent: true },
  'price-not-positive': { conformance: 'resource-price', isSent: true },
  'price-implausible': { isSent: true },
  'change-mismatch': { conformance: 'resource-change', isSent: true },
  'interval-disordered': { conformance: 'resource-interval' },
  'interval-partly-null': { conformance: 'resource-interval' },
  'confidence-unknown': { conformance: 'resource-confidence' },
} as const satisfies Partial<Record<Code, RowRuleSettings>>

/** The rule that a finding says is broken; undefined for one of a schema or of a page. */
export function findRowRule({ code }: Pick<Finding, 'code'>): RowRuleSettings | undefined {
  return (ROW_RULES as Partial<Record<Code, RowRuleSettings>>)[code]
}

/** True where an error among the findings keeps a forecast from being sent. */
export function isUnsendable(findings: readonly Finding[]): boolean {
  return findings.some((each) => each.severity === 'error' && !findRowRule(each)?.isSent)
}
