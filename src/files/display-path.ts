import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { mayHoldSecret, withoutSecrets } from '../contract/secrets.js'

/** A given path for messages: an existing file by its name, anything else without secrets. */
export const displayPath = (text: string): string =>
  existsSync(text) ? text : withoutSecrets(text)

/**
 * Whether a given path is really an address or a key. A path may contain @ if its folder exists.
 */
export function isInvalidPath(text: string): boolean {
  if (existsSync(text) || !mayHoldSecret(text)) return false
  const isOnlyMarkedByAt = !mayHoldSecret(text.replaceAll('@', ''))
  return !(isOnlyMarkedByAt && text.includes('/') && existsSync(dirname(text)))
}
