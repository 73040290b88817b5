import { CONFORMANCE_RULES, type RuleName } from '../contract/conformance-rules.js'
import { type Finding, finding, type Position } from '../contract/findings/finding.js'

export type Outcome = 'passed' | 'failed' | 'not-applicable'

/** The result for one rule. */
export interface RuleResult {
  readonly rule: RuleName
  readonly section: string
  readonly title: string
  readonly outcome: Outcome
  /** The number of checks, and of faults. */
  readonly looked: number
  readonly failures: number
  /** Why it was not checked. */
  readonly why?: string
}

export interface FaultLocation {
  /** File or plain address, because reports link to it. */
  readonly where: string
  /** How it was requested, if not by a simple GET: `HEAD`, or a header. */
  readonly asked?: string | undefined
  readonly pointer?: string | undefined
  readonly position?: Position | undefined
  /** The id of the forecast at fault: a fault in a forecast is one finding, however often the forecast is read. */
  readonly row?: string | undefined
}

/** A fault, where it was first seen, and how often. */
interface Fault {
  readonly rule: RuleName
  readonly location: FaultLocation
  readonly detail: string
  times: number
}

/** Reports that a rule does not hold. */
export type ConformanceFinding = Finding<`conformance-${RuleName}` | 'conformance-without-key'>

/** Beyond this number, faults of one rule are counted and not listed. */
const MAX_LISTED = 20

/** Collects the checks of each rule. A rule without a check was not applicable. */
export class RuleChecks {
  readonly #looked = new Map<RuleName, number>()
  readonly #failures = new Map<RuleName, number>()
  readonly #reasons = new Map<RuleName, string>()
  /** By name; undefined if the fault is counted and not listed. */
  readonly #faults = new Map<string, Fault | undefined>()

  constructor(private readonly rules: readonly RuleName[]) {}

  /**
   * Records that a rule was checked and whether it held.
   * @param location - the location; called only if the rule does not hold.
   * @param detail - what was seen if it does not hold.
   */
  expect(
    rule: RuleName,
    holds: boolean,
    location: FaultLocation | (() => FaultLocation),
    detail: string,
  ): boolean {
    this.countChecks(rule)
    if (holds) return true
    const at = typeof location === 'function' ? location() : location
    const failures = this.#failures.get(rule) ?? 0
    const member = at.pointer?.replace(/^\/data(?:\/\d+)?/, '')
    const name = `${rule} ${at.row === undefined ? failures : `${at.row} ${member}`}`
    const earlier = this.#faults.get(name)
    if (earlier !== undefined) earlier.times++
    if (this.#faults.has(name)) return false
    this.#failures.set(rule, failures + 1)
    const fault = { rule, location: at, detail, times: 1 }
    this.#faults.set(name, failures < MAX_LISTED ? fault : undefined)
    return false
  }

  /** One for each fault, in the order of detection. */
  get findings(): ConformanceFinding[] {
    const listed = [...this.#faults.values()].filter((fault) => fault !== undefined)
    return listed.map(({ rule, location, detail, times }) => {
      const { where: file, asked, pointer, position, row } = location
      const about = row === undefined || detail.includes(row) ? asked : row
      const named = about === undefined ? detail : `${about}: ${detail}`
      const counted = times === 1 ? named : `${named} (met ${times} times)`
      return finding(`conformance-${rule}`, { detail: counted }, { file, pointer, position })
    })
  }

  /** Counts checks of a rule. */
  countChecks(rule: RuleName, times = 1): void {
    this.#looked.set(rule, (this.#looked.get(rule) ?? 0) + times)
  }

  /** Records why a rule cannot be checked here; the first reason stays. */
  skip(rules: readonly RuleName[], why: string): void {
    for (const rule of rules) if (!this.#reasons.has(rule)) this.#reasons.set(rule, why)
  }

  verdicts(): RuleResult[] {
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

const MARKS = { passed: 'passed', failed: 'FAILED', 'not-applicable': 'n/a' } as const

/** The results as text: one line each, in the order of the rules. */
export function ruleResultLines(verdicts: readonly RuleResult[]): string {
  const width = Math.max(...verdicts.map(({ rule }) => rule.length))
  const lines = verdicts.map(({ rule, section, title, outcome, failures, why }) => {
    const note = why !== undefined ? `: ${why}` : failures > 1 ? ` (${failures} times)` : ''
    const text = outcome === 'not-applicable' ? why : `${title}${note}`
    return `${MARKS[outcome].padEnd(6)}  ${rule.padEnd(width)}  §${section.padEnd(3)}  ${text}`
  })
  const count = (outcome: RuleResult['outcome']) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  lines.push(
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('not-applicable')} not applicable`,
  )
  return lines.join('\n')
}
