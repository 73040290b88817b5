import { formatUtc, MICROS_PER_SECOND } from '../contract/instant.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import { type LedgerStamp, stampTimeText } from '../time/level.js'
import type { KeptStamp, StampTarget } from '../time/stamp-entry.js'
import { checkAuthorityAddress, type StampEntryResult, stampEntry } from '../time/stamp-entry.js'
import type { Context } from './command.js'
import { readAs, texts } from './options.js'
import { twoColumns } from './wording.js'
import { watched } from './work.js'

/** Addresses of time-stamping authorities, each after the name of its option. */
export const authorities = (describe: string) =>
  readAs(texts(`${describe}; may be given several times`), (urls: readonly string[]) => {
    urls.forEach(checkAuthorityAddress)
    return urls
  })

/**
 * Requests stamps from authorities, and shows which answer it waits for; Ctrl-C stops it.
 * @param left - what a stopped run leaves behind, as a sentence.
 */
export async function stampOnTerminal(
  target: StampTarget,
  urls: readonly string[],
  context: Context,
  left = 'Stamps that were written are kept.',
): Promise<StampEntryResult> {
  return await watched(context, left, (signal, show) =>
    stampEntry(target, urls, {
      signal,
      onWait: (seconds, why) => show(`${why}: waiting ${seconds} s`),
    }),
  )
}

/** The name of an entry for headlines. */
export function entryName({ seq, protocol_version }: LedgerEntry): string {
  return `entry ${seq} (${protocol_version})`
}

const OUTCOMES = {
  written: 'written to',
  kept: 'was there already:',
  replaced: 'in the place of one that did not verify:',
} as const satisfies Record<KeptStamp['outcome'], string>

export function keptFigures({ outcome, stamp }: KeptStamp) {
  return { outcome, ...stampFigures(stamp) }
}

/** One line per stamp: authority, time, and file. */
export function stampBody(kept: readonly KeptStamp[]): string {
  if (kept.length === 0) return ''
  return twoColumns(
    kept.map(({ outcome, stamp }) => [
      stamp.authority,
      `${stampTimeText(stamp)}, ${OUTCOMES[outcome]} ${stamp.file}`,
    ]),
  )
}

export function entryFigures({ seq, entry_sha256 }: LedgerEntry) {
  return { seq, entry_sha256 }
}

/** One stamp as data. */
export function stampFigures(stamp: LedgerStamp) {
  const { authority, anchorSha256, genTime, accuracy, accuracyGiven, tokenSha256, file } = stamp
  return {
    authority,
    anchor_sha256: anchorSha256,
    time: formatUtc(genTime),
    accuracy_seconds: accuracyGiven ? accuracy / MICROS_PER_SECOND : null,
    token_sha256: tokenSha256,
    file,
  }
}
