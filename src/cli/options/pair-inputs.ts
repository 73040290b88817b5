import { existsSync, realpathSync, statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'
import { type Instant, parseTimestamp } from '../../contract/instant.js'

/** Reads a timestamp given on the command line. @throws {ForeproofError} `usage` for any other text. */
export function instantOption(name: string, text: string | undefined): Instant | undefined {
  if (text === undefined) return undefined
  const parsed = parseTimestamp(text)
  if (parsed.ok) return parsed.instant
  throw new ForeproofError('usage', `--${name} ${text}: ${FAULTS[parsed.fault]}`, {
    help: 'Write it like 2024-01-01T00:00:00Z.',
  })
}

const FAULTS = {
  syntax: 'no RFC 3339 timestamp',
  'offset-missing': 'no offset from UTC',
  'space-for-plus': 'a space stands where the + of the offset belongs',
  calendar: 'the calendar has no such time',
  'leap-second': 'a leap second has no instant of its own',
  precision: 'finer than a microsecond',
  range: 'out of range',
} as const

/**
 * Sees before any work that the output can take its name.
 * @throws {ForeproofError} `usage` when it would replace an input; `not-found` when it is a folder.
 */
export function checkOutput(out: string | undefined, inputs: readonly string[]): void {
  if (out === undefined || out === '-' || !existsSync(out)) return
  if (statSync(out).isDirectory()) {
    throw new ForeproofError('not-found', `--out ${out}: is a folder`, {
      help: 'Name a file inside it.',
    })
  }
  const target = realpathSync(out)
  const input = inputs.find((path) => existsSync(path) && realpathSync(path) === target)
  if (input === undefined) return
  throw new ForeproofError('usage', `--out ${out} would replace an input`, {
    help: 'Choose another file.',
  })
}

/**
 * Commas separate names, unless a name of the history has them.
 * @throws {ForeproofError} `usage` when none is left.
 */
export function chosenModels(given: readonly string[], known: readonly string[]): string[] {
  const names = given.flatMap((text) =>
    known.includes(text) ? [text] : text.split(',').map((name) => name.trim()),
  )
  const wanted = [...new Set(names.filter((name) => name !== ''))]
  if (wanted.length === 0) {
    throw new ForeproofError('usage', '--models needs at least one name', {
      help: 'Without --models, all models of the history are paired.',
    })
  }
  return wanted
}
