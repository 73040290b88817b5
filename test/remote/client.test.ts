import type { IncomingMessage } from 'node:http'
import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createClient, parseRetryAfter } from '../../src/remote/client.js'
import { serveHttp } from '../support/servers.js'

describe('createClient', () => {
  it('sends its key to the host it was given for, and to no other', async () => {
    const seen: string[] = []
    const note = (name: string, request: IncomingMessage) =>
      seen.push(`${name} ${request.headers.authorization ?? 'no key'}`)
    const other = await serveHttp((request, response) => {
      note('other', request)
      response.end('{}')
    })
    const own: string = await serveHttp((request, response) => {
      note('own', request)
      if (request.url === '/stay') return void response.end('{}')
      response.writeHead(302, { location: request.url === '/out' ? other : `${own}/stay` }).end()
    })
    const client = createClient({ key: 'secret', keyOrigin: own })
    await client.ask(`${own}/in`)
    const says = new RegExp(`is redirected from ${own} to ${other}, which is another host`)
    await expect(client.ask(`${own}/out`)).rejects.toThrow(says)
    await client.ask(other)
    await client.ask(`${own}/stay`, { withKey: false })
    const withKey = Array(3).fill('own Bearer secret')
    expect(seen).toEqual([...withKey, 'other no key', 'own no key'])
  })

  it('waits as long as it is asked to, and tries again', async () => {
    let asked = 0
    const waits: string[] = []
    const url = await serveHttp((_request, response) => {
      asked++
      if (asked < 3) response.writeHead(asked === 1 ? 429 : 503, { 'retry-after': '0' })
      response.end('{}')
    })
    const onWait = (seconds: number, why: string) => waits.push(`${seconds} ${why}`)
    const answer = await createClient({ onWait }).ask(url)
    expect(answer.status).toBe(200)
    expect(waits).toEqual(['0 status 429', '0 status 503'])
  })

  it('gives an answer as it is when asked once', async () => {
    const url = await serveHttp((_request, response) => response.writeHead(429).end())
    expect((await createClient().ask(url, { once: true })).status).toBe(429)
  })

  it('names an address that cannot be reached, and no key', async () => {
    const client = createClient({ key: 'secret', keyOrigin: 'http://127.0.0.1:1', tries: 1 })
    const says = /^http:\/\/127\.0\.0\.1:1\/: cannot be reached \((?!.*secret)/
    await expect(client.ask('http://127.0.0.1:1/')).rejects.toThrow(says)
  })

  it.each([
    [{ 'content-length': '5000' }, 'after 4 of 5000 bytes'],
    [{}, 'after 4 bytes'],
  ])('says that a body was cut short: %j', async (headers, says) => {
    const waits: string[] = []
    const url = await serveHttp((_request, response) => {
      response.writeHead(200, headers)
      response.write('{"a"', () => response.destroy())
    })
    const onWait = (_seconds: number, why: string) => waits.push(why)
    await expect(createClient({ tries: 2, onWait }).ask(`${url}/page`)).rejects.toMatchObject({
      code: 'io',
      message: `${url}/page: the answer was cut short ${says}`,
      help: expect.stringContaining('before the end of the body'),
    })
    expect(waits).toEqual([`the answer was cut short ${says}`])
  })

  const LONG = gzipSync(JSON.stringify(Array.from({ length: 20_000 }, (_, at) => Math.sin(at))))
  it.each([
    ['gzip', Buffer.from('junk')],
    ['deflate', Buffer.from('junk')],
    ['deflate', deflateSync('{}').subarray(0, 5)],
    ['br', Buffer.from('junk')],
    ['gzip', Buffer.concat([LONG, Buffer.from('junk')])],
    ['gzip', LONG.subarray(0, 1000)],
    ['gzip, gzip', LONG],
    ['zstd', Buffer.from('junk')],
    ['gzip', gzipSync(Buffer.alloc(65 * 1024 * 1024))],
  ])('ends at once at a body that is no %s', async (encoding, body) => {
    let asked = 0
    const url = await serveHttp((_request, response) => {
      asked++
      response.writeHead(200, { 'content-encoding': encoding }).end(body)
    })
    const message = expect.stringMatching(/decompress as|not asked for|larger than/)
    await expect(createClient().ask(url)).rejects.toMatchObject({ code: 'io', message })
    expect(asked).toBe(1)
  })

  it('reads a body in an encoding that it asked for', async () => {
    let asked: string | undefined
    const url = await serveHttp((request, response) => {
      asked = String(request.headers['accept-encoding'])
      response.writeHead(200, { 'content-encoding': 'GZIP' }).end(gzipSync('{}'))
    })
    const { bytes } = await createClient().ask(url)
    expect(Buffer.from(bytes).toString()).toBe('{}')
    expect(asked).toContain('gzip')
  })

  it('asks no address with credentials in it, and does not show them', async () => {
    let asked = 0
    const url: string = await serveHttp((_request, response) => {
      asked++
      response.writeHead(302, { location: url.replace('//', '//user:secret@') }).end()
    })
    await expect(createClient().ask(url)).rejects.toThrow(/^127\.0\.0\.1:(?!.*secret)/)
    expect(asked).toBe(1)
  })

  it.each([
    'http://localhost:PORT/',
    'http://127.0.0.2:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]:PORT/',
    'https://127.0.0.1:PORT/',
    '//10.0.0.1/',
  ])('is not sent on to another machine or port: %s', async (elsewhere) => {
    let asked = 0
    const url: string = await serveHttp((_request, response) => {
      asked++
      response.writeHead(307, { location: elsewhere.replace('PORT', new URL(url).port) }).end()
    })
    const failure = createClient().ask(url)
    await expect(failure).rejects.toMatchObject({ code: 'io', message: /which is another host$/ })
    expect(asked).toBe(1)
  })

  it('follows no endless redirections', async () => {
    const url: string = await serveHttp((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    await expect(createClient().ask(url)).rejects.toThrow('without end')
  })
})

describe('retryAfter', () => {
  it('reads seconds and dates', () => {
    const of = (text: string) => parseRetryAfter(new Headers({ 'retry-after': text }), 0)
    expect(of('7')).toBe(7)
    expect(of('Thu, 01 Jan 1970 00:00:30 GMT')).toBe(30)
    expect(of('soon')).toBeUndefined()
  })
})
