import { describe, expect, it } from 'vitest'
import { parentOf } from '../../src/contract/pointer.js'
import { verifyDocument } from '../../src/protocol/verify.js'
import { changed, documentOf, ownText, ownValue } from './sample.js'

const codes = (text: unknown) =>
  verifyDocument(documentOf(text)).map((finding) => `${finding.code} ${finding.pointer}`)

/** Every leaf of a JSON value. */
function leaves(value: unknown, pointer = ''): [pointer: string, value: unknown][] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]]
  return Object.entries(value).flatMap(([key, child]) => leaves(child, `${pointer}/${key}`))
}

/** Another value of the same type. */
function otherThan(pointer: string, value: unknown): unknown {
  if (pointer === '/protocol_sha256') return 'f'.repeat(64)
  if (typeof value === 'string') return `${value}!`
  return typeof value === 'number' ? value + 0.5 : !value
}

/** What the format fixes, and the numbers it wants whole; a change there is a fault of form too. */
const FIXED =
  /^\/(schema_version|issue|status|horizons_hours|market\/(instrument|bar_)|pairing\/(key|same|statuses)|estimands\/point\/primary|estimands\/interval\/(separate|quantiles)|uncertainty\/(paired|block_length|replicates|seed|multiplicity\/(method|alpha))|sampling\/minimum_effective_sample\/(paired|effective)|immutability\/(post|score))/

describe('verify', () => {
  it('holds for the protocol of this repository', () => {
    expect(codes(ownText())).toEqual([])
  })

  it.each(leaves(ownValue()))('finds a change at %s', (pointer, value) => {
    const found = codes(changed({ [pointer]: otherThan(pointer, value) }))
    if (FIXED.test(pointer)) {
      const schema = found.filter((each) => !each.startsWith('digest-mismatch'))
      expect(schema).toHaveLength(1)
      const place = schema[0]?.split(' ')[1] as string
      expect([pointer, parentOf(pointer)]).toContain(place)
      expect(found.at(-1)).toBe('digest-mismatch /protocol_sha256')
    } else expect(found).toEqual(['digest-mismatch /protocol_sha256'])
  })

  it('does not mind order, white space, line ends or the spelling of numbers and letters', () => {
    const reversed = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([k, v]) => [k, reversed(v)]),
          )
    expect(codes(reversed(ownValue()))).toEqual([])
    expect(codes(JSON.stringify(ownValue()))).toEqual([])
    expect(codes(ownText().replaceAll('\n', '\r\n'))).toEqual([])
    expect(codes(ownText().replace(': 200000', ': 2.0e5').replace(': 0.03', ': 3E-2'))).toEqual([])
    expect(codes(ownText().replaceAll('BTC', '\\u0042TC'))).toEqual([])
  })
})
