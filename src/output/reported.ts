import type { Finding, Severity } from '../contract/findings/finding.js'
import { formatMessage } from '../contract/findings/finding.js'
import { readRest } from '../contract/findings/finding-list.js'
import type { RestCount } from '../contract/findings/general.js'
import { showsSecret } from '../contract/secrets.js'
import { sha256Hex } from '../document/digest.js'

/** A finding as every format shows it: with sentences, a flat location and a fingerprint. */
export interface DetailedFinding {
  readonly code: string
  readonly severity: Severity
  readonly file: string | null
  readonly pointer: string | null
  readonly line: number | null
  readonly column: number | null
  readonly endLine: number | null
  readonly endColumn: number | null
  readonly message: string
  readonly help: string | null
  /** 32 hex digits; stable while the fault stays, even if lines are added around it. */
  readonly fingerprint: string
  /** Counts the unlisted findings that this one represents, if any. */
  readonly rest: RestCount | undefined
}

/** The argument that distinguishes two findings with the same code and pointer, if there is one. */
const IDENTIFYING_ARGUMENTS = ['key', 'name', 'version', 'revision', 'row', 'of'] as const

/** Prepares findings for display, in the same order. */
export function toDetailedFindings(findings: readonly Finding[]): DetailedFinding[] {
  const seen = new Map<string, number>()
  return findings.map((finding) => {
    const { text, help } = formatMessage(finding)
    const identity = findingIdentity(finding)
    const occurrence = seen.get(identity) ?? 0
    seen.set(identity, occurrence + 1)
    return {
      code: finding.code,
      severity: finding.severity,
      file: finding.file ?? null,
      pointer: finding.pointer === undefined ? null : shownPointer(finding.pointer),
      line: finding.position?.line ?? null,
      column: finding.position?.column ?? null,
      endLine: finding.position?.endLine ?? null,
      endColumn: finding.position?.endColumn ?? null,
      message: text,
      help: help ?? null,
      fingerprint: sha256Hex(`${identity}\0${occurrence}`).slice(0, 32),
      rest: readRest(finding),
    }
  })
}

/** Member names are shown as they are, unless they contain a secret. */
const shownPointer = (pointer: string): string =>
  showsSecret(pointer.replaceAll('~1', '/')) ? '/…' : pointer

/** The position of a finding in its file: `:3:7`, or empty. */
export function formatPosition({ line, column }: DetailedFinding): string {
  return line === null ? '' : `:${line}:${column}`
}

/** A file name with the same spelling on every system. */
export function slashed(file: string): string {
  return file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
}

/** Ignores lines and columns on purpose: they move while the fault stays the same. */
function findingIdentity(finding: Finding): string {
  const given: Readonly<Record<string, unknown>> = finding.args
  const args = IDENTIFYING_ARGUMENTS.map((name) => String(given[name] ?? ''))
  return [finding.code, slashed(finding.file ?? ''), finding.pointer ?? '', ...args].join('\0')
}

type SeverityCounts = Readonly<Record<Severity, number>>

/** Number of findings of each severity, listed or not. */
export function tally(findings: readonly DetailedFinding[]): SeverityCounts {
  const counts = { error: 0, warning: 0, note: 0 }
  for (const each of findings) counts[each.severity] += countFindings(each)
  return counts
}

/** How many findings one list item represents. */
export function countFindings({ rest }: DetailedFinding): number {
  return rest?.count ?? 1
}

/** `2 errors, 1 warning`; `no problems found` if there are none. */
export function tallyText(counts: SeverityCounts): string {
  const parts = (['error', 'warning', 'note'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? '' : 's'}`)
  return parts.length === 0 ? 'no problems found' : parts.join(', ')
}
