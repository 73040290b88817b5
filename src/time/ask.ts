import { ForeproofError } from '../contract/error.js'
import { printable } from '../contract/printable.js'
import { addressText, webAddress } from '../remote/address.js'
import { createClient, type RemoteResponse } from '../remote/client.js'
import { LARGEST_TOKEN } from './rfc3161/types.js'

const QUERY_TYPE = 'application/timestamp-query'
const REPLY_TYPE = 'application/timestamp-reply'

/** So much of another type is shown. */
const LONGEST_TYPE = 60

/** An authority answers at once or not at all. */
const TIMEOUT_MS = 20_000
const TRIES = 3

export interface AskAuthorityOptions {
  /** Until the whole answer is there, in milliseconds, for each try; 20 s if absent. */
  readonly timeoutMs?: number | undefined
  /** How often it is tried in all; 3 if absent. */
  readonly tries?: number | undefined
  /** Told before each wait, with its cause. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined
  /** Ends the request and every wait. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Looks at the addresses of authorities before anything is asked of them.
 * @throws {ForeproofError} `usage` for what is no address of the web, or has credentials in it.
 */
export function checkAuthorityAddress(url: string): void {
  if (webAddress(url) !== undefined) return
  throw new ForeproofError('usage', `${addressText(url)}: not the address of an authority`, {
    help: 'Give an address like https://freetsa.org/tsr, without a user name or password.',
  })
}

/**
 * Asks a time-stamp authority over HTTP (RFC 3161, section 3.4), as a polite guest.
 * @param query - a TimeStampReq in DER.
 * @returns what it answered, a TimeStampResp in DER that nobody has looked at yet.
 * @throws {ForeproofError} `usage` as `checkAuthorityAddress`; `io` when no answer of that type comes.
 * No message holds a user name, a password or a query of the address.
 */
export async function askAuthority(
  url: string,
  query: Uint8Array,
  { timeoutMs = TIMEOUT_MS, tries = TRIES, onWait, signal }: AskAuthorityOptions = {},
): Promise<Uint8Array> {
  checkAuthorityAddress(url)
  const client = createClient({ timeoutMs, tries, onWait, signal, largestBody: LARGEST_TOKEN })
  const answer = await client.ask(url, {
    method: 'POST',
    body: query,
    headers: { 'content-type': QUERY_TYPE, accept: REPLY_TYPE },
  })
  refuseOtherAnswer(answer)
  return answer.bytes
}

function refuseOtherAnswer({ url, status, headers }: RemoteResponse): void {
  const authority = addressText(url)
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
  const found = type === '' ? 'no content type' : printable(type.slice(0, LONGEST_TYPE))
  throw new ForeproofError('io', `${authority}: answers with ${found}, not with a time stamp`, {
    help: `An authority answers with ${REPLY_TYPE}. Check the address: a page for people is none.`,
  })
}
