/** `NAME=TEXT` of an option; `text` is absent if there is no `=`. */
export interface NamePair {
  readonly name: string
  readonly text?: string | undefined
}

/** A name in quotes, as in JSON, may contain commas and equals signs. Elsewhere quotes are ordinary characters. */
const QUOTED_NAME = /\s*("(?:[^"\\]|\\.)*")\s*(?==)/y
const QUOTED_TEXT = /\s*("(?:[^"\\]|\\.)*")\s*(?=,|$)/y
const NAME = /[^=,]*/y
const TEXT = /[^,]*/y

/**
 * Parses a list such as `value=load,"a,b"=`. A part without an equals sign belongs to the part before it: `0,1` is a
 * name with a comma.
 */
export function namePairs(list: string): NamePair[] {
  const pairs: { name: Part; text?: Part }[] = []
  for (let at = 0; at <= list.length; at++) {
    const name = partAt(list, at, QUOTED_NAME, NAME)
    at = name.end
    const last = pairs.at(-1)
    if (list[at] === '=') {
      const text = partAt(list, at + 1, QUOTED_TEXT, TEXT)
      at = text.end
      pairs.push({ name, text })
    } else if (last === undefined) {
      pairs.push({ name })
    } else {
      const before = last.text ?? last.name
      before.value += `,${name.value}`
    }
  }
  return pairs.map(({ name, text }) => ({ name: saidIn(name), text: text && saidIn(text) }))
}

/** Parses one pair; the rest of the input is its text. */
export function parseNamePair(pair: string): NamePair {
  const name = partAt(pair, 0, QUOTED_NAME, /[^=]*/y)
  const { end } = name
  return { name: saidIn(name), text: pair[end] === '=' ? pair.slice(end + 1) : undefined }
}

interface Part {
  value: string
  readonly isQuoted: boolean
  readonly end: number
}

function partAt(list: string, at: number, quoted: RegExp, plain: RegExp): Part {
  quoted.lastIndex = at
  const value = stringIn(quoted.exec(list)?.[1])
  if (value !== undefined) return { value, isQuoted: true, end: quoted.lastIndex }
  plain.lastIndex = at
  const [text = ''] = plain.exec(list) ?? []
  return { value: text, isQuoted: false, end: at + text.length }
}

/** Trim spaces around a name, which come from the shell, unless it is in quotes. */
const saidIn = ({ value, isQuoted }: Part): string => (isQuoted ? value : value.trim())

function stringIn(json = ''): string | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const isPlain = (text: string, marks: RegExp) =>
  text === text.trim() && !text.startsWith('"') && !marks.test(text)

/** Formats a name for the position before an equals sign. */
export const writtenName = (name: string): string =>
  isPlain(name, /[=,]/) ? name : JSON.stringify(name)

/** Formats pairs as a list that parses to the same pairs. */
export function writtenPairs(pairs: readonly (readonly [name: string, text: string])[]): string {
  // The comma of `0,1` needs no quotes.
  const written = (text: string) =>
    isPlain(text, /,[^,]*=|,\s*"|,\s*$/) ? text : JSON.stringify(text)
  return pairs.map(([name, text]) => `${writtenName(name)}=${written(text)}`).join(',')
}
