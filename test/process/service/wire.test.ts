import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { expectError, expectJson, MEDIA_TYPE } from '../../support/service/expect.js'
import { raw } from '../../support/service/http.js'
import { eventually, KEY, serve } from '../../support/service/serve.js'

const served = await serve()

const AUTH = `Authorization: Bearer ${KEY}\r\n`

/** A request with the key; the last of a connection unless it stays open. */
const asking = (path: string, headers: readonly string[] = [], last = 'Connection: close\r\n') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${AUTH}${headers.map((each) => `${each}\r\n`).join('')}${last}\r\n`
const HEALTH = '/v1/health'
const ANSWERED = /^HTTP\/1\.1 200 /
const CHUNKED = 'Transfer-Encoding: chunked'
const GET = 'GET / HTTP/1.1\r\nHost: x\r\n'

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
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a line feed in a header', `GET /v1/health HTTP/1.1\r\nHost: x\r\nA: b\nc: d\r\n\r\n`],
    ['a length and a transfer coding', `${GET}Content-Length: 3\r\n${CHUNKED}\r\n\r\n0\r\n\r\n`],
    ['headers beyond all measure', `${GET}X: ${'y'.repeat(20_000)}\r\n\r\n`],
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
  const ask = (path: string, coding: string, last?: string) =>
    asking(path, [`Accept-Encoding: ${coding}`], last)
  const PAGE = '/v1/forecasts?limit=20'
  const dataOf = (body: string) => JSON.parse(body).data.map((each: { run: unknown }) => each.run)

  it('is what a page comes in for a client that takes it, with its length', async () => {
    const { head, body } = parts(await raw(served.port, ask(PAGE, 'br, gzip')))
    const lines = ['HTTP/1.1 200 OK', 'Content-Encoding: gzip', 'Vary: Accept-Encoding']
    const others = [`Content-Length: ${body.length}`, 'Cache-Control: no-store']
    expect(head.split('\r\n')).toEqual(expect.arrayContaining([...lines, ...others]))
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
  it.each([
    ['Content-Length: 3', 'abc'],
    [CHUNKED, '3\r\nabc\r\n0\r\n\r\n'],
    [CHUNKED, '3;a=b\r\nab'],
    [CHUNKED, 'zz\r\n'],
    ['Transfer-Encoding: gzip, chunked', '1\r\na\r\n0\r\n\r\n'],
    [`Expect: 100-continue\r\n${CHUNKED}`, ''],
    ['Expect: 100-continue\r\nContent-Length: 3', ''],
  ])('a body in the form %j %j', async (header, body) => {
    for (const path of [HEALTH, '/livez']) {
      expectRefused(await raw(served.port, asking(path, [header]) + body))
    }
  })

  it('but an empty body is none, also in chunks that come late', async () => {
    expect(await raw(served.port, asking(HEALTH, ['Content-Length: 0']))).toMatch(ANSWERED)
    for (const path of [HEALTH, '/livez', '/v1/forecasts?limit=3']) {
      const head = asking(path, [CHUNKED]).slice(0, -2)
      const trailed = '\r\n0\r\nX-Trailer: a\r\n\r\n'
      for (const rest of [['\r\n0\r\n\r\n'], ['\r\n', '0\r\n', '\r\n'], [trailed]]) {
        expect(await raw(served.port, [head, ...rest]), JSON.stringify(rest)).toMatch(ANSWERED)
      }
    }
    const two = [asking(HEALTH, [CHUNKED], ''), asking('/livez', [CHUNKED]), ''].join('0\r\n\r\n')
    expect((await raw(served.port, two)).match(/HTTP\/1\.1 200 /g)).toHaveLength(2)
  })

  it('a chunked body that never comes is given up, and one that breaks off', async () => {
    const head = asking(HEALTH, [CHUNKED], '')
    expectRefused(await raw(served.port, [head, 'zz\r\n']))
    const endless = raw(served.port, head, 500)
    expectJson(await served.get(HEALTH), 200)
    expect(await endless).toBe('')
  })

  it('a large body, without reading it for ever', async () => {
    const body = 'x'.repeat(200_000)
    const headers = { 'Content-Length': String(body.length) }
    expectError(await served.get(HEALTH, { body, headers }), 400, 'invalid_request')
    const endless = asking(HEALTH, ['Content-Length: 99999999999'], '') + body
    const isWhole = (answer: string) => {
      const { head, body } = parts(answer)
      return head.includes(`\r\nContent-Length: ${body.length}\r\n`)
    }
    expectRefused(await raw(served.port, endless, undefined, isWhole))
  })

  it('two hosts, or none in HTTP/1.1; HTTP/1.0 needs none', async () => {
    for (const hosts of ['Host: a\r\nHost: b\r\n', '']) {
      expectRefused(await raw(served.port, asking(HEALTH).replace('Host: x\r\n', hosts)))
    }
    const old = `GET ${HEALTH} HTTP/1.0\r\n${AUTH}\r\n`
    expect(await raw(served.port, old)).toMatch(ANSWERED)
  })

  const withHost = (host: string) =>
    raw(served.port, asking(HEALTH).replace('Host: x\r\n', `Host: ${host}\r\n`))

  it.each([
    ...[
      'a b',
      'x/y',
      'a@b',
      'a?b',
      'a#b',
      'http://a',
      'a:80:80',
      'a:b',
      'a\\b',
      '<a>',
      'a"',
      'a%zz',
      'ä',
    ],
    ...['[::1', '::1', '[::1]x', '[a b]', '[]', 'a\tb'],
  ])('a host that is none: %s', async (host) => {
    expectRefused(await withHost(host))
  })

  it.each([
    'a',
    'a.example.org.',
    'a:8080',
    'a:',
    'A_b-c',
    '127.0.0.1:1',
    '[::1]:80',
    '[::1]',
    '',
    'a%20b',
  ])('but not the host %s', async (host) => {
    expect(await withHost(host)).toMatch(ANSWERED)
  })

  it('an expectation it does not know', async () => {
    const { head, body } = parts(await raw(served.port, asking(HEALTH, ['Expect: tea'], '')))
    expect(head).toMatch(/^HTTP\/1\.1 (200|400) /)
    expect(JSON.parse(body).api_version).toBe('v1')
  })

  it('an upgrade: the request is answered as it is', async () => {
    const upgrade = ['Connection: Upgrade, close', 'Upgrade: websocket']
    expect(await raw(served.port, asking(HEALTH, upgrade, ''))).toMatch(ANSWERED)
  })

  it('an upgrade with more behind it: its client is not left to wait', async () => {
    const upgrade = asking(HEALTH, ['Connection: Upgrade', 'Upgrade: h2c'], '')
    const { head } = parts(await raw(served.port, upgrade + asking(HEALTH, [], '')))
    expect(head).toMatch(ANSWERED)
    expect(head).toMatch(/^Connection: close\r?$/m)
  })
})

describe('what HTTP allows', () => {
  const statusesOf = (answer: string) =>
    [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)

  it('the absolute form of a target', async () => {
    expect(await raw(served.port, asking(`http://example.org${HEALTH}`))).toMatch(ANSWERED)
  })

  it('pipelining: every request is answered, in order', async () => {
    const paths = [HEALTH, '/nowhere', '/metrics', '/v1/forecasts/latest']
    const all = paths.map((path) => asking(path, [], '')).join('')
    const answer = await raw(served.port, all + asking('/livez'))
    expect(statusesOf(answer)).toEqual(['200', '400', '200', '200', '200'])
    expect(answer.endsWith('ok\n')).toBe(true)
  })

  it('pipelining that breaks off: what came before is answered first', async () => {
    const all = asking(HEALTH, [], '').repeat(20)
    const answer = await raw(served.port, `${all}GET /\0 HTTP/1.1\r\n\r\n`)
    expect(statusesOf(answer)).toEqual([...Array<string>(20).fill('200'), '400'])
  })

  it('a request with a broken body is answered once', async () => {
    const request = `POST ${HEALTH} HTTP/1.1\r\nHost: x\r\n${CHUNKED}\r\n\r\nzz\r\n`
    const answer = await raw(served.port, request)
    expect(statusesOf(answer)).toEqual(['400'])
    expectRefused(answer)
  })
})

describe('request ids', () => {
  it('are taken over when well-formed, made otherwise, and shared with the audit', async () => {
    const idFor = async (id: string) =>
      (await served.get(HEALTH, { headers: { 'X-Request-Id': id } })).headers['x-request-id']
    expect(await idFor('trace-0123.ABC_x')).toBe('trace-0123.ABC_x')
    const made = new Set<string | undefined>()
    const none = ['short', 'with space in it', 'x'.repeat(129), '"quoted-id"', '-leading-dash']
    for (const given of [...none, KEY]) {
      const id = await idFor(given)
      expect(id).not.toBe(given)
      expect(id).toMatch(/^[0-9a-f]{24}-[1-9][0-9]*$/)
      made.add(id)
    }
    expect(made.size).toBe(6)
    await eventually(() => {
      const ids = new Set(served.audit().map((line) => line.request_id))
      return ids.has('trace-0123.ABC_x') && [...made].every((id) => ids.has(id))
    })
  })
})
