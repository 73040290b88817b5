import { type Instant, parseInstant } from '../../contract/instant.js'

const CONSTRUCTED = 0x20
const CONTEXT = 0x80
const TAG_NUMBER = 0x1f
const MAX_NESTING = 32

/** Tags of the universal class that are written here, as one octet. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** `[number]` around a whole element, or in place of the tag of a sequence or set. */
export const explicitTag = (number: number): number => CONTEXT | CONSTRUCTED | number

/** `[number]` in place of the tag of a value that has no parts. */
export const implicitTag = (number: number): number => CONTEXT | number

/** Malformed bytes. The message completes `the token cannot be read: …`. */
export class Malformed extends Error {}

/** A DER value: its tag (one octet), its content, and its complete bytes. */
export interface Element {
  readonly tag: number
  readonly content: Uint8Array
  readonly raw: Uint8Array
}

/**
 * Parses bytes that are exactly one DER value (ITU-T X.690): definite and shortest lengths, no trailing bytes,
 * canonical booleans, integers and bit strings. The order within a SET OF is not checked, because some signers in use
 * do not sort and we never encode again.
 * @throws {Malformed} for other bytes.
 */
export function parseDer(bytes: Uint8Array, what: string): Element {
  try {
    const end = checkElement(bytes, 0, bytes.length, 0)
    if (end < bytes.length) throw new Malformed(`${bytes.length - end} bytes follow its end`)
  } catch (cause) {
    throw cause instanceof Malformed ? new Malformed(`${what}: ${cause.message}`) : cause
  }
  return parseElementAt(bytes, 0)
}

function parseElementAt(bytes: Uint8Array, at: number): Element {
  const { start, length } = parseLength(bytes, at + 1, bytes.length)
  const end = start + length
  return { tag: bytes[at]!, content: bytes.subarray(start, end), raw: bytes.subarray(at, end) }
}

/** Parses the elements in an element, in order. @throws {Malformed} if the bytes are not DER. */
export function* parseParts({ content }: Pick<Element, 'content'>): Generator<Element> {
  for (let at = 0; at < content.length; ) {
    const part = parseElementAt(content, at)
    yield part
    at += part.raw.length
  }
}

/** Matches any tag. */
export const ANY = -1

/** The definition of an element: names and tags of its parts, in order; in brackets if optional. */
export type Definition = Readonly<Record<string, number | readonly number[]>>

export type Parts<D extends Definition> = {
  readonly [Name in keyof D]: D[Name] extends number ? Element : Element | undefined
}

/**
 * Parses the parts of an element.
 * @throws {Malformed} if one is missing, has another tag, or is left over.
 */
export function parseMembers<const D extends Definition>(
  element: Element,
  what: string,
  definition: D,
): Parts<D> {
  const left = (element.tag & CONSTRUCTED) === 0 ? [] : [...parseParts(element)]
  const parts: Record<string, Element | undefined> = {}
  for (const [name, tags] of Object.entries(definition)) {
    const allowed = [tags].flat()
    const isNext = left[0] !== undefined && (allowed.includes(left[0].tag) || allowed.includes(ANY))
    if (!isNext && typeof tags === 'number') {
      throw new Malformed(`it has no ${what} where one is expected`)
    }
    parts[name] = isNext ? left.shift() : undefined
  }
  if (left.length > 0) throw new Malformed(`${what} has unknown parts`)
  return parts as Parts<D>
}

/** The same for bytes that are one DER SEQUENCE. @throws {Malformed} */
export function parseSequence<const D extends Definition>(
  bytes: Uint8Array,
  what: string,
  definition: D,
): Parts<D> {
  return parseMembers(assertTag(parseDer(bytes, what), TAG.sequence, what), what, definition)
}

/** @throws {Malformed} if an element has another tag. */
export function assertTag(element: Element, tag: number, what: string): Element {
  if (element.tag === tag) return element
  throw new Malformed(`it has no ${what} where one is expected`)
}

/** An OBJECT IDENTIFIER as numbers and dots. */
export function parseOid({ content }: Element): string {
  const arcs: bigint[] = []
  let arc = 0n
  for (const octet of content) {
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    if (octet >= 0x80) continue
    arcs.push(arc)
    arc = 0n
  }
  const [both = 0n, ...rest] = arcs
  const first = both < 80n ? both / 40n : 2n
  return [first, both - first * 40n, ...rest].join('.')
}

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  Buffer.compare(one, other) === 0

/** Parses a whole number from 0 to 2^40 - 1; undefined for others. */
export function parseSmallInteger({ content }: Element): number | undefined {
  if (content.length === 0 || content.length > 5 || content[0]! >= 0x80) return undefined
  return content.reduce((sum, octet) => sum * 256 + octet, 0)
}

/** The numbers of the set bits of a BIT STRING; its first octet counts unused bits. */
export function parseBits({ content }: Element): number[] {
  return [...content.subarray(1)].flatMap((octet, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => octet & (0x80 >> bit)).map((bit) => at * 8 + bit),
  )
}

/**
 * Parses a UTCTime (1950 to 2049) or a GeneralizedTime; undefined for other forms. Fractions of a microsecond are
 * rounded up, so that no time becomes earlier.
 */
export function parseDerTime(element: Element): Instant | undefined {
  const text = decodeLatin1(element)
  const century = text < '50' ? '20' : '19'
  const digits = element.tag === TAG.utcTime ? century + text : text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d*[1-9]))?Z$/.exec(digits)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction = ''] = match
  const seconds = parseInstant(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (seconds === undefined) return undefined
  return seconds + Number(fraction.slice(0, 6).padEnd(6, '0')) + (fraction.length > 6 ? 1 : 0)
}

/** Decodes the content as Latin-1, which is sufficient for times. */
export const decodeLatin1 = ({ content }: Element): string =>
  Buffer.from(content).toString('latin1')

/** Checks the element that begins at `at`. @returns where it ends. */
function checkElement(bytes: Uint8Array, at: number, limit: number, depth: number): number {
  if (depth > MAX_NESTING) throw new Malformed('it is nested too deeply')
  const tag = bytes[at]
  if (tag === undefined || at >= limit) throw new Malformed('it ends too early')
  if ((tag & TAG_NUMBER) === TAG_NUMBER) throw new Malformed('it has a tag of several octets')
  const { start, length } = parseLength(bytes, at + 1, limit)
  const end = start + length
  if (end > limit) throw new Malformed('it ends too early')
  if ((tag & 0xc0) === 0) checkUniversal(tag, bytes.subarray(start, end))
  if ((tag & CONSTRUCTED) !== 0) {
    let next = start
    while (next < end) next = checkElement(bytes, next, end, depth + 1)
  }
  return end
}

function parseLength(bytes: Uint8Array, at: number, limit: number) {
  const first = bytes[at]
  if (first === undefined || at >= limit) throw new Malformed('it ends too early')
  if (first < 0x80) return { start: at + 1, length: first }
  const octets = first & 0x7f
  if (octets === 0) throw new Malformed('it has a length that is not stated')
  if (octets > 4 || at + octets >= limit) throw new Malformed('it ends too early')
  let length = 0
  for (const octet of bytes.subarray(at + 1, at + 1 + octets)) length = length * 256 + octet
  const shortest = length >= 0x80 && length >= 2 ** (8 * (octets - 1))
  if (!shortest) throw new Malformed('it has a length that is longer than it need be')
  return { start: at + 1 + octets, length }
}

function checkUniversal(tag: number, content: Uint8Array): void {
  const isSequenceOrSet = tag === TAG.sequence || tag === TAG.set
  if ((tag & CONSTRUCTED) !== 0 && !isSequenceOrSet) {
    throw new Malformed('it has a value in several parts')
  }
  if (!isDistinguished(tag, content)) throw new Malformed(`it has a wrong value of type ${tag}`)
}

/** Whether a primitive value is in canonical DER form. */
function isDistinguished(tag: number, content: Uint8Array): boolean {
  const [first = 0] = content
  switch (tag) {
    case TAG.boolean:
      return content.length === 1 && (first === 0 || first === 0xff)
    case TAG.integer:
    case TAG.enumerated:
      return isShortestInteger(content)
    case TAG.bitString:
      return content.length > 0 && first <= 7 && hasZeroesAtItsEnd(content, first)
    case TAG.null:
      return content.length === 0
    case TAG.objectIdentifier:
      return isIdentifier(content)
    // The end mark of an indefinite length; or a sequence or set that is not marked as constructed.
    case 0x00:
    case 0x10:
    case 0x11:
      return false
    default:
      return true
  }
}

function isShortestInteger(content: Uint8Array): boolean {
  const [first = 0, second = 0] = content
  if (content.length < 2) return content.length === 1
  return !((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))
}

function hasZeroesAtItsEnd(content: Uint8Array, unused: number): boolean {
  const last = content.at(-1) ?? 0
  return content.length === 1 ? unused === 0 : (last & ((1 << unused) - 1)) === 0
}

/** No number of an identifier starts with zeros, and the last one is complete. */
function isIdentifier(content: Uint8Array): boolean {
  const begins = (at: number) => at === 0 || content[at - 1]! < 0x80
  const last = content.at(-1)
  return (
    last !== undefined && last < 0x80 && content.every((octet, at) => octet !== 0x80 || !begins(at))
  )
}

/** One element in DER: its tag (one octet), its length, its parts one after the other. */
export function encodeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag), encodeLength(content.length), content])
}

function encodeLength(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Uint8Array.of(CONTEXT | octets.length, ...octets)
}

/** A whole number that is not negative, from its octets, as an INTEGER in DER. */
export function encodeInteger(octets: Uint8Array): Uint8Array {
  const from = octets.findIndex((octet) => octet !== 0)
  const shortest = from === -1 ? Uint8Array.of(0) : octets.subarray(from)
  return encodeDer(
    TAG.integer,
    shortest[0]! >= 0x80 ? Uint8Array.of(0) : new Uint8Array(),
    shortest,
  )
}

/** An OBJECT IDENTIFIER in DER, from numbers and dots. */
export function encodeOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const octets = [first * 40 + second, ...rest].flatMap((arc) => {
    const sevens = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
      sevens.unshift(CONTEXT | (left % 128))
    }
    return sevens
  })
  return encodeDer(TAG.objectIdentifier, Uint8Array.from(octets))
}
