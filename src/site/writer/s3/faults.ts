import { ForeproofError } from '../../../contract/error.js'
import type { ObjectPlace } from './address.js'

/** What is asked of a store, by the right that it needs. */
export type Right = 's3:GetObject' | 's3:PutObject' | 's3:DeleteObject' | 's3:ListBucket'

/** An answer that is no success. */
export interface RefusedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

const KEY_HELP: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'The store does not know AWS_ACCESS_KEY_ID.',
  SignatureDoesNotMatch:
    'AWS_SECRET_ACCESS_KEY is not that of AWS_ACCESS_KEY_ID, or a proxy changes requests.',
  ExpiredToken: 'Get new credentials: those of this session have expired.',
  InvalidToken: 'AWS_SESSION_TOKEN is not that of AWS_ACCESS_KEY_ID; unset it for a lasting key.',
}

/**
 * What a store's answer means for its user. Of the answer only its code is shown: a store may repeat in
 * its words what it was sent.
 */
export function faultOfAnswer(
  place: ObjectPlace,
  right: Right,
  refused: RefusedAnswer,
): ForeproofError {
  const { status } = refused
  const code = codeInAnswer(refused.bytes)
  const region = regionOf(refused)
  if (code === 'NoSuchBucket') {
    return new ForeproofError('not-found', `s3://${place.bucket}: there is no such bucket`, {
      help: 'Make it first, or name another one with --out; for a store other than Amazon’s, give --endpoint.',
    })
  }
  if (region !== undefined && region !== place.region) {
    return objectFault(
      place,
      `the bucket is in the region ${region}, not in ${place.region}`,
      `Set AWS_REGION to ${region}.`,
    )
  }
  if (code === 'RequestTimeTooSkewed') {
    const help = 'Set this machine’s clock; a store takes requests of the last 15 minutes alone.'
    return objectFault(place, 'this machine’s clock is not that of the store', help)
  }
  const said = `${status}${code === undefined ? '' : ` ${code}`}`
  const help = code === undefined ? undefined : KEY_HELP[code]
  if (help !== undefined) return objectFault(place, `the credentials are refused (${said})`, help)
  if (status === 401 || status === 403) {
    return objectFault(place, `access is denied: ${right} is needed here (${said})`, GRANT)
  }
  return objectFault(
    place,
    `the store answers with ${said}`,
    'Nothing more was written; run again later.',
  )
}

const GRANT =
  'Grant s3:ListBucket on the bucket, and s3:GetObject, s3:PutObject and s3:DeleteObject on what lies below the prefix.'

/** The code that a store's answer has, like AccessDenied. */
export function codeInAnswer(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(text)?.[1]
}

/** The region that an answer says is the right one. */
function regionOf({ status, headers, bytes }: RefusedAnswer): string | undefined {
  if (status !== 301 && status !== 307 && status !== 400) return undefined
  const text = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  const region = headers.get('x-amz-bucket-region') ?? /<Region>([^<]*)</.exec(text)?.[1]
  return region !== undefined && /^[a-z0-9-]{1,32}$/.test(region) ? region : undefined
}

export function objectFault(place: ObjectPlace, says: string, help: string, cause?: unknown) {
  return new ForeproofError('io', `${place.shown}: ${says}`, {
    help,
    ...(cause !== undefined && { cause }),
  })
}
