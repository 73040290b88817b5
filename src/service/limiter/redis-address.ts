import { isIPv6 } from 'node:net'
import { ForeproofError } from '../../contract/error.js'

const PORT = 6379
const PREFIX = 'foreproof'
/** How long a request waits for its count: about a hundred times what a nearby Redis takes. */
const TIMEOUT_MS = 250
const MAX_TIMEOUT_MS = 5000
const PARAMETERS: ReadonlySet<string> = new Set(['prefix', 'timeout_ms'])

/** The address of the shared limiter, and its options. */
export interface RedisAddress {
  readonly tls: boolean
  readonly host: string
  readonly port: number
  /** Empty for the default user. */
  readonly username: string
  /** Empty for none. */
  readonly password: string
  readonly database: number
  /** The prefix of its keys. */
  readonly prefix: string
  /** How long a request waits for an answer, in milliseconds. */
  readonly timeoutMs: number
}

/**
 * Parses `redis[s]://[[user]:password@]host[:port][/database][?prefix=…&timeout_ms=…]`. Messages show nothing of the
 * text, because a misplaced part may belong to the password.
 * @param name the name of the text in messages.
 * @throws {ForeproofError} `usage` for anything else.
 */
export function parseRedisAddress(text: string, name: string): RedisAddress {
  const throwInvalid = (what: string): never => {
    throw new ForeproofError('usage', `${name} ${what}`, {
      help:
        'Give redis://HOST, or rediss://HOST for TLS, with :PASSWORD@ or USER:PASSWORD@ before the host and :PORT, /DATABASE, ' +
        '?prefix=NAME and timeout_ms=N after it. In a password, write %23 for #, %2F for /, %3F for ?, %40 for @ and %25 for %.',
    })
  }
  const url = URL.canParse(text) ? new URL(text) : throwInvalid('is no URL')
  if (!/^rediss?:$/.test(url.protocol)) throwInvalid('begins with neither redis:// nor rediss://')
  if (url.hostname === '' || url.hash !== '') throwInvalid('names no host, or has a # in it')
  if (url.username !== '' && url.password === '') throwInvalid('has a user without a password')
  if (!/^(?:|\/|\/\d{1,5})$/.test(url.pathname)) throwInvalid('has a database that is not a number')
  const given = url.searchParams
  const names = [...given.keys()]
  if (names.some((each) => !PARAMETERS.has(each)) || new Set(names).size < names.length) {
    throwInvalid('has other parameters than one prefix and one timeout_ms')
  }
  const prefix = given.get('prefix') ?? PREFIX
  if (!/^[\w.:{}-]{1,64}$/.test(prefix)) {
    throwInvalid('has a prefix that is not up to 64 letters, digits and . _ - : { }')
  }
  const timeout = given.get('timeout_ms') ?? String(TIMEOUT_MS)
  if (!/^[1-9]\d{0,3}$/.test(timeout) || Number(timeout) > MAX_TIMEOUT_MS) {
    throwInvalid(`has a timeout_ms that is not from 1 to ${MAX_TIMEOUT_MS}`)
  }
  const decoded = (part: string) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return throwInvalid('has a % that begins no escape')
    }
  }
  return {
    tls: url.protocol === 'rediss:',
    host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? PORT : Number(url.port),
    username: decoded(url.username),
    password: decoded(url.password),
    database: Number(url.pathname.slice(1)),
    prefix,
    timeoutMs: Number(timeout),
  }
}

/** The address for messages: without user and password. */
export function displayRedisAddress({ tls, host, port, database }: RedisAddress): string {
  const at = isIPv6(host) ? `[${host}]` : host
  return `${tls ? 'rediss' : 'redis'}://${at}:${port}/${database}`
}
