import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { ForeproofError } from '../../src/contract/error.js'
import { askAuthority } from '../../src/time/stamp-entry.js'
import { serveHttp } from '../support/servers.js'

const QUERY = Buffer.from('3003020101', 'hex')
const REPLY = Buffer.from('30053003020100', 'hex')
const TYPE = { 'content-type': 'application/timestamp-reply' }
const ONCE = { tries: 1, timeoutMs: 5000 }

const failure = async (asked: Promise<unknown>): Promise<ForeproofError> => {
  const error = await asked.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(ForeproofError)
  return error as ForeproofError
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void

describe('askAuthority', () => {
  it('sends the query as RFC 3161 says, and gives back the answer as it is', async () => {
    const seen: unknown[] = []
    const url = await serveHttp(async (request, response) => {
      const { method, headers } = request
      seen.push(method, headers['content-type'], headers['content-length'], await buffer(request))
      response.writeHead(200, TYPE).end(REPLY)
    })
    expect(Buffer.from(await askAuthority(url, QUERY, ONCE))).toEqual(REPLY)
    expect(seen).toEqual(['POST', 'application/timestamp-query', '5', QUERY])
  })

  it('takes the query along where it is redirected', async () => {
    const seen: string[] = []
    const url: string = await serveHttp(async (request, response) => {
      seen.push(`${request.method} ${request.url} ${(await buffer(request)).toString('hex')}`)
      if (request.url === '/tsr') response.writeHead(200, TYPE).end(REPLY)
      else response.writeHead(301, { location: '/tsr' }).end('<html>')
    })
    expect(Buffer.from(await askAuthority(url, QUERY, ONCE))).toEqual(REPLY)
    expect(seen).toEqual(['POST / 3003020101', 'POST /tsr 3003020101'])
  })

  it('tries again when it is asked to wait, as often as is stated', async () => {
    let asked = 0
    const url = await serveHttp((_request, response) => {
      asked++
      response.writeHead(503, { 'retry-after': '0' }).end()
    })
    expect((await failure(askAuthority(url, QUERY, { tries: 3 }))).message).toContain('status 503')
    expect(asked).toBe(3)
  })

  const sends =
    (status: number, headers: Record<string, string> = TYPE, body: string | Buffer = ''): Answer =>
    (_, response) =>
      void response.writeHead(status, headers).end(body)
  const leads = (location: string) => sends(302, { location })
  const begins: Answer = (_, response) => void response.writeHead(200, TYPE).write(REPLY)
  const cuts: Answer = (_, response) => {
    response.writeHead(200, { ...TYPE, 'content-length': '7' }).write(REPLY.subarray(0, 4))
    response.socket?.end()
  }
  const page = { 'content-type': 'text/html; charset=x' }
  it.each<[string, Answer, RegExp]>([
    ['is slow', () => undefined, /cannot be reached \(no whole answer within 0\.2 s\)$/],
    ['is slow after its headers', begins, /no whole answer within 0\.2 s/],
    ['answers with a page', sends(200, page), /: answers with text\/html, not with a time stamp$/],
    ['answers with no type', sends(200, {}, REPLY), /: answers with no content type,/],
    ['fails', sends(500, TYPE, REPLY), /status 500$/],
    ['is elsewhere', sends(404, {}), /status 404$/],
    ['closes', (_, response) => void response.socket?.destroy(), /cannot be reached/],
    ['cuts its answer short', cuts, /cut short after 4 of 7 bytes/],
    ['sends too much', sends(200, TYPE, Buffer.alloc(300_000)), /is larger than 262144 bytes$/],
    ['redirects for ever', leads('/again'), /is redirected without end$/],
    ['redirects off the web', leads('file:///etc/passwd'), /is redirected off the web$/],
    ['redirects with a password', leads('http://u:secret@127.0.0.1/'), /or password in it$/],
    ['hides its type', sends(200, { 'content-type': 'a\u009b31m/b' }), /with a\\u009b31m\/b,/],
  ])('says so when an authority %s', async (_, answer, says) => {
    const url = `${await serveHttp(answer)}/tsr?key=hidden`
    const timeoutMs = says.source.includes('0\\.2 s') ? 200 : 5000
    const error = await failure(askAuthority(url, QUERY, { tries: 1, timeoutMs }))
    expect(error.code).toBe('io')
    expect(error.message).toMatch(says)
    expect(`${error.message} ${error.help}`).not.toMatch(/hidden|secret/)
  })

  it.each([
    ['http://127.0.0.1:1/tsr?key=hidden', 'io', 'http://127.0.0.1:1/tsr?…: cannot be reached'],
    ['https://user:hidden@example.org/tsr', 'usage', 'https://example.org/tsr: not the address'],
    ['user:hidden@example.org', 'usage', '(not shown: it may hold a secret): not the address'],
    ['freetsa.org/tsr', 'usage', 'freetsa.org/tsr: not the address'],
    ['file:///tsr', 'usage', 'file:///tsr: not the address'],
  ])('asks no server at %s', async (url, code, says) => {
    const error = await failure(askAuthority(url, QUERY, ONCE))
    expect(error.code).toBe(code)
    expect(error.message).toContain(says)
    expect(error.message).not.toContain('hidden')
  })
})
