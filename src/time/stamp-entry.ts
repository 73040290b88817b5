import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { ForeproofError } from '../contract/error.js'
import { type Finding, finding, formatMessage } from '../contract/findings/finding.js'
import { printable } from '../contract/printable.js'
import { withoutSecrets } from '../contract/secrets.js'
import { createFileAtomic, writeFileAtomic } from '../files/atomic.js'
import { createFolderSync } from '../files/new-folder.js'
import type { LedgerEntry } from '../protocol/rules/entry.js'
import { parseWebAddress } from '../remote/address.js'
import { createClient, type RemoteResponse } from '../remote/client.js'
import { clockFaults, type LedgerStamp } from './level.js'
import type { Anchor } from './rfc3161/anchors.js'
import { encodeQuery } from './rfc3161/structures.js'
import { MAX_TOKEN_BYTES, type TimeStamp } from './rfc3161/time-stamp.js'
import { verifyToken } from './rfc3161/verify-token.js'
import { readToken, stampedBytes, tokenFile, toLedgerStamp } from './token-file.js'

export interface StampEntryResult {
  readonly kept: readonly KeptStamp[]
  /** One `stamp-failed` for each authority without a stamp, and warnings about the stamps. */
  readonly findings: readonly Finding[]
  /** Whether every authority gave its stamp. */
  readonly complete: boolean
}

/**
 * Asks authorities in turn for a stamp over an entry, and stores those that verify. A failure does not stop the
 * others.
 * @throws {ForeproofError} `interrupted` if aborted; stored stamps stay.
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
      const one = await keepToken(target, obtained)
      kept.push(one)
      findings.push(...obtained.findings, ...clockFaults(one.stamp, entry))
    } catch (cause) {
      findings.push(stampFailed(cause))
    }
  }
  return { kept, findings, complete: kept.length === urls.length }
}

/** Long enough to be unique, and short enough that every authority repeats it. */
const NONCE_BYTES = 8

export interface ObtainStampOptions extends AskAuthorityOptions {
  /** Address of the authority. */
  readonly url: string
  /** The bytes to be stamped; only their digest leaves this machine. */
  readonly data: Uint8Array
  /** Those that are trusted. */
  readonly anchors: readonly Anchor[]
}

export interface ObtainedStamp {
  readonly stamp: TimeStamp
  /** The answer of the authority, byte for byte. */
  readonly token: Uint8Array
  /** Warnings of its verification. */
  readonly findings: readonly Finding[]
}

/**
 * Asks an authority for a stamp and verifies what it answers, with the nonce of the request.
 * @throws {ForeproofError} as `askAuthority`; `io` when the answer is no stamp over the data that leads
 * to one of the anchors.
 */
export async function obtainStamp(options: ObtainStampOptions): Promise<ObtainedStamp> {
  const { url, data, anchors, ...ask } = options
  const query = encodeQuery(data, newNonce())
  const token = await askAuthority(url, query, ask)
  const verified = await verifyToken(token, data, anchors, { file: withoutSecrets(url), query })
  if (verified.ok) return { stamp: verified.stamp, token, findings: verified.findings }
  const { findings } = verified
  // A rejected token has at least one finding: the failed check.
  const { text, help } = formatMessage(findings[0]!)
  throw new ForeproofError('io', `${withoutSecrets(url)}: ${text}`, { findings, help })
}

/** The nonce of one request. */
export function newNonce(): Uint8Array {
  return randomBytes(NONCE_BYTES)
}

const QUERY_TYPE = 'application/timestamp-query'
const REPLY_TYPE = 'application/timestamp-reply'

/** Maximum length of another media type in messages. */
const LONGEST_TYPE = 60

/** Authorities answer at once or not at all. */
const TIMEOUT_MS = 20_000
const TRIES = 3

export interface AskAuthorityOptions {
  /** Until the whole answer is there, in milliseconds, for each try; 20 s if absent. */
  readonly timeoutMs?: number | undefined
  /** How often it is tried in all; 3 if absent. */
  readonly tries?: number | undefined
  /** Called before each wait, with its cause. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined
  /** Ends the request and every wait. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks the address of an authority before any request.
 * @throws {ForeproofError} `usage` for what is no address of the web, or has credentials in it.
 */
export function checkAuthorityAddress(url: string): void {
  if (parseWebAddress(url) !== undefined) return
  throw new ForeproofError('usage', `${withoutSecrets(url)}: not the address of an authority`, {
    help: 'Give an address like https://freetsa.org/tsr, without a user name or password.',
  })
}

/**
 * Asks a time-stamp authority over HTTP (RFC 3161, section 3.4), as a polite guest.
 * @param query - a TimeStampReq in DER.
 * @returns what it answered, a TimeStampResp in DER that was not looked at yet.
 * @throws {ForeproofError} `usage` as `checkAuthorityAddress`; `io` when no answer of that type comes.
 * No message holds a user name, a password or a query of the address.
 */
export async function askAuthority(
  url: string,
  query: Uint8Array,
  { timeoutMs = TIMEOUT_MS, tries = TRIES, onWait, signal }: AskAuthorityOptions = {},
): Promise<Uint8Array> {
  checkAuthorityAddress(url)
  const client = createClient({ timeoutMs, tries, onWait, signal, largestBody: MAX_TOKEN_BYTES })
  const headers = { 'content-type': QUERY_TYPE, accept: REPLY_TYPE }
  const answer = await client.ask(url, { method: 'POST', body: query, headers })
  assertStampAnswer(answer)
  return answer.bytes
}

function assertStampAnswer({ url, status, headers }: RemoteResponse): void {
  const authority = withoutSecrets(url)
  if (status !== 200) {
    throw new ForeproofError('io', `${authority}: answers with status ${status}`, {
      help:
        status >= 500 || status === 429
          ? 'Try again later, or ask another authority.'
          : 'Check the address: an authority gives its own, and it may take a path.',
    })
  }
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (type === REPLY_TYPE) return
  const shownType = type === '' ? 'no content type' : printable(type.slice(0, LONGEST_TYPE))
  throw new ForeproofError('io', `${authority}: answers with ${shownType}, not with a time stamp`, {
    help: `An authority answers with ${REPLY_TYPE}. Check the address: a page for people is none.`,
  })
}

/**
 * The finding for an authority that gave no stamp.
 * @throws the cause if it is not the authority's fault: an abort, or a bug.
 */
export function stampFailed(cause: unknown): Finding {
  if (!(cause instanceof ForeproofError) || ['interrupted', 'bug'].includes(cause.code)) throw cause
  return finding('stamp-failed', { why: cause.message, help: cause.help ?? null })
}

/** A verified ledger entry, and the anchors for its stamps. */
export interface StampTarget {
  /** The folder of the ledger. */
  readonly folder: string
  readonly entry: LedgerEntry
  readonly anchors: readonly Anchor[]
}

export interface KeptStamp {
  /** `kept` when that authority had stamped the entry before: the earlier stamp says more. */
  readonly outcome: 'written' | 'kept' | 'replaced'
  /** The stamp that lies in the folder now. */
  readonly stamp: LedgerStamp
}

/**
 * Stores a verified token. An existing token of the same authority stays, unless it does not verify.
 * @throws {ForeproofError} as `writeFileAtomic`; `invalid-input` when something else than a file is in the way.
 */
export async function keepToken(
  { folder, entry, anchors }: StampTarget,
  { stamp, token }: Pick<ObtainedStamp, 'stamp' | 'token'>,
): Promise<KeptStamp> {
  const file = tokenFile(folder, entry, stamp.authority)
  const isThere = existsSync(file)
  const earlier = isThere ? await readToken(file, entry, anchors) : undefined
  if (earlier?.ok === true && earlier.stamp.authority === stamp.authority) {
    return { outcome: 'kept', stamp: earlier.stamp }
  }
  createFolderSync(dirname(file))
  if (isThere) writeFileAtomic(file, token)
  else createFileAtomic(file, token)
  const outcome = isThere ? 'replaced' : 'written'
  return { outcome, stamp: toLedgerStamp(stamp, token, entry, file) }
}
