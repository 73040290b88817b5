import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectError, expectJson, MEDIA_TYPE } from '../../support/service/expect.js'
import { raw } from '../../support/service/http.js'
import { eventually, KEY, serve } from '../../support/service/serve.js'

const served = await serve()

const AUTH = `Authorization: Bearer ${KEY}\r\n`

/** The head of the first answer and its body. */
function parts(answer: string): { head: string; body: string } {
  const end = answer.indexOf('\r\n\r\n')
  return { head: answer.slice(0, end), body: answer.slice(end + 4) }
}

function expectRefused(answer: string): void {
  const { head, body } = parts(answer)
  expect(head.split('\r\n')[0], answer.slice(0, 200)).toBe('HTTP/1.1 400 Bad Request')
  expect(head).toContain(`Content-Type: ${MEDIA_TYPE}`)
  expect(head).toContain('Cache-Control: no-store')
  expect(head).toMatch(/^Date: .* GMT$/m)
  expect(JSON.parse(body).error.code).toBe('invalid_request')
}

describe('what is no HTTP request', () => {
  const broken: [string, string | Buffer][] = [
    ['noise', Buffer.from([0, 1, 2, 255, 13, 10, 13, 10])],
    ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', 'GET /v1/health HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without a colon', `GET /v1/health HTTP/1.1\r\nHost x\r\n\r\n`],
    ['a header with a space before its colon', `GET /v1/health HTTP/1.1\r\nHost : x\r\n\r\n`],
    ['a line feed in a header', `GET /v1/health HTTP/1.1\r\nHost: x\r\nA: b\nc: d\r\n\r\n`],
    [
      'two lengths',
      `GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    ],
    [
      'a length and a transfer coding',
      `GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['headers beyond all measure', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`],
    ['a URL beyond all measure', `GET /v1/${'y'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a tunnel', `CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n${AUTH}\r\n`],
  ]
  it.each(broken)('is refused in the envelope: %s', async (_, bytes) => {
    expectRefused(await raw(served.port, bytes))
  })

  it('does not take the process down', async () => {
    expectJson(await served.get('/v1/health'), 200)
  })
})

describe('gzip', () => {
  const ask = (path: string, coding: string, end = 'Connection: close\r\n') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}Accept-Encoding: ${coding}\r\n${end}\r\n`
  const PAGE = '/v1/forecasts?limit=20'
  const dataOf = (body: string) => JSON.parse(body).data.map((each: { run: unknown }) => each.run)

  it('is what a page comes in for a client that takes it, with its length', async () => {
    const { head, body } = parts(await raw(served.port, ask(PAGE, 'br, gzip')))
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/)
    expect(head).toContain(`\r\nContent-Encoding: gzip\r\n`)
    expect(head).toContain(`\r\nVary: Accept-Encoding\r\n`)
    expect(head).toContain(`\r\nContent-Length: ${body.length}\r\n`)
    expect(head).toContain('\r\nCache-Control: no-store\r\n')
    const plain = await served.get(PAGE)
    expect(dataOf(gunzipSync(Buffer.from(body, 'latin1')).toString())).toEqual(dataOf(plain.text))
    expect(body.length * 4).toBeLessThan(plain.text.length)
  })

  it('keeps answers in the order of their requests', async () => {
    const requests = [ask(PAGE, 'gzip', ''), ask('/v1/health', 'gzip', ''), ask(PAGE, 'identity')]
    const answers = (await raw(served.port, requests.join(''))).split('HTTP/1.1 200 OK').slice(1)
    const zipped = answers.map((answer) => answer.includes('Content-Encoding: gzip'))
    expect(zipped).toEqual([true, false, false])
    expect(answers[1]).toContain('"stages"')
  })

  it('is not what probes and errors come in', async () => {
    for (const path of ['/metrics', '/v1/nothing']) {
      const { head } = parts(await raw(served.port, ask(path, 'gzip')))
      expect(head).not.toMatch(/Content-Encoding|Vary/)
    }
  })
})

describe('what is HTTP but not wanted', () => {
  it('a body, whatever its form', async () => {
    for (const [headers, body] of [
      ['Content-Length: 3\r\n', 'abc'],
      ['Transfer-Encoding: chunked\r\n', '3\r\nabc\r\n0\r\n\r\n'],
      ['Transfer-Encoding: chunked\r\n', '3;a=b\r\nab'],
      ['Transfer-Encoding: chunked\r\n', 'zz\r\n'],
      ['Transfer-Encoding: gzip, chunked\r\n', '1\r\na\r\n0\r\n\r\n'],
      ['Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n', ''],
      ['Expect: 100-continue\r\nContent-Length: 3\r\n', ''],
    ] as const) {
      for (const path of ['/v1/health', '/livez']) {
        const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}${headers}Connection: close\r\n\r\n${body}`
        expectRefused(await raw(served.port, request))
      }
    }
    const empty = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}Content-Length: 0\r\nConnection: close\r\n\r\n`
    expect(parts(await raw(served.port, empty)).head).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('but an empty body is none, also in chunks that come late', async () => {
    for (const path of ['/v1/health', '/livez', '/v1/forecasts?limit=3']) {
      const head = `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}Connection: close\r\nTransfer-Encoding: chunked\r\n`
      for (const rest of [
        ['\r\n0\r\n\r\n'],
        ['\r\n', '0\r\n', '\r\n'],
        ['\r\n0\r\nX-Trailer: a\r\n\r\n'],
      ]) {
        const answer = await raw(served.port, [head, ...rest])
        expect(parts(answer).head, JSON.stringify(rest)).toMatch(/^HTTP\/1\.1 200 /)
      }
    }
    const one = (path: string, last: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}${last}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
    const two = one('/v1/health', '') + one('/livez', 'Connection: close\r\n')
    const answers = await raw(served.port, two)
    expect(answers.match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
  })

  it('a chunked body that never comes is given up, and one that breaks off', async () => {
    const head = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}Transfer-Encoding: chunked\r\n\r\n`
    expectRefused(await raw(served.port, [head, 'zz\r\n']))
    const endless = raw(served.port, head, 500)
    expectJson(await served.get('/v1/health'), 200)
    expect(await endless).toBe('')
  })

  it('a large body, without reading it for ever', async () => {
    const body = 'x'.repeat(200_000)
    const headers = { 'Content-Length': String(body.length) }
    expectError(await served.get('/v1/health', { body, headers }), 400, 'invalid_request')
    const endless = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}Content-Length: 99999999999\r\n\r\n${body}`
    const isWhole = (answer: string) => {
      const { head, body } = parts(answer)
      return head.includes(`\r\nContent-Length: ${body.length}\r\n`)
    }
    expectRefused(await raw(served.port, endless, undefined, isWhole))
  })

  it('two hosts', async () => {
    const request = `GET /v1/health HTTP/1.1\r\nHost: a\r\nHost: b\r\n${AUTH}Connection: close\r\n\r\n`
    expectRefused(await raw(served.port, request))
  })

  it('HTTP/1.1 without a host; HTTP/1.0 needs none', async () => {
    expectRefused(
      await raw(served.port, `GET /v1/health HTTP/1.1\r\n${AUTH}Connection: close\r\n\r\n`),
    )
    const old = await raw(served.port, `GET /v1/health HTTP/1.0\r\n${AUTH}\r\n`)
    expect(parts(old).head).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('an expectation it does not know', async () => {
    const request = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}Expect: tea\r\n\r\n`
    const { head, body } = parts(await raw(served.port, request))
    expect(head).toMatch(/^HTTP\/1\.1 (200|400) /)
    expect(JSON.parse(body).api_version).toBe('v1')
  })

  it('an upgrade: the request is answered as it is', async () => {
    const request = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}Connection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`
    expect(parts(await raw(served.port, request)).head).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('an upgrade with more behind it: whoever sent that is not left to wait', async () => {
    const plain = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}\r\n`
    const upgrade = plain.replace(/\r\n$/, 'Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n')
    const { head } = parts(await raw(served.port, upgrade + plain))
    expect(head).toMatch(/^HTTP\/1\.1 200 /)
    expect(head).toMatch(/^Connection: close\r?$/m)
  })
})

describe('what HTTP allows', () => {
  it('the absolute form of a target', async () => {
    const request = `GET http://example.org/v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}Connection: close\r\n\r\n`
    expect(parts(await raw(served.port, request)).head).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('pipelining: every request is answered, in order', async () => {
    const one = (path: string, last = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}${last}\r\n`
    const all = ['/v1/health', '/nowhere', '/metrics', '/v1/forecasts/latest'].map((path) =>
      one(path),
    )
    const answer = await raw(served.port, all.join('') + one('/livez', 'Connection: close\r\n'))
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1])
    expect(statuses).toEqual(['200', '400', '200', '200', '200'])
    expect(answer.endsWith('ok\n')).toBe(true)
  })

  it('pipelining that breaks off: what came before is answered first', async () => {
    const one = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${AUTH}\r\n`
    const answer = await raw(served.port, `${one.repeat(20)}GET /\0 HTTP/1.1\r\n\r\n`)
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => match[1])
    expect(statuses).toEqual([...Array<string>(20).fill('200'), '400'])
  })

  it('a request with a broken body is answered once', async () => {
    const request = `POST /v1/health HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`
    const answer = await raw(served.port, request)
    expect(answer.match(/HTTP\/1\.1 400 /g)).toHaveLength(1)
    expectRefused(answer)
  })
})

describe('request ids', () => {
  it('are taken over when well-formed, made otherwise, and shared with the audit', async () => {
    const given = await served.get('/v1/health', {
      headers: { 'X-Request-Id': 'trace-0123.ABC_x' },
    })
    expect(given.headers['x-request-id']).toBe('trace-0123.ABC_x')
    const made = new Set<string | undefined>()
    for (const id of [
      'short',
      'with space in it',
      'x'.repeat(129),
      '"quoted-id"',
      '-leading-dash',
      KEY,
    ]) {
      const got = await served.get('/v1/health', { headers: { 'X-Request-Id': id } })
      expect(got.headers['x-request-id']).not.toBe(id)
      expect(got.headers['x-request-id']).toMatch(/^[0-9a-f]{24}-[1-9][0-9]*$/)
      made.add(got.headers['x-request-id'])
    }
    expect(made.size).toBe(6)
    await eventually(() => {
      const ids = new Set(served.audit().map((line) => line.request_id))
      return ids.has('trace-0123.ABC_x') && [...made].every((id) => ids.has(id))
    })
  })
})
