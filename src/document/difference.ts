import { pointerTo } from '../contract/pointer.js'

export interface ValueDifference {
  readonly pointer: string
  readonly stored: unknown
  readonly computed: unknown
}

/** Formats a value in at most 60 characters. */
export function briefly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`
}

/** The differences between two JSON values, in the order of the computed one. */
export function* valueDifferences(
  stored: unknown,
  computed: unknown,
  pointer = '',
): Generator<ValueDifference> {
  // JSON has one zero: -0 is written as 0.
  if (stored === computed || Object.is(stored, computed)) return
  const areAlike = Array.isArray(stored) === Array.isArray(computed)
  if (!areAlike || !isContainer(stored) || !isContainer(computed)) {
    yield { pointer, stored, computed }
    return
  }
  for (const key of new Set([...Object.keys(computed), ...Object.keys(stored)])) {
    yield* valueDifferences(stored[key], computed[key], pointerTo(pointer, key))
  }
}

/** The first difference between two JSON values, in the same order. */
export function firstDifference(
  stored: unknown,
  computed: unknown,
  pointer = '',
): ValueDifference | undefined {
  const [first] = valueDifferences(stored, computed, pointer)
  return first
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
