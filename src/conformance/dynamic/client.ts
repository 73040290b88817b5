import type { RuleName } from '../../contract/conformance-rules.js'
import { ForeproofError } from '../../contract/error.js'
import type { AskOptions, Client, RemoteResponse } from '../../remote/client.js'
import { retryAfter } from '../../remote/client.js'
import { type Moment, NOW } from '../freshness.js'
import type { Judge, Place } from '../judge.js'
import { codeOf, judgeAnswer } from './answer.js'

const LONGEST_WAIT_SECONDS = 120
const TRIES = 4
/** Requests that may stay without any answer before the service counts as gone. */
const UNANSWERED = 5
/** Seconds that a clock and the rounding of an age may account for. */
const TOLERANCE_SECONDS = 10

export interface CallOptions extends AskOptions {
  /** Path and query from the root of the service. */
  readonly path: string
}

/** An answer and when it was made; its status is 0 where no answer came. */
export interface ServiceAnswer extends RemoteResponse {
  readonly moment: Moment
}

/** Calls a service, and judges of every answer what holds of all answers. */
export interface ServiceClient {
  readonly root: string
  readonly key: string | undefined
  /** How many answers of the JSON routes had which status so far. */
  readonly statuses: ReadonlyMap<number, number>
  call(options: CallOptions): Promise<ServiceAnswer>
  /** Calls, and judges that the answer is an error of this status and code. */
  refuses(rule: RuleName, status: number, code: string, options: CallOptions): Promise<void>
}

/**
 * @param onWait - told before each wait for the rate limit, with its seconds.
 * @throws {ForeproofError} `io` from its calls, when the first one or too many stay without an answer.
 */
export function createServiceClient(
  judge: Judge,
  client: Client,
  root: string,
  key: string | undefined,
  onWait: (seconds: number) => void,
): ServiceClient {
  const statuses = new Map<number, number>()
  let unanswered = 0

  const ask = async (options: CallOptions): Promise<ServiceAnswer> => {
    const { path, method = 'GET', ...rest } = options
    const place = placeOf(root, path, method)
    const began = performance.now()
    try {
      const answer = await client.ask(root + path, { ...rest, method, once: true })
      const sent = options.headers?.authorization?.split(' ').at(-1) ?? ''
      const secrets = [key ?? '', sent].filter((secret) => secret.length > 7)
      judgeAnswer(judge, answer, place, { method, path, secrets })
      if (path.startsWith('/v1'))
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      return { ...answer, moment: momentOf(answer.headers, began) }
    } catch (cause) {
      unanswered++
      const gone = statuses.size === 0 || unanswered > UNANSWERED
      if (!(cause instanceof ForeproofError) || gone) throw cause
      judge.expect('error-envelope', false, place, `no answer that can be read: ${cause.message}`)
      const nothing = {
        url: root + path,
        status: 0,
        headers: new Headers(),
        bytes: Buffer.alloc(0),
      }
      return { ...nothing, moment: momentOf(nothing.headers, began) }
    }
  }

  const call = async (options: CallOptions): Promise<ServiceAnswer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask(options)
      if (answer.status !== 429) return answer
      const seconds = Math.min(retryAfter(answer.headers) ?? 60, LONGEST_WAIT_SECONDS)
      if (attempt === TRIES) {
        const detail = `still refuses after waiting as long as it said, ${TRIES - 1} times`
        judge.expect('rate-limited', false, { where: root + options.path }, detail)
        return answer
      }
      onWait(seconds)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }

  return {
    root,
    key,
    statuses,
    call,
    async refuses(rule, status, code, options) {
      const answer = await call(options)
      const found = codeOf(answer)
      const method = options.method ?? 'GET'
      const place = placeOf(root, options.path, method)
      const holds = answer.status === status && (method === 'HEAD' || found === code)
      const detail = `answers ${answer.status} ${found ?? 'without a code'}, not ${status} ${code}`
      judge.expect(rule, holds, place, detail)
    },
  }
}

function placeOf(root: string, path: string, method: string): Place {
  return { where: root + path, asked: method === 'GET' ? undefined : method }
}

/** By the clock of the service, where it tells it; by ours otherwise. */
function momentOf(headers: Headers, began: number): Moment {
  const told = Date.parse(headers.get('date') ?? '')
  const now = performance.timeOrigin + performance.now()
  const elapsed = (performance.now() - began) / 1000
  const at = Math.round((Number.isNaN(told) ? now : told) * 1000)
  return { at, tolerance: TOLERANCE_SECONDS + elapsed, snapshot: NOW }
}
