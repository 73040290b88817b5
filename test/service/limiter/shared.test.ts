import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { checkOptions } from '../../../src/service/config/config.js'
import { Metrics } from '../../../src/service/health/metrics.js'
import { SharedLimiter } from '../../../src/service/limiter/shared.js'
import { FaultLog } from '../../../src/service/log.js'

const PASSWORD = 'hush-hush-4711'
let server: Server | undefined
let limiter: SharedLimiter | undefined
const sockets: Socket[] = []

afterEach(() => {
  limiter?.close()
  for (const socket of sockets.splice(0)) socket.destroy()
  server?.close()
})

const NEVER = () => {}

/** A limiter of three a minute, at a server that does this with a connection. */
async function startAt(meet: (socket: Socket) => void) {
  server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    meet(socket)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const lines: string[] = []
  const logger = { log: (...line: unknown[]) => void lines.push(JSON.stringify(line)) }
  const metrics = new Metrics()
  // What a server does is to be seen, however busy the machine: only for silence the time is waited out.
  const url = `redis://:${PASSWORD}@127.0.0.1:${port}?timeout_ms=${meet === NEVER ? 100 : 5000}`
  const options = { keys: ['key'], fingerprintSecret: 'secret', rateLimit: 3, limiter: url }
  const { settings } = checkOptions(options)
  limiter = new SharedLimiter(settings, new FaultLog(logger), metrics.withLimiter())
  await limiter.start()
  return { limiter, lines, metrics }
}

const reply = (text: string) => (socket: Socket) => {
  socket.on('data', () => socket.write(text))
}

it.each<[string, (socket: Socket) => void, RegExp]>([
  ['closes', (socket) => socket.destroy(), /closed|ECONNRESET/],
  ['never answers', NEVER, /no answer within/],
  ['speaks HTTP', reply('HTTP/1.1 400 Bad Request\r\n\r\n'), /alone/],
  ['refuses the password', reply('-WRONGPASS invalid username-password pair\r\n'), /WRONGPASS/],
  ['repeats what it got', reply(`-ERR unknown command 'AUTH' '${PASSWORD}'\r\n`), /not shown/],
  ['says too much', reply(`-ERR ${'x'.repeat(99_999)}\r\n`), /ERR x{1,300}"/],
  ['answers something else', reply('+OK\r\n'), /no such answer/],
  ['answers other figures', reply('*2\r\n:9007199254740993\r\n:-5\r\n'), /no such answer/],
])('counts alone at a server that %s, and says so', async (_name, meet, reason) => {
  const { limiter, lines, metrics } = await startAt(meet)
  const admitted = [1, 2, 3, 4, 5].map((now) => limiter.take('key', now))
  expect(admitted).toMatchObject([true, true, true, false, false].map((admitted) => ({ admitted })))
  expect(admitted[4]).toEqual({ admitted: false, remaining: 0, resetSeconds: 60 })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(reason)
  expect(lines[0]).toContain('limiter-alone')
  const page = await metrics.render()
  expect(page).toMatch(/^forecast_api_limiter_shared 0$/m)
  expect(page).toMatch(/^forecast_api_limiter_fallbacks_total 5$/m)
  expect(lines[0] + page).not.toContain(PASSWORD)
})
