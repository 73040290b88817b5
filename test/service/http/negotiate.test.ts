import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { jsonResponse } from '../../../src/service/http/http.js'
import { acceptsMediaType, Compressor, encodingFor } from '../../../src/service/http/negotiate.js'

const MEDIA_TYPE = 'application/vnd.service.forecast.v1+json'

describe('Accept', () => {
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

  // An empty element says nothing, and UTF-8 is what is sent.
  const allowed = [
    ...[',', ' , ,', ', */*', '*/*;charset=utf-8', 'application/*; charset="UTF-8"'],
    MEDIA_TYPE.toUpperCase(),
    `text/html, ${MEDIA_TYPE}`,
    `text/html;level="a,b;q=0" , ${MEDIA_TYPE} ; q=1.000`,
    '*/*;q=0, application/*',
    `application/*;q=0, ${MEDIA_TYPE}`,
    `${MEDIA_TYPE} ; Charset="UTF-8" ; q=0.5`,
    `*/*;q=0, ${MEDIA_TYPE};charset=UTF-8`,
    // What Java's own client sends by default.
    'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2',
  ]
  it.each(allowed)('allows %j', (header) => {
    expect(acceptsMediaType(header)).toBe(true)
  })

  const refused = [
    ...[',text/html', '*/*;charset=latin1', '*/*;charset=utf-8;q=0'],
    'text/*',
    'application/vnd.service.forecast.v2+json',
    `${MEDIA_TYPE};version=2`,
    `${MEDIA_TYPE};q=0`,
    `${MEDIA_TYPE};q=0.000, */*`,
    'application/*;q=0, */*',
    '*',
    `${MEDIA_TYPE};q=2`,
    `${MEDIA_TYPE};q=0.0001`,
    `${MEDIA_TYPE};charset`,
    '*/*;q=.',
    ';;;',
  ]
  it.each(refused)('refuses %j', (header) => {
    expect(acceptsMediaType(header)).toBe(false)
  })
})

describe('Accept-Encoding', () => {
  it.each<[string | undefined, string]>([
    [undefined, 'identity'],
    ['gzip', 'gzip'],
    ['GZip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br, deflate', 'identity'],
    ['*', 'gzip'],
    ['br;q=1, *;q=0.5', 'gzip'],
    ['gzip;q=0.000, *', 'identity'],
    ['identity;q=0.5, gzip;q=0.4', 'identity'],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['identity;q=0', 'identity'],
    ['*;q=0', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=1;x=1, br', 'identity'],
    [',,gzip,', 'gzip'],
    ['"gzip"', 'identity'],
  ])('%j asks for %s', (header, wanted) => {
    expect(encodingFor(header)).toBe(wanted)
  })
})

describe('an answer', () => {
  const compressor = new Compressor()
  const large = Buffer.from(JSON.stringify({ data: Array(200).fill({ price_usd: 50_000.25 }) }))
  const headersOf = (headers: readonly string[]) => {
    const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1]]] : []))
    expect(new Set(pairs.map(([name]) => name)).size).toBe(pairs.length)
    return Object.fromEntries(pairs) as Record<string, string>
  }

  it('is compressed from 2 KiB on, with its length and what it depends on', async () => {
    const { body, headers, ...rest } = await compressor.encode(jsonResponse(200, large), 'gzip')
    expect(gunzipSync(body as Buffer)).toEqual(large)
    expect(headersOf(headers)).toEqual({
      'Content-Type': 'application/vnd.service.forecast.v1+json',
      'Cache-Control': 'no-store',
      'Content-Length': String(body.length),
      'Content-Encoding': 'gzip',
      Vary: 'Accept-Encoding',
    })
    expect(rest).toEqual({ status: 200, forecastIds: '[]' })
  })

  it('says what it depends on uncompressed, too', async () => {
    const plain = await compressor.encode(jsonResponse(200, large), 'identity')
    expect(plain.body).toBe(large)
    expect(headersOf(plain.headers)).toMatchObject({
      'Content-Length': String(large.length),
      Vary: 'Accept-Encoding',
    })
    expect(plain.headers).not.toContain('Content-Encoding')
  })

  it('is left as it is where it is small', async () => {
    const small = jsonResponse(401, '{"error":"small"}')
    expect(await compressor.encode(small, 'gzip')).toBe(small)
    expect(await compressor.encode(small, 'identity')).toBe(small)
  })

  it('is compressed once for all who are given the same bytes', async () => {
    const asked = Array.from({ length: 5 }, () =>
      compressor.encode(jsonResponse(200, large), 'gzip'),
    )
    const bodies = new Set((await Promise.all(asked)).map(({ body }) => body))
    expect(bodies.size).toBe(1)
  })

  it('waits for its turn, and comes', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `${index}`.repeat(3000))
    const asked = texts.map((text) =>
      compressor.encode(jsonResponse(200, Buffer.from(text)), 'gzip'),
    )
    const made = (await Promise.all(asked)).map(({ body }) => gunzipSync(body as Buffer).toString())
    expect(made).toEqual(texts)
  })
})
