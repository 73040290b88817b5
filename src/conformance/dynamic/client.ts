import { setTimeout as pause } from 'node:timers/promises'
import { checkPayload } from '../../contract/check-payload.js'
import type { RuleName } from '../../contract/conformance-rules.js'
import { ForeproofError } from '../../contract/error.js'
import { isObject, objectIn } from '../../contract/is-object.js'
import { API_ERROR_CODES, MEDIA_TYPE } from '../../contract/limits.js'
import {
  type Client,
  type FetchOptions,
  parseRetryAfter,
  type RemoteResponse,
} from '../../remote/client.js'
import { type Moment, NOW } from '../freshness.js'
import type { FaultLocation, RuleChecks } from '../judge.js'

const LONGEST_WAIT_SECONDS = 120
const TRIES = 4
/** Requests without an answer before the service counts as unreachable. */
const UNANSWERED = 5
/** Seconds of tolerance for clocks and rounded ages. */
const TOLERANCE_SECONDS = 10

export interface CallOptions extends FetchOptions {
  /** Path and query from the root of the service. */
  readonly path: string
}

/** An answer and when it was made; status 0 if there was no answer. */
interface ServiceAnswer extends RemoteResponse {
  readonly moment: Moment
}

/**
 * Calls a service, and checks on every answer the rules for all answers.
 * @throws {ForeproofError} `io` from its calls, if the first one or too many are not answered.
 */
export class ServiceClient {
  readonly #statuses = new Map<number, number>()
  #unanswered = 0

  /** @param onWait - called before each wait for the rate limit, with its seconds. */
  constructor(
    readonly judge: RuleChecks,
    private readonly client: Client,
    readonly root: string,
    readonly key: string | undefined,
    private readonly onWait: (seconds: number) => void,
  ) {}

  /** The number of answers of the JSON routes so far, by status. */
  get statuses(): ReadonlyMap<number, number> {
    return this.#statuses
  }

  async call(options: CallOptions): Promise<ServiceAnswer> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(options)
      if (answer.status !== 429) return answer
      const seconds = Math.min(parseRetryAfter(answer.headers) ?? 60, LONGEST_WAIT_SECONDS)
      if (attempt === TRIES) {
        const detail = `still refuses after waiting as long as it said, ${TRIES - 1} times`
        this.judge.expect('rate-limited', false, { where: this.root + options.path }, detail)
        return answer
      }
      this.onWait(seconds)
      await pause(seconds * 1000)
    }
  }

  /** Calls, and checks that the answer is an error of this status and code. */
  async checkRefused(
    rule: RuleName,
    status: number,
    code: string,
    options: CallOptions,
  ): Promise<void> {
    const answer = await this.call(options)
    const actualCode = parseApiErrorCode(answer)
    const holds = answer.status === status && (options.method === 'HEAD' || actualCode === code)
    const detail = `answers ${answer.status} ${actualCode ?? 'without a code'}, not ${status} ${code}`
    this.judge.expect(rule, holds, this.#toPlace(options), detail)
  }

  async #ask(options: CallOptions): Promise<ServiceAnswer> {
    const { path, method = 'GET', headers } = options
    const location = this.#toPlace(options)
    const began = performance.now()
    try {
      const answer = await this.client.ask(this.root + path, { ...options, once: true })
      const sent = headers?.authorization?.split(' ').at(-1) ?? ''
      const secrets = [this.key ?? '', sent].filter((secret) => secret.length > 7)
      checkAnswer(this.judge, answer, location, { method, path, secrets })
      if (path.startsWith('/v1')) {
        this.#statuses.set(answer.status, (this.#statuses.get(answer.status) ?? 0) + 1)
      }
      return { ...answer, moment: parseMoment(answer.headers, began) }
    } catch (cause) {
      this.#unanswered++
      const gone = this.#statuses.size === 0 || this.#unanswered > UNANSWERED
      if (!(cause instanceof ForeproofError) || gone) throw cause
      const detail = `no answer that can be read: ${cause.message}`
      this.judge.expect('error-envelope', false, location, detail)
      const headers = new Headers()
      const moment = parseMoment(headers, began)
      return { url: location.where, status: 0, headers, bytes: Buffer.alloc(0), moment }
    }
  }

  #toPlace({ path, method = 'GET' }: CallOptions): FaultLocation {
    return { where: this.root + path, asked: method === 'GET' ? undefined : method }
  }
}

/** By the clock of the service if it sends one, otherwise by ours. */
function parseMoment(headers: Headers, began: number): Moment {
  const date = Date.parse(headers.get('date') ?? '')
  const now = performance.timeOrigin + performance.now()
  const elapsed = (performance.now() - began) / 1000
  const at = Math.round((Number.isNaN(date) ? now : date) * 1000)
  return { at, tolerance: TOLERANCE_SECONDS + elapsed, snapshot: NOW }
}

/** What an error message must not contain: paths and names of files, stack traces, names of errors, keys. */
const UNSAFE = [
  // Two or more names after slashes, except our own routes, media types and web addresses.
  /(?<![\w*:/.])\.{0,2}\/(?!v1\b)[\w.@~+-]+(?:\/[\w.@~+-]+)+/,
  /\b[A-Za-z]:\\|\\\\\w|\bfile:/,
  /\.(?:sqlite3?|db|py|js|mjs|ts|jsonl?|log)\b/,
  /Traceback|\bat \S+ \(|, line \d+|\b[A-Za-z.]*(?:Error|Exception): /,
  /Bearer [^<\s]{8}/,
]

const STATUS_OF: Readonly<Record<string, readonly number[]>> = {
  invalid_request: [400, 401],
  forecast_not_found: [404],
  not_acceptable: [406],
  rate_limited: [429],
  internal_error: [500],
  history_unavailable: [503],
}

/** The parts of a request that matter for checking its answer. */
interface Asked {
  readonly method: string
  readonly path: string
  /** Keys that must not be in the answer, including the made-up ones that were sent. */
  readonly secrets: readonly string[]
}

/** Checks the rules for every answer of the JSON routes. */
function checkAnswer(
  judge: RuleChecks,
  answer: RemoteResponse,
  location: FaultLocation,
  asked: Asked,
): void {
  const { status, headers, bytes } = answer
  const text = Buffer.from(bytes).toString()
  const parts = [text, ...[...headers].flat()]
  const shown = asked.secrets.some((secret) => parts.some((part) => part.includes(secret)))
  judge.expect('error-safe', !shown, location, 'shows an API key')
  if (/^\/(?:livez|readyz|metrics)$/.test(asked.path) && status !== 400) return
  const type = headers.get('content-type')
  judge.expect('media-type', type === MEDIA_TYPE, location, `Content-Type is ${type ?? 'absent'}`)
  const cache = headers.get('cache-control')
  judge.expect('no-store', cache === 'no-store', location, `Cache-Control is ${cache ?? 'absent'}`)
  // An answer to HEAD has no body.
  if (status !== 200 && asked.method !== 'HEAD') checkErrorBody(judge, answer, location)
}

function checkErrorBody(judge: RuleChecks, answer: RemoteResponse, location: FaultLocation): void {
  const { status, headers } = answer
  const body = parseBody(answer.bytes)
  judge.expect(
    'api-version',
    body?.api_version === 'v1',
    location,
    'an error without api_version v1',
  )
  const code = parseApiErrorCode(answer)
  const sound = checkPayload('error', body).length === 0
  const isKnown = code !== undefined && (STATUS_OF[code] ?? []).includes(status)
  const names = API_ERROR_CODES.join(', ')
  const detail = sound
    ? `${code} does not belong to status ${status}`
    : `status ${status} has no error envelope with one of the codes ${names}`
  judge.expect('error-envelope', sound && isKnown, location, detail)
  const message = isObject(body?.error) ? body.error.message : undefined
  if (typeof message === 'string') {
    const unsafe = UNSAFE.some((pattern) => pattern.test(message))
    judge.expect('error-safe', !unsafe, location, `the message is ${JSON.stringify(message)}`)
  }
  if (status === 429) {
    const wait = headers.get('retry-after') ?? ''
    const detail = `Retry-After is ${wait || 'absent'}, the code ${code ?? 'absent'}`
    judge.expect(
      'rate-limited',
      /^[1-9]\d*$/.test(wait) && code === 'rate_limited',
      location,
      detail,
    )
  }
}

/** The error code of an answer; undefined if it has none. */
export function parseApiErrorCode({ bytes }: RemoteResponse): string | undefined {
  const error = parseBody(bytes)?.error
  return isObject(error) && typeof error.code === 'string' ? error.code : undefined
}

/** Whether an answer rejects the request as invalid. */
export const isInvalid = (answer: RemoteResponse) =>
  answer.status === 400 && parseApiErrorCode(answer) === 'invalid_request'

/** Parses a body; undefined if it is not an object. */
export const parseBody = (bytes: Uint8Array) => objectIn(Buffer.from(bytes).toString())

export const LATEST_PATH = '/v1/forecasts/latest'
export const HISTORY_PATH = '/v1/forecasts'
export const HEALTH_PATH = '/v1/health'

/** A name that belongs to no model and no run. */
export const NO_SUCH_NAME = 'conformance-check-no-such-name'

/** Parameters of a request for the history. */
export type Query = Readonly<Record<string, string | number>>

/** The history's path with a query. */
export function historyPath(query: Query): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? HISTORY_PATH : `${HISTORY_PATH}?${pairs.join('&')}`
}
