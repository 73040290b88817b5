import { createHash } from 'node:crypto'
import { type Instant, instantOf, MICROS_PER_SECOND } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import { type Hash, hashOf, nameOf } from './algorithms.js'
import { refuse } from './refused.js'
import {
  type Accuracy,
  readRequest,
  readStatement,
  type Signed,
  type StampAnswer,
  type TimeStatement,
} from './structures.js'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const TST_INFO = '1.2.840.113549.1.9.16.1.4'
/** PKIFailureInfo, by the number of the bit (RFC 3161, 2.4.2). */
const REASONS: Readonly<Record<number, string>> = {
  0: 'badAlg',
  2: 'badRequest',
  5: 'badDataFormat',
  14: 'timeNotAvailable',
  15: 'unacceptedPolicy',
  16: 'unacceptedExtension',
  17: 'addInfoNotAvailable',
  25: 'systemFailure',
}
const GRANTED = 0
const GRANTED_WITH_CHANGES = 1
const LONGEST_TEXT = 200

/** What holds of a statement that passed. */
export interface Stated {
  readonly statement: TimeStatement
  readonly imprint: Hash
  readonly genTime: Instant
  readonly accuracy: number
}

/**
 * Check 1: the authority granted the request, and one signer states the time of these bytes.
 * @returns the signed content, whose signature nobody has looked at yet.
 * @throws {StampRefused}
 */
export function checkAnswer({ status, text, reasons, token }: StampAnswer): Signed {
  const granted = status === GRANTED || status === GRANTED_WITH_CHANGES
  if (!granted || token === undefined) {
    refuse('stamp-refused', {
      status,
      text: printable(text.slice(0, LONGEST_TEXT)),
      reasons: reasons.map((bit) => REASONS[bit] ?? `reason ${bit}`),
    })
  }
  if (token.type !== SIGNED_DATA) refuse('stamp-content', { found: token.type })
  if (token.contentType !== TST_INFO) refuse('stamp-content', { found: token.contentType })
  if (token.signers.length !== 1) refuse('stamp-signers', { found: token.signers.length })
  return token
}

/** Check 1, what is stated. @throws {StampRefused} */
export function checkStatement(content: Uint8Array, data: Uint8Array): Stated {
  const statement = readStatement(content)
  if (statement.version !== 1) {
    refuse('stamp-version', { what: 'TSTInfo', found: statement.version })
  }
  const critical = statement.extensions.filter((each) => each.critical).map(({ oid }) => oid)
  if (critical.length > 0) refuse('stamp-extension', { found: critical })
  const imprint = checkImprint(statement.imprint, data)
  const genTime = instantOfGenTime(statement.genTime)
  const accuracy = microsOf(statement.accuracy)
  if (genTime === undefined || accuracy === undefined) {
    refuse('stamp-time', { found: printable(statement.genTime) })
  }
  return { statement, imprint, genTime, accuracy }
}

function checkImprint({ algorithm, digest }: TimeStatement['imprint'], data: Uint8Array): Hash {
  const hash = hashOf(algorithm)
  if (hash === undefined) refuse('stamp-imprint-algorithm', { found: nameOf(algorithm.oid) })
  const expected = createHash(hash).update(data).digest('hex')
  const found = Buffer.from(digest).toString('hex')
  if (found !== expected) {
    refuse('stamp-imprint', { found: found.slice(0, expected.length), expected })
  }
  return hash
}

/** A GeneralizedTime in DER; a part of a microsecond counts as a whole one, so that nothing is earlier. */
function instantOfGenTime(text: string): Instant | undefined {
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  const whole = instantOf(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (whole === undefined) return undefined
  return whole + Number(fraction.slice(0, 6).padEnd(6, '0')) + (fraction.length > 6 ? 1 : 0)
}

function microsOf(accuracy: Accuracy | undefined): number | undefined {
  const seconds = numberOf(accuracy?.seconds, 0x7fffffff)
  const millis = numberOf(accuracy?.millis, 999)
  const micros = numberOf(accuracy?.micros, 999)
  if (seconds === undefined || millis === undefined || micros === undefined) return undefined
  return seconds * MICROS_PER_SECOND + millis * 1000 + micros
}

/** A whole number from 0 to `most`; 0 where there is none; undefined where it is another one. */
function numberOf(octets: Uint8Array | undefined, most: number): number | undefined {
  if (octets === undefined) return 0
  if (octets.length === 0 || octets.length > 5 || octets[0]! >= 0x80) return undefined
  const number = octets.reduce((sum, octet) => sum * 256 + octet, 0)
  return number <= most ? number : undefined
}

/** Check 7: the stamp answers this request. @throws {StampRefused} */
export function checkRequest(query: Uint8Array, { statement }: Stated): void {
  const asked = readRequest(query)
  const same = (one: Uint8Array | undefined, other: Uint8Array | undefined) =>
    one === undefined
      ? other === undefined
      : other !== undefined && Buffer.compare(one, other) === 0
  if (asked.nonce !== undefined && !same(asked.nonce, statement.nonce)) refuse('stamp-nonce', {})
  if (!same(asked.imprint.digest, statement.imprint.digest)) {
    const [found, expected] = [statement, asked].map(({ imprint }) =>
      Buffer.from(imprint.digest).toString('hex'),
    )
    refuse('stamp-query', { what: 'imprint', found: found!, expected: expected! })
  }
  if (asked.policy !== undefined && asked.policy !== statement.policy) {
    refuse('stamp-query', { what: 'policy', found: statement.policy, expected: asked.policy })
  }
}
