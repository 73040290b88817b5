import { pointerTo } from '../../contract/pointer.js'
import { sha256Hex } from '../../document/digest.js'

export interface PythonDigest {
  readonly digest: string
  /** Pointers of the numbers that Python spells otherwise than RFC 8785. */
  readonly differing: readonly string[]
}

/**
 * The digest that tools built on Python's `json.dumps(doc, sort_keys=True, separators=(",", ":"),
 * ensure_ascii=False)` give to an object without one of its members. It depends on how the source
 * spells its numbers: Python keeps `1.0` apart from `1`.
 * @param spellings - every number of the source as it is written there, by pointer.
 */
export function pythonDigest(
  value: object,
  member: string,
  spellings: ReadonlyMap<string, string>,
): PythonDigest {
  const { [member]: _, ...rest } = value as Record<string, unknown>
  const differing: string[] = []
  const text = dump(rest, '', (pointer, number) => {
    const spelled = pythonNumber(spellings.get(pointer) ?? String(number))
    if (spelled !== String(number)) differing.push(pointer)
    return spelled
  })
  return { digest: sha256Hex(text), differing }
}

type Spell = (pointer: string, number: number) => string

function dump(value: unknown, pointer: string, spell: Spell): string {
  if (typeof value === 'number') return spell(pointer, value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    return `[${value.map((item, i) => dump(item, pointerTo(pointer, i), spell)).join(',')}]`
  }
  const members = Object.entries(value as Record<string, unknown>)
    .sort(([a], [b]) => byCodePoint(a, b))
    .map(([name, item]) => `${JSON.stringify(name)}:${dump(item, pointerTo(pointer, name), spell)}`)
  return `{${members.join(',')}}`
}

/** Python compares texts by code point, RFC 8785 by UTF-16 code unit. */
function byCodePoint(a: string, b: string): number {
  const left = Array.from(a, (character) => character.codePointAt(0) as number)
  const right = Array.from(b, (character) => character.codePointAt(0) as number)
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const difference = (left[i] as number) - (right[i] as number)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** What Python writes for a number that it read from `source`. */
function pythonNumber(source: string): string {
  const isInteger = /^-?\d+$/.test(source)
  if (isInteger) return source === '-0' ? '0' : source
  return floatRepr(Number(source))
}

/** Python's repr of a float: shortest digits, an exponent below 1e-4 and from 1e16 on. */
function floatRepr(number: number): string {
  const sign = number < 0 || Object.is(number, -0) ? '-' : ''
  const [mantissa = '0', power = '0'] = Math.abs(number).toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const magnitude = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${magnitude}`
  }
  const digits = mantissa.replace('.', '')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}
