import { setMaxListeners } from 'node:events'
import type { AwsV4Signer } from 'aws4fetch'
import { ForeproofError } from '../../../contract/error.js'
import { sha256Hex } from '../../../document/digest.js'
import { retryRequest } from '../../../remote/client.js'
import { unreachableHelp } from '../../../remote/env-proxy.js'
import { type Received, request } from '../../../remote/request.js'
import { isSitePath } from '../../record.js'
import type { ObjectLocation } from './address.js'

/** A listed object. */
export interface ListedObject {
  /** Relative to the prefix of the site. */
  readonly path: string
  /** Time of writing, in milliseconds since 1970 by the store's clock. */
  readonly written: number
}

/** The objects of one site, by their paths below its prefix. Calls are retried if that may help. */
export interface SiteObjects {
  readonly location: ObjectLocation
  /** Its bytes; undefined if there is no such object. */
  get(path: string): Promise<Buffer | undefined>
  put(path: string, bytes: Uint8Array, headers: Readonly<Record<string, string>>): Promise<void>
  /** Removes an object if it exists. */
  remove(path: string): Promise<void>
  /**
   * Objects with this prefix, and the time by the store's clock.
   * @param max stop after the answer that reaches this number; default all.
   */
  list(path: string, max?: number): Promise<{ objects: ListedObject[]; now: number }>
}

interface Ask {
  readonly right: Right
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Concurrent requests. */
const AT_ONCE = 16
const TRIES = 7
const FIRST_WAIT_SECONDS = 0.2
const LONGEST_WAIT_SECONDS = 20
const TIMEOUT_MS = 60_000
/** Of an object or a list. */
const LARGEST_BODY = 256 * 1_048_576
const WORTH_ANOTHER_TRY = new Set([408, 429, 500, 502, 503, 504])
const CODES_WORTH_ANOTHER_TRY = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
])

/** Opens the objects below a location; sends no request yet. */
export async function openSiteObjects(
  location: ObjectLocation,
  signal?: AbortSignal | undefined,
): Promise<SiteObjects> {
  const { AwsV4Signer } = await import('aws4fetch')
  // Each open request adds a listener; Node reports more than ten as a leak.
  if (signal !== undefined) setMaxListeners(0, signal)
  const ask = (what: Ask) => requestWithRetries(location, AwsV4Signer, what, signal)
  return {
    location,
    get: async (path) => {
      // In a forged list, a path may be outside the site.
      if (!isSitePath(path)) return undefined
      const answer = await ask({ right: 's3:GetObject', method: 'GET', path })
      if (answer.status === 404) return undefined
      if (answer.status !== 403) return Buffer.from(answer.bytes)
      // With permission to list only a part of a bucket, a missing object is answered with "denied" too.
      const { objects } = await listAll(location, ask, path)
      if (objects.some((object) => object.path === path)) {
        throw answerError(location, 's3:GetObject', answer)
      }
      return undefined
    },
    put: async (path, bytes, headers) => {
      await ask({ right: 's3:PutObject', method: 'PUT', path, bytes, headers })
    },
    remove: async (path) => {
      await ask({ right: 's3:DeleteObject', method: 'DELETE', path })
    },
    list: (path, max) => listAll(location, ask, path, max),
  }
}

async function requestWithRetries(
  location: ObjectLocation,
  Signer: typeof AwsV4Signer,
  what: Ask,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const answer = await retryRequest({
    tries: TRIES,
    signal,
    once: () => requestOnce(location, Signer, what, signal),
    isWorthAnother: (answer) =>
      !isAnswered(what, answer) &&
      (WORTH_ANOTHER_TRY.has(answer.status) ||
        CODES_WORTH_ANOTHER_TRY.has(parseErrorCode(answer.bytes) ?? '')),
    noAnswer: (cause) => unreachableStore(location, cause),
    secondsBefore,
  })
  if (isAnswered(what, answer)) return answer
  throw answerError(location, what.right, answer)
}

/** Whether an answer is conclusive: the request was done, or there is no such object. */
function isAnswered({ right }: Ask, { status, bytes }: Received): boolean {
  const code = parseErrorCode(bytes)
  // Some stores report an error after they have begun to answer 200; a downloaded object may contain any text.
  if (status >= 200 && status < 300) return right === 's3:GetObject' || code === undefined
  if (status === 404) return code !== 'NoSuchBucket' && right !== 's3:PutObject'
  return status === 403 && code === 'AccessDenied' && right === 's3:GetObject'
}

async function requestOnce(
  location: ObjectLocation,
  Signer: typeof AwsV4Signer,
  { method, path, query, bytes, headers }: Ask,
  signal: AbortSignal | undefined,
): Promise<Received> {
  const url = new URL(
    query === undefined ? `${location.url}/${location.prefix}${path}` : `${location.url}/`,
  )
  for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
  const { credentials, region } = location
  const signed = await new Signer({
    ...credentials,
    region,
    service: 's3',
    method,
    url: url.href,
    // The store compares the body with this digest, so corrupted uploads are detected.
    headers: { ...headers, 'x-amz-content-sha256': sha256Hex(bytes ?? '') },
  }).sign()
  return request(url.href, {
    method,
    headers: signed.headers,
    body: bytes,
    signal,
    timeoutMs: TIMEOUT_MS,
    largestBody: LARGEST_BODY,
  })
}

/**
 * Waits as long as the store asks for, otherwise longer each time; despite its random part, each wait is shorter than
 * the next.
 */
function secondsBefore(attempt: number, asked: number | undefined): number {
  const growing = FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return Math.min(LONGEST_WAIT_SECONDS, asked || growing)
}

/** The reason is the system's own error code; nothing that was sent is in it. */
function unreachableStore(location: ObjectLocation, cause: unknown) {
  const { code, message } = cause as NodeJS.ErrnoException
  const { host } = new URL(location.url)
  const check =
    'Check the network and --endpoint; what was not finished is finished by the next run.'
  const help = unreachableHelp(location.url, check)
  return objectFault(location, `${host} gives no answer (${code ?? message})`, help, cause)
}

async function listAll(
  location: ObjectLocation,
  ask: (what: Ask) => Promise<Received>,
  path: string,
  max = Number.POSITIVE_INFINITY,
): Promise<{ objects: ListedObject[]; now: number }> {
  const objects: ListedObject[] = []
  const begun = { 'list-type': '2', prefix: location.prefix + path }
  let token: string | undefined
  for (;;) {
    const query = { ...begun, ...(token !== undefined && { 'continuation-token': token }) }
    const answer = await ask({ right: 's3:ListBucket', method: 'GET', path: '', query })
    // 404: no such bucket.
    if (answer.status === 404) throw answerError(location, 's3:ListBucket', answer)
    const text = Buffer.from(answer.bytes).toString('utf8')
    if (!text.includes('<ListBucketResult')) throw badListError(location)
    for (const [, entry = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
      const key = member(entry, 'Key') ?? ''
      const written = Date.parse(member(entry, 'LastModified') ?? '')
      if (key.startsWith(location.prefix))
        objects.push({ path: key.slice(location.prefix.length), written })
    }
    const before = token
    token = member(text, 'NextContinuationToken')
    if (token !== undefined && token === before) throw badListError(location)
    if (token === undefined || objects.length >= max) {
      return { objects, now: Date.parse(answer.headers.get('date') ?? '') }
    }
  }
}

function badListError(location: ObjectLocation) {
  const help = 'Check --endpoint: what answers there does not work like S3.'
  return objectFault(location, 'the answer is not a list of objects', help)
}

/** The text of an element without child elements. */
function member(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** Other entities do not occur in keys of a site or in tokens. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
}

/** The kinds of requests, by the permission that each needs. */
type Right = 's3:GetObject' | 's3:PutObject' | 's3:DeleteObject' | 's3:ListBucket'

/** Codes for rejected credentials, or a rejected time in a signature. */
const REFUSES_CREDENTIALS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'InvalidToken',
  'RequestTimeTooSkewed',
])
const CHECK_CREDENTIALS =
  'Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for a session, AWS_SESSION_TOKEN, which expires; and the clock of this machine, for a store takes requests of the last 15 minutes alone.'

/** Explains the error answer of a store. Only its code is shown, because its text may repeat what was sent. */
function answerError(location: ObjectLocation, right: Right, refused: Received): ForeproofError {
  const { status } = refused
  const code = parseErrorCode(refused.bytes)
  const region = regionFromHost(refused)
  if (code === 'NoSuchBucket') {
    return new ForeproofError('not-found', `s3://${location.bucket}: there is no such bucket`, {
      help: 'Make it first, or name another one with --out; for a store other than Amazon’s, give --endpoint.',
    })
  }
  if (region !== undefined && region !== location.region) {
    const message = `the bucket is in the region ${region}, not in ${location.region}`
    return objectFault(location, message, `Set AWS_REGION to ${region}.`)
  }
  const answer = `${status}${code === undefined ? '' : ` ${code}`}`
  if (code !== undefined && REFUSES_CREDENTIALS.has(code)) {
    return objectFault(location, `the credentials are refused (${answer})`, CHECK_CREDENTIALS)
  }
  if (status === 401 || status === 403) {
    return objectFault(location, `access is denied: ${right} is needed here (${answer})`, GRANT)
  }
  const later = 'Nothing more was written; run again later.'
  return objectFault(location, `the store answers with ${answer}`, later)
}

const GRANT =
  'Grant s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on what lies below the prefix.'

/** The code in a store's error answer, like AccessDenied. */
function parseErrorCode(bytes: Uint8Array): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(readBeginning(bytes))?.[1]
}

const readBeginning = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 4096)).toString('latin1')

/** The correct region, according to an answer. */
function regionFromHost({ headers, bytes }: Received): string | undefined {
  const inBody = /<Region>([^<]*)</.exec(readBeginning(bytes))?.[1]
  const region = headers.get('x-amz-bucket-region') ?? inBody
  return region !== undefined && /^[a-z0-9-]{1,32}$/.test(region) ? region : undefined
}

export function objectFault(
  location: ObjectLocation,
  message: string,
  help: string,
  cause?: unknown,
) {
  return new ForeproofError('io', `${location.shown}: ${message}`, { help, cause })
}

/**
 * Runs a function for each item, several at a time. After a failure it starts no more, and waits for those that are
 * running.
 */
export async function inParallel<T>(
  items: readonly T[],
  act: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const line = async (): Promise<void> => {
    while (next < items.length) {
      try {
        await act(items[next++] as T)
      } catch (cause) {
        next = items.length
        throw cause
      }
    }
  }
  const lines = Array.from({ length: Math.min(AT_ONCE, items.length) }, line)
  await Promise.allSettled(lines)
  await Promise.all(lines)
}
