import { type Finding, finding } from '../contract/findings/finding.js'
import type { LintedProtocol } from './types.js'

const LISTS = [
  '/estimands/comparisons/required',
  '/estimands/comparisons/simple_baseline_pool',
] as const

/** Names by what is left of them without case, spaces, hyphens and underscores. */
export function spellings(names: readonly string[]): Map<string, string[]> {
  const bySense = new Map<string, string[]>()
  for (const name of names) {
    const sense = name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_-]+/g, '')
    bySense.set(sense, [...(bySense.get(sense) ?? []), name])
  }
  return bySense
}

/** The same baseline under two spellings: within a list it counts twice, across lists it is lost. */
export function lintNames(protocol: LintedProtocol): Finding[] {
  const { required, simple_baseline_pool: pool } = protocol.estimands.comparisons
  const first = new Map<string, string>()
  const findings: Finding[] = []
  for (const [list, names] of [required, pool].entries()) {
    names.forEach((name, index) => {
      const sense = [...spellings([name]).keys()][0]!
      const known = first.get(sense)
      if (known === undefined) first.set(sense, name)
      else if (known !== name) {
        findings.push(
          finding(
            'baseline-listed-twice',
            { name, first: known },
            { pointer: `${LISTS[list]}/${index}` },
          ),
        )
      }
    })
  }
  return findings
}
