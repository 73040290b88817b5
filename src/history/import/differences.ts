import { pointerTo } from '../../contract/pointer.js'

/** JSON Pointers to where two values differ, deepest first found, in the order of `a`'s members. */
export function differences(a: unknown, b: unknown, limit: number): string[] {
  const found: string[] = []
  compare(a, b, '', found, limit)
  return found
}

function compare(a: unknown, b: unknown, at: string, found: string[], limit: number): void {
  if (found.length >= limit || a === b) return
  const bothObjects = isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b)
  if (!bothObjects) {
    found.push(at)
    return
  }
  for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
    compare(a[name], b[name], pointerTo(at, name), found, limit)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
