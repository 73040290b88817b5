import type { Finding } from '../contract/findings/finding.js'
import type { AskAuthorityOptions } from './ask.js'
import { stampFailed } from './failed.js'
import { type KeptStamp, keepToken, type StampTarget } from './keep.js'
import { obtainStamp } from './obtain.js'
import { stampedBytes } from './token-file.js'

export interface StampEntryResult {
  readonly kept: readonly KeptStamp[]
  /** One `stamp-failed` for each authority without a stamp, and warnings about those there are. */
  readonly findings: readonly Finding[]
  /** Whether every authority gave its stamp. */
  readonly complete: boolean
}

/**
 * Asks authorities one after the other for a stamp over an entry, and keeps what verifies. One that
 * fails does not stop the others.
 * @throws {ForeproofError} `interrupted` when a stop was asked for; what was kept before stays.
 */
export async function stampEntry(
  target: StampTarget,
  urls: readonly string[],
  options: AskAuthorityOptions,
): Promise<StampEntryResult> {
  const { entry, anchors } = target
  const kept: KeptStamp[] = []
  const findings: Finding[] = []
  for (const url of urls) {
    try {
      const obtained = await obtainStamp({ ...options, url, data: stampedBytes(entry), anchors })
      kept.push(await keepToken(target, obtained))
      findings.push(...obtained.findings)
    } catch (cause) {
      findings.push(stampFailed(cause))
    }
  }
  return { kept, findings, complete: kept.length === urls.length }
}
