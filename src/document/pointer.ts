/** One step into a document: a member name or an array index. */
export type Step = string | number

function escapeStep(step: Step): string {
  if (typeof step === 'number') return String(step)
  return step.includes('~') || step.includes('/')
    ? step.replaceAll('~', '~0').replaceAll('/', '~1')
    : step
}

/** The RFC 6901 JSON Pointer of a path; `''` is the whole document. */
export function pointerOf(path: readonly Step[]): string {
  let pointer = ''
  for (const step of path) pointer += `/${escapeStep(step)}`
  return pointer
}

/** The pointer one step below `parent`. */
export function below(parent: string, step: Step): string {
  return `${parent}/${escapeStep(step)}`
}

/** The pointer one step up, or undefined at the whole document. */
export function parentOf(pointer: string): string | undefined {
  const slash = pointer.lastIndexOf('/')
  return slash === -1 ? undefined : pointer.slice(0, slash)
}

/** The steps of a pointer, unescaped; array indexes stay text. */
export function stepsOf(pointer: string): string[] {
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The value at a pointer, or undefined where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document
  for (const step of stepsOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  return value
}
