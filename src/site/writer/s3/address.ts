import { ForeproofError } from '../../../contract/error.js'
import { parsePublicAddress } from '../../layout.js'

/** The location of a site in a store of objects, and its credentials. */
export interface ObjectLocation {
  /** `s3://bucket/prefix`, for messages. */
  readonly shown: string
  readonly bucket: string
  /** The prefix of every key; empty, or with a slash at its end. */
  readonly prefix: string
  /** Address of the bucket, without a slash at its end. */
  readonly url: string
  readonly region: string
  readonly credentials: ReturnType<typeof readCredentialsFromEnv>
}

/** Options beside the name of a location. */
export interface ObjectStoreOptions {
  /** Address of a store other than Amazon's; default AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL. */
  readonly endpoint?: string | undefined
  /** Source of the AWS variables; default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

type Variables = NonNullable<ObjectStoreOptions['env']>

const SCHEME = 's3://'
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/
/** Characters that no store and no reader has to encode. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9._~-]+$/
const ELSEWHERE = 'us-east-1'

export function isObjectLocation(out: string): boolean {
  return out.startsWith(SCHEME)
}

/**
 * Parses `s3://bucket/prefix` and the AWS variables.
 * @throws {ForeproofError} `usage`; the message does not repeat a value that may hold a secret.
 */
export function parseObjectLocation(out: string, options: ObjectStoreOptions): ObjectLocation {
  const env = options.env ?? process.env
  const [bucket = '', ...segments] = out.slice(SCHEME.length).replace(/\/+$/, '').split('/')
  if (!NAME.test(bucket)) {
    throw usage('--out: the name behind s3:// is not that of a bucket', 'Give s3://bucket/prefix.')
  }
  if (!segments.every((segment) => SEGMENT.test(segment))) {
    throw usage(
      '--out: the prefix behind the bucket has other characters than A-Z, a-z, 0-9, ".", "_", "~", "-" and single slashes',
      'Name another prefix.',
    )
  }
  const region = variable(env, 'AWS_REGION') ?? variable(env, 'AWS_DEFAULT_REGION')
  const prefix = segments.length === 0 ? '' : `${segments.join('/')}/`
  // The same places as the tools of AWS.
  const endpoint =
    options.endpoint ?? variable(env, 'AWS_ENDPOINT_URL_S3') ?? variable(env, 'AWS_ENDPOINT_URL')
  return {
    shown: [`${SCHEME}${bucket}`, ...segments].join('/'),
    bucket,
    prefix,
    url: bucketUrl(bucket, region, endpoint),
    region: region ?? ELSEWHERE,
    credentials: readCredentialsFromEnv(env),
  }
}

function bucketUrl(bucket: string, region: string | undefined, endpoint: string | undefined) {
  if (endpoint !== undefined) {
    const help = 'Give an address like https://storage.example.org.'
    return `${parsePublicAddress(endpoint, '--endpoint', help)}/${bucket}`
  }
  if (region === undefined) {
    throw usage('the region of the bucket is not known', 'Set AWS_REGION, like eu-central-1.')
  }
  if (!/^[a-z0-9-]+$/.test(region)) throw usage('AWS_REGION: is not the name of a region', SET)
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  // The certificate covers names of one label; a bucket with a dot in its name has several.
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`
}

function readCredentialsFromEnv(env: Variables) {
  const accessKeyId = variable(env, 'AWS_ACCESS_KEY_ID')
  const secretAccessKey = variable(env, 'AWS_SECRET_ACCESS_KEY')
  const sessionToken = variable(env, 'AWS_SESSION_TOKEN')
  if (accessKeyId === undefined) throw usage('AWS_ACCESS_KEY_ID is not set', SET)
  if (secretAccessKey === undefined) throw usage('AWS_SECRET_ACCESS_KEY is not set', SET)
  return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) }
}

/** Reads a variable for a header. It is checked here, because a library that refuses its value would show it. */
function variable(env: Variables, name: string) {
  const value = env[name]?.trim()
  if (value === undefined || value === '') return undefined
  if (!/^[\x21-\x7e]+$/.test(value)) {
    throw usage(`${name}: has a space or a character that is not ASCII`, SET)
  }
  return value
}

const SET =
  'Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, and AWS_SESSION_TOKEN where the key is for a session. `aws configure export-credentials --format env` prints those of a profile.'

function usage(message: string, help: string): ForeproofError {
  return new ForeproofError('usage', message, { help })
}
