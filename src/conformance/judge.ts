import { CONFORMANCE_RULES, type RuleName } from '../contract/conformance-rules.js'
import { type Finding, finding, type Position } from '../contract/findings/finding.js'

export type Outcome = 'passed' | 'failed' | 'not-applicable'

/** What became of one rule. */
export interface RuleResult {
  readonly rule: RuleName
  readonly section: string
  readonly title: string
  readonly outcome: Outcome
  /** How often it was looked at, and how many faults were found. */
  readonly looked: number
  readonly failures: number
  /** Why it was not looked at. */
  readonly why?: string
}

export interface Place {
  /** A file, or an address and no more: reports link to it. */
  readonly where: string
  /** What was asked there, where that was more than a GET: `HEAD`, or a header. */
  readonly asked?: string | undefined
  readonly pointer?: string | undefined
  readonly position?: Position | undefined
  /** The forecast that it is in, by its id: what is wrong with one is one finding, however often it is met. */
  readonly row?: string | undefined
}

/** What does not hold, where it was met first, and how often it was. */
interface Fault {
  readonly rule: RuleName
  readonly place: Place
  readonly detail: string
  times: number
}

/** That a rule does not hold. */
export type ConformanceFinding = Finding<`conformance-${RuleName}` | 'conformance-without-key'>

/** Faults of one rule beyond so many are counted, not listed. */
const MAX_LISTED = 20

/** Gathers what was seen of each rule. A rule that was not looked at was not applicable. */
export class RuleChecks {
  readonly #looked = new Map<RuleName, number>()
  readonly #failures = new Map<RuleName, number>()
  readonly #reasons = new Map<RuleName, string>()
  /** By name; without one where it is counted and not listed. */
  readonly #faults = new Map<string, Fault | undefined>()

  constructor(private readonly rules: readonly RuleName[]) {}

  /**
   * Notes that a rule was looked at and whether it held.
   * @param place - where; asked for only if the rule does not hold.
   * @param detail - what was seen if it does not hold.
   */
  expect(rule: RuleName, holds: boolean, place: Place | (() => Place), detail: string): boolean {
    this.look(rule)
    if (holds) return true
    const at = typeof place === 'function' ? place() : place
    const failures = this.#failures.get(rule) ?? 0
    const member = at.pointer?.replace(/^\/data(?:\/\d+)?/, '')
    const name = `${rule} ${at.row === undefined ? failures : `${at.row} ${member}`}`
    const known = this.#faults.get(name)
    if (known !== undefined) known.times++
    if (this.#faults.has(name)) return false
    this.#failures.set(rule, failures + 1)
    const fault = { rule, place: at, detail, times: 1 }
    this.#faults.set(name, failures < MAX_LISTED ? fault : undefined)
    return false
  }

  /** One for each fault, in the order in which they were met. */
  get findings(): ConformanceFinding[] {
    const listed = [...this.#faults.values()].filter((fault) => fault !== undefined)
    return listed.map(({ rule, place, detail, times }) => {
      const { where: file, asked, pointer, position, row } = place
      const about = row === undefined || detail.includes(row) ? asked : row
      const named = about === undefined ? detail : `${about}: ${detail}`
      const counted = times === 1 ? named : `${named} (met ${times} times)`
      return finding(`conformance-${rule}`, { detail: counted }, { file, pointer, position })
    })
  }

  /** Notes that a rule was looked at. */
  look(rule: RuleName, times = 1): void {
    this.#looked.set(rule, (this.#looked.get(rule) ?? 0) + times)
  }

  /** Why a rule cannot be looked at here; the first reason stays. */
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

/** The verdicts for a person: one line each, in the order of the rules. */
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
