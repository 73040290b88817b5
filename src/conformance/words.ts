import type { Verdict } from './judge.js'

const MARKS = { passed: 'passed', failed: 'FAILED', 'not-applicable': 'n/a' } as const

/** The verdicts for a person: one line each, in the order of the rules. */
export function verdictLines(verdicts: readonly Verdict[]): string {
  const width = Math.max(...verdicts.map(({ rule }) => rule.length))
  const lines = verdicts.map(({ rule, section, title, outcome, failures, why }) => {
    const note = why !== undefined ? `: ${why}` : failures > 1 ? ` (${failures} times)` : ''
    const text = outcome === 'not-applicable' ? why : `${title}${note}`
    return `${MARKS[outcome].padEnd(6)}  ${rule.padEnd(width)}  §${section.padEnd(3)}  ${text}`
  })
  const count = (outcome: Verdict['outcome']) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length
  lines.push(
    '',
    `${count('passed')} passed, ${count('failed')} failed, ${count('not-applicable')} not applicable`,
  )
  return lines.join('\n')
}
