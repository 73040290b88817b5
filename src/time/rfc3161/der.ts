const CONSTRUCTED = 0x20
const CONTEXT = 0x80
const TAG_NUMBER = 0x1f
const DEEPEST = 32

/** Tags of the universal class that are written here, as one octet. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

/** Bytes that are not what they should be; the message ends the sentence `the token cannot be read: …`. */
export class Malformed extends Error {}

/**
 * Why bytes are not exactly one value in the distinguished encoding (DER, ITU-T X.690); undefined
 * where they are. Lengths are definite and as short as they can be, nothing follows, booleans,
 * integers and bit strings have their one form. The order within a SET OF is left open: signers are
 * found in the wild that do not sort, and nothing is ever encoded again here.
 */
export function derFault(bytes: Uint8Array): string | undefined {
  try {
    const end = checkElement(bytes, 0, bytes.length, 0)
    return end === bytes.length ? undefined : `${bytes.length - end} bytes follow its end`
  } catch (cause) {
    if (cause instanceof Malformed) return cause.message
    throw cause
  }
}

/** Checks the element that begins at `at`. @returns where it ends. */
function checkElement(bytes: Uint8Array, at: number, limit: number, depth: number): number {
  if (depth > DEEPEST) throw new Malformed('it is nested too deeply')
  const tag = bytes[at]
  if (tag === undefined || at >= limit) throw new Malformed('it ends too early')
  if ((tag & TAG_NUMBER) === TAG_NUMBER) throw new Malformed('it has a tag of several octets')
  const { start, length } = readLength(bytes, at + 1, limit)
  const end = start + length
  if (end > limit) throw new Malformed('it ends too early')
  if ((tag & 0xc0) === 0) checkUniversal(tag, bytes.subarray(start, end))
  if ((tag & CONSTRUCTED) !== 0) {
    let next = start
    while (next < end) next = checkElement(bytes, next, end, depth + 1)
  }
  return end
}

function readLength(bytes: Uint8Array, at: number, limit: number) {
  const first = bytes[at]
  if (first === undefined || at >= limit) throw new Malformed('it ends too early')
  if (first < 0x80) return { start: at + 1, length: first }
  const octets = first & 0x7f
  if (octets === 0) throw new Malformed('it has a length that is not stated')
  if (octets > 4 || at + octets >= limit) throw new Malformed('it ends too early')
  let length = 0
  for (const octet of bytes.subarray(at + 1, at + 1 + octets)) length = length * 256 + octet
  const shortest = length >= 0x80 && length >= 256 ** (octets - 1)
  if (!shortest) throw new Malformed('it has a length that is longer than it need be')
  return { start: at + 1 + octets, length }
}

function checkUniversal(tag: number, content: Uint8Array): void {
  const isSequenceOrSet = tag === TAG.sequence || tag === TAG.set
  if ((tag & CONSTRUCTED) !== 0 && !isSequenceOrSet) {
    throw new Malformed('it has a value in several parts')
  }
  if (!isSound(tag, content)) throw new Malformed(`it has a wrong value of type ${tag}`)
}

/** Whether a value that is no sequence or set has the one form that DER gives it. */
function isSound(tag: number, content: Uint8Array): boolean {
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
    // The end of a length that is not stated; a sequence and a set without the mark that they have parts.
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

/** Each number of an identifier begins with no zeroes, and the last one ends. */
function isIdentifier(content: Uint8Array): boolean {
  const begins = (at: number) => at === 0 || content[at - 1]! < 0x80
  const last = content.at(-1)
  return (
    last !== undefined && last < 0x80 && content.every((octet, at) => octet !== 0x80 || !begins(at))
  )
}

/** One element in DER: its tag (one octet), its length, its parts one after the other. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = Buffer.concat(parts)
  return Buffer.concat([Uint8Array.of(tag), lengthOctets(content.length), content])
}

function lengthOctets(length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(length)
  const octets: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return Uint8Array.of(CONTEXT | octets.length, ...octets)
}

/** A whole number that is not negative, from its octets, as an INTEGER in DER. */
export function derInteger(octets: Uint8Array): Uint8Array {
  const from = octets.findIndex((octet) => octet !== 0)
  const shortest = from === -1 ? Uint8Array.of(0) : octets.subarray(from)
  return der(TAG.integer, shortest[0]! >= 0x80 ? Uint8Array.of(0) : new Uint8Array(), shortest)
}

/** The octets of an element without its tag and length. @throws {Malformed} where it is not in DER. */
export function octetsOf(element: Uint8Array): Uint8Array {
  return element.subarray(readLength(element, 1, element.length).start)
}

/** The elements that one consists of, each with its tag. @throws {Malformed} where it is not in DER. */
export function* elementsOf(element: Uint8Array): Generator<Uint8Array> {
  const content = octetsOf(element)
  for (let at = 0; at < content.length; ) {
    const { start, length } = readLength(content, at + 1, content.length)
    yield content.subarray(at, start + length)
    at = start + length
  }
}
