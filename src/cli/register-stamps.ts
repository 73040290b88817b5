import { dirname } from 'node:path'
import type { Registration } from '../contract/types.js'
import type { RegisteredEntry } from '../protocol/rules/entry.js'
import { checkAuthorityAddress } from '../time/ask.js'
import { levelOf, levelText } from '../time/level.js'
import type { Anchor } from '../time/rfc3161/anchors.js'
import type { StampEntryResult } from '../time/stamp-entry.js'
import { anchorsBeside } from '../time/target.js'
import type { Context } from './command.js'
import { keptFigures, stampBody, stampOnTerminal } from './stamp-report.js'

/** Whom to ask for a stamp once a registration is entered. */
export interface Stamping {
  readonly urls: readonly string[]
  /** The folder of the ledger. */
  readonly folder: string
  readonly anchors: readonly Anchor[]
}

/**
 * What has to be at hand for stamps, looked at before anything is written.
 * @throws {ForeproofError} as `checkAuthorities` and `anchorsBeside`.
 */
export function stampingOf(urls: readonly string[], protocol: string): Stamping {
  urls.forEach(checkAuthorityAddress)
  const folder = dirname(protocol)
  return { urls, folder, anchors: anchorsBeside(folder) }
}

/** Has the entry of a registration stamped. It stays where no authority answers. */
export async function stampRegistration(
  { urls, ...place }: Stamping,
  entry: RegisteredEntry,
  registration: Registration,
  context: Context,
) {
  const again = `foreproof stamp --dir ${place.folder} --entry ${entry.seq} --tsa URL`
  const left = `The registration stands. To have it stamped: ${again}`
  const result = await stampOnTerminal({ ...place, entry }, urls, context, left)
  return {
    findings: result.findings,
    complete: result.complete,
    figures: result.kept.map(keptFigures),
    level: levelAfter(result, place.anchors, entry, registration),
    body: [stampBody(result.kept), result.complete ? '' : left].filter(Boolean).join('\n'),
  }
}

/** The level in words, by the authorities that the registration pins, or by all that are trusted here. */
function levelAfter(
  { kept }: StampEntryResult,
  anchors: readonly Anchor[],
  { seq }: RegisteredEntry,
  { time }: Registration,
): string {
  const here = anchors.map(({ name, sha256 }) => ({ name, anchor_sha256: sha256 }))
  const stamps = kept.map(({ stamp }) => stamp)
  return levelText(levelOf(seq, stamps, time?.authorities ?? here, time?.at_least))
}
