import type { DetailedFinding, ReportedFinding } from './reported.js'

/** One JSON object for a machine: `ok`, the figures of the command, `findings`. */
export function jsonOf(
  findings: readonly DetailedFinding[],
  figures: Readonly<Record<string, unknown>>,
  ok: boolean,
): string {
  const plain = findings.map(
    ({ code, severity, file, pointer, line, column, message, fingerprint }): ReportedFinding => ({
      code,
      severity,
      file,
      pointer,
      line,
      column,
      message,
      fingerprint,
    }),
  )
  return `${JSON.stringify({ ok, ...figures, findings: plain }, null, 2)}\n`
}
