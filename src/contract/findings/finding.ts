/**
 * A finding is data, not words: what was found, where, and the arguments of its sentence. The words
 * are made in one place, `src/report/messages.ts`, so every output format says the same.
 */
export type Severity = 'error' | 'warning' | 'note'

/** A place in a text; lines and columns count from 1, columns in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
  readonly endLine?: number
  readonly endColumn?: number
}

export type FindingArgument = string | number | boolean | null | readonly string[]

export interface Finding {
  /** Stable, kebab-case, listed in docs/findings.md. */
  readonly code: string
  readonly severity: Severity
  /** The file as the user named it; absent when the finding is about no file. */
  readonly file?: string
  /** RFC 6901 JSON Pointer into the document; `''` is the whole document. */
  readonly pointer?: string
  readonly position?: Position
  /** What the sentence of this code needs; keys are fixed per code. */
  readonly args: Readonly<Record<string, FindingArgument>>
}

/** True when nothing among the findings is an error: warnings and notes do not fail a check. */
export function holds(findings: readonly Finding[]): boolean {
  return findings.every((finding) => finding.severity !== 'error')
}
