import { readFileSync } from 'node:fs'
import { ForeproofError, fileError } from '../contract/error.js'

/**
 * The value of an environment variable that may be a secret: its own, or the content of the file that `VARIABLE_FILE`
 * names, without surrounding white space; undefined if neither is set. Empty variables count as unset.
 * @throws {ForeproofError} `usage` if both are set, or if the file cannot be read or is empty.
 */
export function variableOrFile(env: NodeJS.ProcessEnv, variable: string): string | undefined {
  const value = env[variable] || undefined
  const name = `${variable}_FILE`
  const path = env[name] || undefined
  if (path === undefined) return value
  if (value !== undefined) {
    throw new ForeproofError('usage', `${variable} and ${name} are both set`, {
      help: 'Set one of them, not both.',
    })
  }
  const text = readNamed(path, name).trim()
  if (text === '') throw new ForeproofError('usage', `${name}: ${path} is empty`)
  return text
}

/** @throws {ForeproofError} `usage` that names the variable or flag, if its file cannot be read. */
export function readNamed(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw toUsageError(name, fileError(cause, path))
  }
}

/** Converts an error about a file to one about the variable or flag that names it. */
export function toUsageError(name: string, cause: ForeproofError): ForeproofError {
  const { message, help } = cause
  return new ForeproofError('usage', `${name}: ${message}`, { cause, help })
}
