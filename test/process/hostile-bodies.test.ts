import { readdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { foreproof } from '../support/run.js'

/** Long enough that `fetch` has handed some of it on before the rest turns out not to decode. */
const LONG = gzipSync(JSON.stringify(Array.from({ length: 100_000 }, (_, at) => Math.sin(at))))
const BODIES = [
  ['gzip', Buffer.from('junk')],
  ['gzip', Buffer.concat([LONG, Buffer.from('junk')])],
  ['deflate', Buffer.from('junk')],
] as const

const folder = temporaryFolder()
let server: Server
let url = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    const [encoding, body] = BODIES[Number(request.url?.split('/')[1])] ?? ['gzip', '']
    response.writeHead(200, { 'content-encoding': encoding }).end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

describe.each(BODIES.map(([encoding], at) => [encoding, at] as const))(
  'a server whose bodies are no %s (%i)',
  (encoding, at) => {
    it.each([
      ['conformance', []],
      ['history pull', ['--history', join(folder, 'never-written.sqlite')]],
    ])('%s cannot be done, and says why', async (command, more) => {
      const ran = await foreproof([...command.split(' '), `${url}/${at}`, ...more])
      const said = new RegExp(
        `^foreproof: ${url}.*: the answer does not decompress as ${encoding}\n`,
      )
      expect(ran.stderr).toMatch(said)
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(readdirSync(folder)).toEqual([])
    })
  },
)
