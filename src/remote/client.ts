import { setTimeout as sleep } from 'node:timers/promises'
import { ForeproofError } from '../contract/error.js'
import { VERSION } from '../contract/generated/version.js'
import { MEDIA_TYPE } from '../contract/limits.js'
import { withoutSecrets } from '../contract/secrets.js'
import { stoppedError } from '../files/waiting.js'
import { unreachableHelp } from './env-proxy.js'
import {
  ACCEPT_ENCODING,
  decodeBody,
  type RequestLimits,
  request,
  TruncatedBody,
} from './request.js'

export interface ClientOptions extends RequestLimits {
  /** Sent as a bearer key, and only to `keyOrigin`. */
  readonly key?: string | undefined
  /** Scheme, host and port the key was given for. */
  readonly keyOrigin?: string | undefined
  /** Called before each wait, with its cause. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined
  /** Ends every request and every wait. */
  readonly signal?: AbortSignal | undefined
  /** How often a request is tried in all; 6 if absent. */
  readonly tries?: number | undefined
}

export interface RemoteResponse {
  /** Where the answer came from at last, redirections included. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface FetchOptions {
  readonly method?: string
  /** What is sent, by another method than GET; a redirection sends it on. */
  readonly body?: Uint8Array
  /** Headers besides those the client sends; an empty value takes one away. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether the key goes along; it does unless this is false. */
  readonly withKey?: boolean
  /** Answer with 429 and 5xx as they are, rather than trying again. */
  readonly once?: boolean
  /** Answer with a redirection as it is, rather than following it. */
  readonly stay?: boolean
}

/** Asks web servers; see `createClient`. */
export interface Client {
  /** @throws {ForeproofError} `io` when no answer comes, however often it is asked for. */
  ask(url: string, options?: FetchOptions): Promise<RemoteResponse>
}

const MAX_REDIRECTIONS = 5
const MAX_WAIT_SECONDS = 600
const RETRIED_STATUSES = new Set([429, 502, 503, 504])

/**
 * Asks over HTTP as a polite guest: one request at a time, waiting as long as the host says, and
 * following redirections to no other host. The key goes to its own host alone.
 */
export function createClient(options: ClientOptions = {}): Client {
  const { signal, onWait, tries = 6 } = options
  return {
    ask: (url, ask = {}) =>
      retryRequest({
        tries: ask.once === true ? 1 : tries,
        signal,
        once: () => follow(url, ask, options),
        isWorthAnother: ({ status, headers }) =>
          RETRIED_STATUSES.has(status) && (parseRetryAfter(headers) ?? 0) <= MAX_WAIT_SECONDS,
        noAnswer: (cause) => unreachableError(url, cause),
        secondsBefore(attempt, asked, why) {
          const seconds = asked ?? 2 ** (attempt - 1)
          onWait?.(seconds, why)
          return seconds
        },
      }),
  }
}

/** How something is asked for more than once. */
export interface RetryOptions<Answer> {
  /** How often in all. */
  readonly tries: number
  /** Ends every wait. */
  readonly signal: AbortSignal | undefined
  readonly once: () => Promise<Answer>
  /** Whether another answer may come later. */
  readonly isWorthAnother: (answer: Answer) => boolean
  /** What is thrown where no answer came at last. */
  readonly noAnswer: (cause: unknown) => ForeproofError
  /**
   * How long to wait before the next try.
   * @param asked - the seconds that the server asks for.
   */
  readonly secondsBefore: (attempt: number, asked: number | undefined, why: string) => number
}

/**
 * Asks until an answer comes that is worth no other, or as often as it may; the last answer is given as it is.
 * @throws {ForeproofError} `interrupted`; a fault of ours, at once; `noAnswer` of the last try.
 */
export async function retryRequest<Answer extends Pick<RemoteResponse, 'status' | 'headers'>>(
  options: RetryOptions<Answer>,
): Promise<Answer> {
  const { tries, signal, once, isWorthAnother, noAnswer, secondsBefore } = options
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) throw stoppedError()
    let asked: number | undefined
    let why: string
    try {
      const answer = await once()
      if (attempt === tries || !isWorthAnother(answer)) return answer
      asked = parseRetryAfter(answer.headers)
      why = `status ${answer.status}`
    } catch (cause) {
      if (signal?.aborted) throw stoppedError()
      if (cause instanceof ForeproofError || attempt === tries) throw noAnswer(cause)
      why = systemReason(cause)
    }
    const seconds = secondsBefore(attempt, asked, why)
    await sleep(seconds * 1000, undefined, signal && { signal }).catch(() => {
      throw stoppedError()
    })
  }
}

/** Seconds that Retry-After asks for, as a number or until a date; undefined where it says neither. */
export function parseRetryAfter(headers: Headers, nowMillis?: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (text === undefined) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const now = nowMillis ?? performance.timeOrigin + performance.now()
  const until = Date.parse(text)
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - now) / 1000))
}

async function follow(
  url: string,
  ask: FetchOptions,
  options: ClientOptions,
): Promise<RemoteResponse> {
  const { signal, timeoutMs, largestBody } = options
  const { method = 'GET', body } = ask
  let here = url
  assertNoCredentials(here)
  for (let step = 0; step <= MAX_REDIRECTIONS; step++) {
    const headers = headersFor(here, ask, options)
    const answer = await request(here, { method, headers, body, signal, timeoutMs, largestBody })
    const location = answer.headers.get('location')
    const isOther = answer.status >= 300 && answer.status < 400 && location !== null
    if (ask.stay === true || !isOther) {
      return { url: here, ...answer, bytes: await decodeBody(answer, here, largestBody) }
    }
    const there = URL.canParse(location, here) ? new URL(location, here).href : ''
    if (!/^https?:/.test(there))
      throw new ForeproofError('io', `${withoutSecrets(url)}: is redirected off the web`)
    assertNoCredentials(there)
    assertSameHost(new URL(here), new URL(there))
    here = there
  }
  throw new ForeproofError('io', `${withoutSecrets(url)}: is redirected without end`)
}

/** A server must not lead to machines that only this one can reach. The same host by TLS is no other. */
function assertSameHost(here: URL, there: URL): void {
  const isUpgrade = here.protocol === 'http:' && there.protocol === 'https:'
  const hasOwnPort = here.port !== '' || there.port !== ''
  if (there.origin === here.origin) return
  if (isUpgrade && !hasOwnPort && there.hostname === here.hostname) return
  const where = `${withoutSecrets(here.href)}: is redirected from ${here.origin} to ${there.origin}`
  throw new ForeproofError('io', `${where}, which is another host`, {
    help: 'Nothing was asked there. If you trust that host, give its own address.',
  })
}

/** A user name or password that a server names would go to a stranger who answers there. */
function assertNoCredentials(url: string): void {
  const { host, pathname, username, password } = new URL(url)
  if (username === '' && password === '') return
  const says = `${host}${pathname}: this address has a user name or password in it`
  const help = 'Another server named it. Such addresses are never asked.'
  throw new ForeproofError('io', says, { help })
}

function headersFor(url: string, ask: FetchOptions, options: ClientOptions): Headers {
  const headers = new Headers({
    accept: `${MEDIA_TYPE}, application/json;q=0.9, */*;q=0.1`,
    'accept-encoding': ACCEPT_ENCODING,
    'user-agent': `foreproof/${VERSION}`,
  })
  const { key, keyOrigin } = options
  if (key !== undefined && ask.withKey !== false && new URL(url).origin === keyOrigin) {
    headers.set('authorization', `Bearer ${key}`)
  }
  for (const [name, value] of Object.entries(ask.headers ?? {})) {
    if (value === '') headers.delete(name)
    else headers.set(name, value)
  }
  return headers
}

/** What stood in the way, in the words of the system. */
function systemReason(cause: unknown): string {
  const { code, message } = cause as { code?: string; message?: string }
  return code ?? message ?? String(cause)
}

function unreachableError(url: string, cause: unknown): ForeproofError {
  if (cause instanceof ForeproofError) return cause
  if (cause instanceof TruncatedBody) {
    return new ForeproofError('io', `${withoutSecrets(url)}: ${cause.message}`, {
      help: 'The server closed the connection before the end of the body. Write to those who run it.',
      cause,
    })
  }
  return new ForeproofError(
    'io',
    `${withoutSecrets(url)}: cannot be reached (${systemReason(cause)})`,
    {
      help: unreachableHelp(url, 'Check the address and that the service is running.'),
      cause,
    },
  )
}
