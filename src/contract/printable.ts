/**
 * Characters that a reader cannot see and that a terminal, a log viewer or a page may obey: control characters (of
 * ASCII and C1), line breaks, marks that turn the writing direction, and invisible characters. The two joiners are
 * allowed, because some scripts and emoji need them.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/**
 * All foreign text (a name of a file or model, a cell, an answer of a server) must pass through this function before
 * output. Invisible characters become `\u001b` and the like, so that the text cannot move the cursor, colour the
 * screen, turn the writing direction or start a new line.
 */
export function printable(text: string): string {
  return text.replace(UNSEEN, (character) => (character === '\t' ? ' ' : named(character)))
}

/** The same for a text with several lines; its line ends stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

/** A value as JSON without invisible characters except its own line ends. It parses to the same value. */
export function printableJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(UNSEEN, (character) =>
    character === '\n' ? character : escapedUnits(character),
  )
}

function named(character: string): string {
  const point = character.codePointAt(0) ?? 0
  return point > 0xffff ? `\\u{${point.toString(16)}}` : escapedUnits(character)
}

function escapedUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** A number with two significant digits: `100`, `0.0098`. */
export const roughly = (number: number): string => String(Number(number.toPrecision(2)))
