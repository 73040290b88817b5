import { decodeEscapes, isNoncharacter, reportNoncharacter } from './escapes.js'
import { describeCharacter, type Faults } from './faults.js'

/** Lone surrogates and noncharacters, which no text in JSON may hold (RFC 7493, section 2.1). */
export const FORBIDDEN_CHARACTER = /[\p{Surrogate}\p{Noncharacter_Code_Point}]/u

/** A stretch of a string that stands for itself: an engine's regular expression beats a loop. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ends it
const PLAIN = /[^"\\\u0000-\u001F]*/y

export interface StringToken {
  readonly value: string
  /** After the closing quote. */
  readonly end: number
}

/** Reads the string whose opening quote is at `open`. */
export function readString(text: string, open: number, faults: Faults): StringToken {
  const start = open + 1
  let at = start
  let escaped = false
  for (;;) {
    PLAIN.lastIndex = at
    PLAIN.test(text)
    at = PLAIN.lastIndex
    const code = text.charCodeAt(at)
    if (code === 0x22) break
    if (code === 0x5c) {
      escaped = true
      at++
    } else if (code < 0x20) {
      const character = describeCharacter(text, at)
      faults.add('json-control-character', at, at + 1, { character })
    } else {
      faults.fatal('json-truncated', text.length, text.length, { openOffset: open, what: 'string' })
    }
    at++
  }
  reportNoncharacters(text, start, at, faults)
  const value = escaped ? decodeEscapes(text, start, at, faults) : text.slice(start, at)
  return { value, end: at + 1 }
}

/** Reports every noncharacter between two offsets of the source. */
function reportNoncharacters(text: string, start: number, end: number, faults: Faults): void {
  for (let at = start; at < end; at++) {
    const point = text.codePointAt(at) as number
    const width = point > 0xffff ? 2 : 1
    if (isNoncharacter(point)) reportNoncharacter(point, at, at + width, faults)
    at += width - 1
  }
}
