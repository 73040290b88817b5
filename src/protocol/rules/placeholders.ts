import { type Finding, finding } from '../../contract/findings/finding.js'
import { pointerTo } from '../../contract/pointer.js'

/** Finds members that a template left to be filled in, in angle brackets. */
export function placeholders(value: unknown, pointer: string): Finding[] {
  if (typeof value === 'string') {
    return /^<.*>$/.test(value) ? [finding('placeholder', { found: value }, { pointer })] : []
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) =>
    placeholders(child, pointerTo(pointer, key)),
  )
}
