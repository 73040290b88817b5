/** The RFC 6901 pointer to a member or an item of the value at `pointer`. */
export function pointerTo(pointer: string, token: string | number): string {
  return `${pointer}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** The value at an RFC 6901 pointer, or undefined if there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  let here: unknown = document
  for (const token of pointer.slice(1).split('/')) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined
    here = (here as Record<string, unknown>)[key]
  }
  return here
}

/** One step into a document: a member name or an array index. */
export type Step = string | number

/** The RFC 6901 JSON Pointer of a path; `''` is the whole document. */
export function formatPointer(path: readonly Step[]): string {
  return path.reduce<string>(pointerTo, '')
}

/** The pointer one step up; undefined for the whole document. */
export function parentPointer(pointer: string): string | undefined {
  const slash = pointer.lastIndexOf('/')
  return slash === -1 ? undefined : pointer.slice(0, slash)
}
