import { pointerTo } from '../contract/pointer.js'

export interface ValueDifference {
  readonly pointer: string
  readonly stored: unknown
  readonly computed: unknown
}

/** A value in at most 60 characters. */
export function briefly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`
}

/** The first member in which two JSON values differ, in the order of the computed one. */
export function firstDifference(
  stored: unknown,
  computed: unknown,
  pointer = '',
): ValueDifference | undefined {
  if (Object.is(stored, computed)) return undefined
  if (!isContainer(stored) || !isContainer(computed)) {
    return { pointer, stored, computed }
  }
  const keys = new Set([...Object.keys(computed), ...Object.keys(stored)])
  for (const key of keys) {
    const found = firstDifference(stored[key], computed[key], pointerTo(pointer, key))
    if (found) return found
  }
  return undefined
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
