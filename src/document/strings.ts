import type { ArgsOf } from '../contract/findings/finding.js'
import { codePointName, describeCharacter, type Faults } from './faults.js'

/** Lone surrogates and noncharacters, which JSON text must not contain (RFC 7493, section 2.1). */
export const FORBIDDEN_CHARACTER = /[\p{Surrogate}\p{Noncharacter_Code_Point}]/u

/** A stretch of a string without escapes: an engine's regular expression beats a loop. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what ends it
const PLAIN = /[^"\\\u0000-\u001F]*/y
const NONCHARACTER = /\p{Noncharacter_Code_Point}/gu
/** A pair of surrogates, another code unit, or a backslash and the character after it. */
const ESCAPE = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\./gsu

interface StringToken {
  readonly value: string
  /** After the closing quote. */
  readonly end: number
}

/**
 * Parses the string whose opening quote is at `open`.
 * @param clean - whether the whole text is known to have no forbidden characters.
 */
export function readString(
  text: string,
  open: number,
  faults: Faults,
  clean: boolean,
): StringToken {
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
      const found = describeCharacter(text, at)
      faults.add('json-form', at, at + 1, { fault: 'control-character', found })
    } else {
      faults.fatal('json-truncated', text.length, text.length, { openOffset: open, what: 'string' })
    }
    at++
  }
  const source = text.slice(start, at)
  if (!clean && FORBIDDEN_CHARACTER.test(source)) reportNoncharacters(source, start, faults)
  return { value: escaped ? decodeEscapes(source, start, faults) : source, end: at + 1 }
}

function reportNoncharacters(source: string, start: number, faults: Faults): void {
  for (const { 0: character, index } of source.matchAll(NONCHARACTER)) {
    const at = start + index
    const found = codePointName(character.codePointAt(0) ?? 0)
    faults.add('json-character', at, at + character.length, { fault: 'noncharacter', found })
  }
}

/**
 * The value of a string that contains a backslash. Bad escapes are reported and read as U+FFFD, so that parsing can
 * continue.
 */
function decodeEscapes(source: string, start: number, faults: Faults): string {
  return source.replace(ESCAPE, (token: string, index: number) => {
    const at = start + index
    const value = decoded(token)
    if (value === undefined) {
      const found = token === '\\u' ? source.slice(index, index + 6) : token
      faults.add('json-form', at, at + found.length, { fault: 'escape', found })
      return '\uFFFD'
    }
    const forbidden = forbiddenIn(value)
    if (forbidden === undefined) return value
    faults.add('json-character', at, at + token.length, forbidden)
    return forbidden.fault === 'noncharacter' ? value : '\uFFFD'
  })
}

function decoded(token: string): string | undefined {
  try {
    return JSON.parse(`"${token}"`)
  } catch {
    return undefined
  }
}

/** The first character of a text that I-JSON forbids. */
export function forbiddenIn(text: string): ArgsOf<'json-character'> | undefined {
  const point = FORBIDDEN_CHARACTER.exec(text)?.[0].codePointAt(0)
  if (point === undefined) return undefined
  const isLone = point >= 0xd800 && point <= 0xdfff
  return { fault: isLone ? 'lone-surrogate' : 'noncharacter', found: codePointName(point) }
}
