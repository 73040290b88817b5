import { ForeproofError } from '../contract/error.js'
import { type Finding, finding } from '../contract/findings/finding.js'

/**
 * Why an authority gave no stamp, as a finding: one that fails does not stop the others.
 * @throws the cause, where it is not the authority's fault: a stop that was asked for, or an error of ours.
 */
export function stampFailed(cause: unknown): Finding {
  if (!(cause instanceof ForeproofError) || ['interrupted', 'bug'].includes(cause.code)) throw cause
  return finding('stamp-failed', { why: cause.message, help: cause.help ?? null })
}
