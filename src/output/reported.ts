import type { Finding, Severity } from '../contract/findings/finding.js'
import { formatMessage } from '../contract/findings/finding.js'
import { readRest } from '../contract/findings/finding-list.js'
import type { RestCount } from '../contract/findings/general.js'
import { showsSecret } from '../contract/secrets.js'
import { sha256Hex } from '../document/digest.js'

/** A finding as every format shows it: words made, location flattened, fingerprint given. */
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
  /** 32 hex digits; the same while the same fault stays, also when lines are added around it. */
  readonly fingerprint: string
  /** The findings that this one represents, where it represents some that are not listed. */
  readonly rest: RestCount | undefined
}

/** The argument that distinguishes two findings of one code at one pointer, where there is one. */
const IDENTIFYING_ARGUMENTS = ['key', 'name', 'version', 'revision', 'row', 'of'] as const

/** Findings in the order given, ready to be shown. */
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

/** Names of members are shown as they are, but for what has a secret in it. */
const shownPointer = (pointer: string): string =>
  showsSecret(pointer.replaceAll('~1', '/')) ? '/…' : pointer

/** Where in its file a finding is: `:3:7`, or nothing. */
export function formatPlace({ line, column }: DetailedFinding): string {
  return line === null ? '' : `:${line}:${column}`
}

/** A file as it is called on every system. */
export function slashed(file: string): string {
  return file.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
}

/** Lines and columns are left out on purpose: they move while the fault stays the same. */
function findingIdentity(finding: Finding): string {
  const given: Readonly<Record<string, unknown>> = finding.args
  const args = IDENTIFYING_ARGUMENTS.map((name) => String(given[name] ?? ''))
  return [finding.code, slashed(finding.file ?? ''), finding.pointer ?? '', ...args].join('\0')
}

type SeverityCounts = Readonly<Record<Severity, number>>

/** How many were found of each severity, listed or not. */
export function tally(findings: readonly DetailedFinding[]): SeverityCounts {
  const counts = { error: 0, warning: 0, note: 0 }
  for (const each of findings) counts[each.severity] += countFindings(each)
  return counts
}

/** How many findings one of the list represents. */
export function countFindings({ rest }: DetailedFinding): number {
  return rest?.count ?? 1
}

/** `2 errors, 1 warning`; `no findings` when there are none. */
export function tallyText(counts: SeverityCounts): string {
  const parts = (['error', 'warning', 'note'] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => `${counts[severity]} ${severity}${counts[severity] === 1 ? '' : 's'}`)
  return parts.length === 0 ? 'no findings' : parts.join(', ')
}
