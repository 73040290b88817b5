import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { mayHoldSecret, withoutSecrets } from '../contract/secrets.js'

/** A text that was given for a path, as messages show it: a file that is there by its name, anything else without secrets. */
export const displayPath = (text: string): string =>
  existsSync(text) ? text : withoutSecrets(text)

/** Whether a text that was given for a path is an address or a key. A path may have an @ where its folder exists. */
export function isInvalidPath(text: string): boolean {
  if (existsSync(text) || !mayHoldSecret(text)) return false
  const isOnlyMarkedByAt = !mayHoldSecret(text.replaceAll('@', ''))
  return !(isOnlyMarkedByAt && text.includes('/') && existsSync(dirname(text)))
}
