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
  /** Sent as a bearer key, only to `keyOrigin`. */
  readonly key?: string | undefined
  /** Scheme, host and port that the key is for. */
  readonly keyOrigin?: string | undefined
  /** Called before each wait, with its reason. */
  readonly onWait?: ((seconds: number, why: string) => void) | undefined
  /** Aborts every request and every wait. */
  readonly signal?: AbortSignal | undefined
  /** Maximum number of tries of a request, the first included; 6 by default. */
  readonly tries?: number | undefined
}

export interface RemoteResponse {
  /** The final address, after redirections. */
  readonly url: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface FetchOptions {
  readonly method?: string
  /** Body to send, with another method than GET; also sent after a redirection. */
  readonly body?: Uint8Array
  /** Headers in addition to those the client sends; an empty value removes one. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whether to send the key; true by default. */
  readonly withKey?: boolean
  /** Return 429 and 5xx as they are instead of retrying. */
  readonly once?: boolean
  /** Return a redirection as it is instead of following it. */
  readonly stay?: boolean
}

/** Sends requests to web servers; see `createClient`. */
export interface Client {
  /** @throws {ForeproofError} `io` if no answer comes after all tries. */
  ask(url: string, options?: FetchOptions): Promise<RemoteResponse>
}

const MAX_REDIRECTIONS = 5
const MAX_WAIT_SECONDS = 600
const RETRIED_STATUSES = new Set([429, 502, 503, 504])

/**
 * Sends HTTP requests politely: one at a time, waiting as long as the host asks, and following redirections only to the
 * same host. The key is sent only to its own host.
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

/** How to retry a request. */
export interface RetryOptions<Answer> {
  /** Maximum number of tries, the first included. */
  readonly tries: number
  /** Aborts every wait. */
  readonly signal: AbortSignal | undefined
  readonly once: () => Promise<Answer>
  /** Whether a retry may give another answer. */
  readonly isWorthAnother: (answer: Answer) => boolean
  /** The error to throw if the last try got no answer. */
  readonly noAnswer: (cause: unknown) => ForeproofError
  /**
   * How long to wait before the next try.
   * @param asked - the seconds that the server asks for.
   */
  readonly secondsBefore: (attempt: number, asked: number | undefined, why: string) => number
}

/**
 * Retries a request until its answer needs no retry or the tries run out; then returns the last answer as it is.
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

/** Seconds that Retry-After asks for, as a number or as a date; undefined if it is neither. */
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

/** A server must not redirect to machines that only this one can reach. The same host over TLS is allowed. */
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

/** Following such an address would send a user name or password that the server chose to a stranger. */
function assertNoCredentials(url: string): void {
  const { host, pathname, username, password } = new URL(url)
  if (username === '' && password === '') return
  const message = `${host}${pathname}: this address has a user name or password in it`
  const help = 'Another server named it. Such addresses are never asked.'
  throw new ForeproofError('io', message, { help })
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

/** The reason for the failure, as the system reports it. */
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
