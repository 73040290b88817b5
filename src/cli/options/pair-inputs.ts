import { existsSync, realpathSync, statSync } from 'node:fs'
import { ForeproofError } from '../../contract/error.js'

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
