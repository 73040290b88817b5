import { checkErrorBody } from '../contract/check-payload.js'
import type { RuleName } from '../contract/conformance-rules.js'
import { API_ERROR_CODES, MEDIA_TYPE } from '../contract/limits.js'
import type { AskOptions, Client, RemoteResponse } from '../remote/client.js'
import { retryAfter } from '../remote/client.js'
import type { Judge, Place } from './judge.js'

/** What an error message must not show: paths, traces, and names of files. */
const UNSAFE =
  /(?:^|[\s"'(])(?:\/(?:home|root|usr|var|opt|srv|tmp|etc|work|app|mnt)\/|[A-Za-z]:\\)|Traceback|\bat \S+ \(|\.(?:sqlite|db|py|js|ts)\b|Bearer [^<\s]{8}/

const MAXIMUM_WAIT_SECONDS = 120
const TRIES = 4

export interface CallOptions extends AskOptions {
  /** Path and query from the root of the service. */
  readonly path: string
}

/** Calls a service, and judges of every answer what holds of all answers. */
export interface ServiceClient {
  readonly root: string
  readonly hasKey: boolean
  call(options: CallOptions): Promise<RemoteResponse>
  /** Calls, and judges that the answer is an error of this status and code. */
  refuses(rule: RuleName, status: number, code: string, options: CallOptions): Promise<boolean>
}

export function createServiceClient(
  judge: Judge,
  client: Client,
  root: string,
  key: string | undefined,
  onWait: (seconds: number) => void,
): ServiceClient {
  const call = async ({ path, ...ask }: CallOptions): Promise<RemoteResponse> => {
    const url = root + path
    for (let attempt = 1; ; attempt++) {
      const answer = await client.ask(url, { ...ask, once: true })
      judgeAnswer(judge, answer, { where: `${ask.method ?? 'GET'} ${url}` }, path, key)
      if (answer.status !== 429 || attempt === TRIES) return answer
      const seconds = Math.min(retryAfter(answer.headers) ?? 60, MAXIMUM_WAIT_SECONDS)
      onWait(seconds)
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    }
  }
  return {
    root,
    hasKey: key !== undefined,
    call,
    async refuses(rule, status, code, options) {
      const answer = await call(options)
      const found = codeOf(answer)
      const place = { where: `${options.method ?? 'GET'} ${root}${options.path}` }
      const wanted = code === '' ? '' : ` ${code}`
      const detail = `answers ${answer.status} ${found ?? 'without a code'}, not ${status}${wanted}`
      return judge.expect(rule, answer.status === status && found === code, place, detail)
    },
  }
}

export function codeOf({ bytes }: RemoteResponse): string | undefined {
  const body = jsonOf(bytes) as { error?: { code?: unknown } } | undefined
  return typeof body?.error?.code === 'string' ? body.error.code : undefined
}

export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}

const STATUS_OF: Readonly<Record<string, readonly number[]>> = {
  invalid_request: [400, 401],
  forecast_not_found: [404],
  not_acceptable: [406],
  rate_limited: [429],
  internal_error: [500],
  history_unavailable: [503],
}

function judgeAnswer(
  judge: Judge,
  answer: RemoteResponse,
  place: Place,
  path: string,
  key: string | undefined,
): void {
  const { status, headers, bytes } = answer
  const text = Buffer.from(bytes).toString()
  if (key !== undefined) {
    const shown = [text, ...[...headers].flat()].some((part) => part.includes(key))
    judge.expect('error-safe', !shown, place, 'shows the API key')
  }
  if (/^\/(?:livez|readyz|metrics)$/.test(path) && status !== 400) return
  const type = headers.get('content-type')
  judge.expect('media-type', type === MEDIA_TYPE, place, `Content-Type is ${type ?? 'absent'}`)
  const cache = headers.get('cache-control')
  judge.expect('no-store', cache === 'no-store', place, `Cache-Control is ${cache ?? 'absent'}`)
  if (status === 200) return
  const body = jsonOf(bytes)
  const version = (body as { api_version?: unknown } | undefined)?.api_version
  judge.expect('api-version', version === 'v1', place, 'an error without api_version v1')
  const code = codeOf(answer)
  const sound = checkErrorBody(body).length === 0
  const known = code !== undefined && (STATUS_OF[code] ?? []).includes(status)
  const names = API_ERROR_CODES.join(', ')
  const detail = sound
    ? `${code} does not belong to status ${status}`
    : `status ${status} has no error envelope with one of the codes ${names}`
  judge.expect('error-envelope', sound && known, place, detail)
  const message = (body as { error?: { message?: unknown } } | undefined)?.error?.message
  if (typeof message === 'string') {
    judge.expect(
      'error-safe',
      !UNSAFE.test(message),
      place,
      `the message is ${JSON.stringify(message)}`,
    )
  }
  if (status === 429) {
    const told = headers.get('retry-after') ?? ''
    const detail = `Retry-After is ${told || 'absent'}, the code ${code ?? 'absent'}`
    judge.expect('rate-limited', /^[1-9]\d*$/.test(told) && code === 'rate_limited', place, detail)
  }
}
