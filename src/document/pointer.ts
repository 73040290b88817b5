import { pointerTo } from '../contract/pointer.js'

/** One step into a document: a member name or an array index. */
export type Step = string | number

/** The RFC 6901 JSON Pointer of a path; `''` is the whole document. */
export function pointerOf(path: readonly Step[]): string {
  return path.reduce<string>(pointerTo, '')
}

/** The pointer one step up, or undefined at the whole document. */
export function parentOf(pointer: string): string | undefined {
  const slash = pointer.lastIndexOf('/')
  return slash === -1 ? undefined : pointer.slice(0, slash)
}
