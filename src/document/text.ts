import { isUtf8 } from 'node:buffer'
import type { ArgsOf, Code } from '../contract/findings/finding.js'
import { isPem } from '../contract/secrets.js'

type TextFaultCode = Extract<Code, `document-${string}`>

/** A fault of the bytes, found before any JSON is parsed. */
type TextFault = {
  [C in TextFaultCode]: {
    readonly code: C
    /** Offset into the decoded text. */
    readonly offset: number
    readonly args: ArgsOf<C>
  }
}[TextFaultCode]

interface DecodedText {
  readonly text: string
  /** If present, do not parse the text. */
  readonly fault?: TextFault
}

/** Only white space, as JSON defines it. */
const BLANK = /^[ \t\r\n]*$/
const BOM = '\uFEFF'
/** Number of bytes checked to distinguish a binary file from a text. */
const SNIFFED_BYTES = 8192

/** Decodes bytes to text: UTF-8 without a byte order mark, at most `maxBytes`. */
export function decode(bytes: Uint8Array, maxBytes: number): DecodedText {
  if (bytes.length > maxBytes) {
    const fault = { code: 'document-too-large', offset: 0, args: { limit: maxBytes } } as const
    return { text: '', fault }
  }
  const utf16 = utf16Order(bytes)
  if (utf16 !== undefined) return { text: '', fault: encoding('utf-16', utf16) }
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { text: '', fault: encoding('binary') }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  // Show nothing of a key, not even the lines around a finding.
  if (isPem(text)) return { text: '', fault: encoding('pem') }
  if (text.startsWith(BOM)) return { text: text.slice(1), fault: encoding('bom') }
  if (!isUtf8(bytes)) {
    const at = firstInvalid(bytes, text)
    const offset = Buffer.from(bytes.subarray(0, at)).toString('utf8').length
    const byte = bytes[at]?.toString(16).toUpperCase()
    return { text, fault: encoding('invalid', `0x${byte} at offset ${at}`, offset) }
  }
  if (!BLANK.test(text)) return { text }
  return { text, fault: { code: 'document-empty', offset: 0, args: { characters: text.length } } }
}

function encoding(fault: ArgsOf<'document-encoding'>['fault'], found = '', offset = 0): TextFault {
  return { code: 'document-encoding', offset, args: { fault, found } }
}

/** Detects UTF-16 by its byte order mark or, because JSON begins with ASCII, by a zero in every other byte. */
function utf16Order(bytes: Uint8Array): 'LE' | 'BE' | undefined {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) return 'LE'
  if (a === 0xfe && b === 0xff) return 'BE'
  if (bytes.length < 4 || bytes.length % 2 !== 0) return undefined
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'LE'
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'BE'
  return undefined
}

/** Offset of the first byte that is not valid UTF-8; from there on, the decoded text differs from the bytes. */
function firstInvalid(bytes: Uint8Array, text: string): number {
  const written = Buffer.from(text)
  let at = written.findIndex((byte, index) => byte !== bytes[index])
  // A replacement character may share its first bytes with the input, so go back to its first byte.
  while (((written[at] ?? 0) & 0xc0) === 0x80) at--
  return at
}
