import { CONFORMANCE_RULES, type RuleName } from '../contract/conformance-rules.js'
import { type Finding, finding, type Position } from '../contract/findings/finding.js'

export type Outcome = 'passed' | 'failed' | 'not-applicable'

/** What became of one rule. */
export interface Verdict {
  readonly rule: RuleName
  readonly section: string
  readonly title: string
  readonly outcome: Outcome
  /** How often it was looked at, and how often it did not hold. */
  readonly looked: number
  readonly failures: number
  /** Why it was not looked at. */
  readonly why?: string
}

export interface Place {
  readonly where: string
  readonly pointer?: string | undefined
  readonly position?: Position | undefined
}

/** That a rule does not hold. */
export type ConformanceFinding = Finding<`conformance-${RuleName}`>

/** Failures of one rule beyond so many are counted, not listed. */
const LISTED = 20

/** Gathers what was seen of each rule. A rule that nobody looked at was not applicable. */
export class Judge {
  readonly #looked = new Map<RuleName, number>()
  readonly #failures = new Map<RuleName, number>()
  readonly #reasons = new Map<RuleName, string>()
  readonly findings: ConformanceFinding[] = []

  constructor(private readonly rules: readonly RuleName[]) {}

  /** Notes that a rule was looked at and whether it held; `detail` says what was seen if not. */
  expect(rule: RuleName, holds: boolean, place: Place, detail: string): boolean {
    this.look(rule)
    if (holds) return true
    const failures = (this.#failures.get(rule) ?? 0) + 1
    this.#failures.set(rule, failures)
    if (failures <= LISTED) {
      const { where: file, pointer, position } = place
      const at = { file, pointer, position }
      this.findings.push(finding(`conformance-${rule}`, { detail }, at))
    }
    return false
  }

  /** Notes that a rule was looked at. */
  look(rule: RuleName): void {
    this.#looked.set(rule, (this.#looked.get(rule) ?? 0) + 1)
  }

  /** Why a rule cannot be looked at here; the first reason stays. */
  skip(rules: readonly RuleName[], why: string): void {
    for (const rule of rules) if (!this.#reasons.has(rule)) this.#reasons.set(rule, why)
  }

  verdicts(): Verdict[] {
    return this.rules.map((rule) => {
      const looked = this.#looked.get(rule) ?? 0
      const failures = this.#failures.get(rule) ?? 0
      const outcome = looked === 0 ? 'not-applicable' : failures > 0 ? 'failed' : 'passed'
      const why = this.#reasons.get(rule) ?? 'nothing to judge it by was found'
      const { section, title } = CONFORMANCE_RULES[rule]
      return { rule, section, title, outcome, looked, failures, ...(looked === 0 && { why }) }
    })
  }
}
