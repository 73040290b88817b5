import { formatUtc, MICROS_PER_SECOND } from '../contract/instant.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import { type LedgerStamp, stampTimeText } from '../time/level.js'
import type { KeptStamp, StampTarget } from '../time/stamp-entry.js'
import { checkAuthorityAddress, type StampEntryResult, stampEntry } from '../time/stamp-entry.js'
import type { Context } from './command.js'
import { readAs, texts } from './options.js'
import { twoColumns } from './wording.js'
import { watched } from './work.js'

/** Addresses of time-stamping authorities, each behind the name of its option. */
export const authorities = (describe: string) =>
  readAs(texts(`${describe}; may be given several times`), (urls: readonly string[]) => {
    urls.forEach(checkAuthorityAddress)
    return urls
  })

/**
 * Asks authorities, with an end on Ctrl-C and a line that shows what is waited for.
 * @param left - what a run that was stopped has left, a sentence.
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

/** An entry as a headline names it. */
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

/** One line a stamp: authority, time, and where it lies. */
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

/** One stamp for a machine. */
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
