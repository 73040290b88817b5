import { checkErrorBody } from '../../contract/check-payload.js'
import { API_ERROR_CODES, MEDIA_TYPE } from '../../contract/limits.js'
import type { RemoteResponse } from '../../remote/client.js'
import type { Judge, Place } from '../judge.js'

/** What an error message must not show: paths and names of files, traces, names of errors, keys. */
const UNSAFE = [
  // Two names or more after slashes; but not our own routes, media types and web addresses.
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

/** What was asked, as far as its answer is judged by it. */
export interface Asked {
  readonly method: string
  readonly path: string
  /** Keys that must not come back, the made-up ones that were sent too. */
  readonly secrets: readonly string[]
}

/** Judges what holds of every answer of the JSON routes. */
export function judgeAnswer(
  judge: Judge,
  answer: RemoteResponse,
  place: Place,
  asked: Asked,
): void {
  const { status, headers, bytes } = answer
  const text = Buffer.from(bytes).toString()
  const parts = [text, ...[...headers].flat()]
  const shown = asked.secrets.some((secret) => parts.some((part) => part.includes(secret)))
  judge.expect('error-safe', !shown, place, 'shows an API key')
  if (/^\/(?:livez|readyz|metrics)$/.test(asked.path) && status !== 400) return
  const type = headers.get('content-type')
  judge.expect('media-type', type === MEDIA_TYPE, place, `Content-Type is ${type ?? 'absent'}`)
  const cache = headers.get('cache-control')
  judge.expect('no-store', cache === 'no-store', place, `Cache-Control is ${cache ?? 'absent'}`)
  // An answer to HEAD has no body.
  if (status !== 200 && asked.method !== 'HEAD') judgeError(judge, answer, place)
}

function judgeError(judge: Judge, answer: RemoteResponse, place: Place): void {
  const { status, headers } = answer
  const body = jsonOf(answer.bytes) as {
    api_version?: unknown
    error?: { message?: unknown }
  } | null
  judge.expect('api-version', body?.api_version === 'v1', place, 'an error without api_version v1')
  const code = codeOf(answer)
  const sound = checkErrorBody(body).length === 0
  const known = code !== undefined && (STATUS_OF[code] ?? []).includes(status)
  const names = API_ERROR_CODES.join(', ')
  const detail = sound
    ? `${code} does not belong to status ${status}`
    : `status ${status} has no error envelope with one of the codes ${names}`
  judge.expect('error-envelope', sound && known, place, detail)
  const message = body?.error?.message
  if (typeof message === 'string') {
    const unsafe = UNSAFE.some((pattern) => pattern.test(message))
    judge.expect('error-safe', !unsafe, place, `the message is ${JSON.stringify(message)}`)
  }
  if (status === 429) {
    const told = headers.get('retry-after') ?? ''
    const detail = `Retry-After is ${told || 'absent'}, the code ${code ?? 'absent'}`
    judge.expect('rate-limited', /^[1-9]\d*$/.test(told) && code === 'rate_limited', place, detail)
  }
}

/** The error code of an answer; undefined where there is none. */
export function codeOf({ bytes }: RemoteResponse): string | undefined {
  const body = jsonOf(bytes) as { error?: { code?: unknown } } | null
  return typeof body?.error?.code === 'string' ? body.error.code : undefined
}

/** A body as JSON; null where it is none. */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return null
  }
}
