import type { RuleName } from './conformance-rules.js'
import type { Code, Finding } from './findings/finding.js'

/** A rule about one forecast that no schema can express. `forecastRules` checks it; the catalogue has its severity. */
export interface RowRuleSettings {
  /** The rule's name in `conformance`; absent if it is not in the specification. */
  readonly conformance?: RuleName
  /**
   * Such a forecast is readable and matches its history, so a service that only reads a history sends it and warns its
   * operator. Without this a breach is not sent.
   */
  readonly isSent?: true
}

/**
 * The rules of a valid forecast for all commands that check one: `history import`, `history pull`, `history verify`,
 * `publish`, `serve` and `conformance`. An error in one of them is an error in all.
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

/** The rule that a finding reports as broken; undefined for findings about a schema or a page. */
export function findRowRule({ code }: Pick<Finding, 'code'>): RowRuleSettings | undefined {
  return (ROW_RULES as Partial<Record<Code, RowRuleSettings>>)[code]
}

/** Whether an error among the findings prevents a forecast from being sent. */
export function isUnsendable(findings: readonly Finding[]): boolean {
  return findings.some((each) => each.severity === 'error' && !findRowRule(each)?.isSent)
}
