import { parse, type Recorder } from './parser.js'
import { pointerOf } from './pointer.js'

/** How each number of a text is written, by pointer: `1.0` and `1` are the same value. */
export function numberSpellings(text: string): Map<string, string> {
  const spellings = new Map<string, string>()
  const recorder: Recorder = (path, { start, end }) => {
    const code = text.charCodeAt(start)
    const isNumber = code === 0x2d || (code >= 0x30 && code <= 0x39)
    if (isNumber) spellings.set(pointerOf(path), text.slice(start, end))
  }
  parse(text, { recorder })
  return spellings
}
