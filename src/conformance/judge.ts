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

  /**
   * Notes that a rule was looked at and whether it held.
   * @param place - where; asked for only if the rule does not hold.
   * @param detail - what was seen if it does not hold.
   */
  expect(rule: RuleName, holds: boolean, place: Place | (() => Place), detail: string): boolean {
    this.look(rule)
    if (holds) return true
    const failures = (this.#failures.get(rule) ?? 0) + 1
    this.#failures.set(rule, failures)
    if (failures <= LISTED) {
      const { where: file, pointer, position } = typeof place === 'function' ? place() : place
      const at = { file, pointer, position }
      this.findings.push(finding(`conformance-${rule}`, { detail }, at))
    }
    return false
  }

  /** Notes that a rule was looked at. */
  look(rule: RuleName, times = 1): void {
    this.#looked.set(rule, (this.#looked.get(rule) ?? 0) + times)
  }

  /** Why a rule cannot be looked at here; the first reason stays. */
  skip(rules: readonly RuleName[], why: string): void {
    for (const rule of rules) if (!this.#reasons.has(rule)) this.#reasons.set(rule, why)
  }

  /**
   * Looks, and looks again where anything was found: then only the second look counts.
   * @param again - whether a second look may show anything else.
   */
  async twice(look: (judge: Judge) => Promise<void>, again: () => Promise<boolean>): Promise<void> {
    let trial = new Judge(this.rules)
    await look(trial)
    if (trial.findings.length > 0 && (await again())) {
      trial = new Judge(this.rules)
      await look(trial)
    }
    this.#adopt(trial)
  }

  #adopt(trial: Judge): void {
    for (const [rule, times] of trial.#looked) this.look(rule, times)
    for (const [rule, times] of trial.#failures) {
      this.#failures.set(rule, (this.#failures.get(rule) ?? 0) + times)
    }
    for (const [rule, why] of trial.#reasons) this.skip([rule], why)
    this.findings.push(...trial.findings)
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
