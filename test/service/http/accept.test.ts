import { describe, expect, it } from 'vitest'
import { acceptsMediaType } from '../../../src/service/http/accept.js'

describe('negotiation', () => {
  // Every form that RFC 9110 allows is tried over sockets; this is about time.
  it('takes no longer for a header made to take long', () => {
    const hostile = [
      `a/b${'; '.repeat(8000)}x`,
      `*/*${' ;'.repeat(8000)}x`,
      '"\\'.repeat(8000),
      `a/b;c="${'\\"'.repeat(8000)}`,
      `${'a/b;q=0.5,'.repeat(1600)}`,
      ','.repeat(16_000),
      `*/${'*'.repeat(16_000)}`,
      ' '.repeat(16_000),
    ]
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now()
      for (const header of hostile) acceptsMediaType(header)
      return performance.now() - began
    })
    // Others on the machine can make it look longer, never shorter.
    expect(Math.min(...times)).toBeLessThan(500)
  })

  it('sees no separator in a quoted string', () => {
    expect(acceptsMediaType('text/html;a=", */*"')).toBe(false)
    expect(acceptsMediaType('text/html;a="\\", */*')).toBe(false)
    expect(acceptsMediaType('text/html;a="\\"", */*')).toBe(true)
  })

  it.each([',', ' , ,', ', */*', '*/*;charset=utf-8', 'application/*; charset="UTF-8"'])(
    'allows %j: an empty element says nothing, and UTF-8 is what is sent',
    (header) => {
      expect(acceptsMediaType(header)).toBe(true)
    },
  )

  it.each([',text/html', '*/*;charset=latin1', '*/*;charset=utf-8;q=0'])('refuses %j', (header) => {
    expect(acceptsMediaType(header)).toBe(false)
  })
})
