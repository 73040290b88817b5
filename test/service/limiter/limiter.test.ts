import { createServer, type Server, type Socket, SocketAddress } from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { checkServiceOptions } from '../../../src/service/config/config.js'
import { Metrics } from '../../../src/service/health/metrics.js'
import { FailureLimit, toNetwork } from '../../../src/service/limiter/failures.js'
import { SlidingWindow } from '../../../src/service/limiter/limiter.js'
import {
  displayRedisAddress,
  parseRedisAddress,
} from '../../../src/service/limiter/redis-address.js'
import { SharedLimiter } from '../../../src/service/limiter/shared-limiter.js'
import { FaultLog } from '../../../src/service/log.js'

/** The definition, word for word: at most `limit` admitted within the last `windowMs`. */
function naive(limit: number, windowMs: number) {
  const admitted: number[] = []
  return (now: number) => {
    const counted = admitted.filter((time) => time + windowMs > now)
    if (counted.length < limit) {
      admitted.push(now)
      return { admitted: true, oldest: counted[0] ?? now }
    }
    return { admitted: false, oldest: counted[0]! }
  }
}

describe('the sliding window', () => {
  it('admits exactly what a log of all requests would, and waits exactly as long', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 300 }),
        (limit, seconds, gaps) => {
          const window = new SlidingWindow(limit, seconds)
          const expected = naive(limit, seconds * 1000)
          let now = 0
          for (const gap of gaps) {
            now += gap
            const { admitted, oldest } = expected(now)
            const verdict = window.take('key', now)
            expect(verdict.admitted).toBe(admitted)
            const wait = (oldest + seconds * 1000 - now) / 1000
            expect(verdict.resetSeconds).toBe(Math.max(1, Math.ceil(wait)))
            if (!admitted) expect(verdict.remaining).toBe(0)
          }
        },
      ),
    )
  })

  it('never waits longer than the window, at any fraction of a millisecond', () => {
    const times = fc.double({ min: 0, max: 1e9, noNaN: true })
    fc.assert(
      fc.property(times, fc.integer({ min: 1, max: 3600 }), (now, seconds) => {
        expect(new SlidingWindow(60, seconds).take('key', now).resetSeconds).toBe(seconds)
      }),
      { numRuns: 2000 },
    )
    // A sum of floating-point numbers gives a little more than 60 here.
    expect(new SlidingWindow(60, 60).take('key', 5765.6530567862155).resetSeconds).toBe(60)
  })

  it('keeps keys apart, and needs no more than the limit however long it runs', () => {
    const window = new SlidingWindow(3, 1)
    for (let now = 0; now < 1e6; now += 10) window.take('busy', now)
    expect(window.take('calm', 1e6).remaining).toBe(2)
    const { keys } = window as unknown as { keys: Map<string, { times: number[] }> }
    expect(keys.get('busy')?.times.length).toBeLessThanOrEqual(7)
  })
})

it('takes a limit of a key of its own, also one that was lowered', () => {
  const window = new SlidingWindow(2, 60)
  for (let now = 0; now < 4000; now += 1000) {
    expect(window.take('large', now, 4).admitted).toBe(true)
  }
  expect(window.take('large', 4000, 4)).toEqual({ admitted: false, remaining: 0, resetSeconds: 56 })
  // Of two within the window there is room again when the third of the four has left it.
  const { admitted, resetSeconds } = window.take('large', 4000, 2)
  expect([admitted, resetSeconds]).toEqual([false, 58])
  expect(window.take('large', 61_999, 2).admitted).toBe(false)
  expect(window.take('large', 62_000, 2).admitted).toBe(true)
})

describe('failed authentications', () => {
  it('count up to the limit, and again one by one after the wait that is given', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 600 }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (limit, seconds, now) => {
          const failures = new FailureLimit(limit, seconds)
          const counted = () => failures.take('192.0.2.1', now)
          for (let at = 0; at < limit; at++) expect(counted()).toBeUndefined()
          const wait = counted()
          expect(wait).toBe(Math.max(1, Math.ceil(seconds / limit - 1e-6)))
          expect(failures.take('192.0.2.2', now)).toBeUndefined()
          expect(failures.take('192.0.2.1', now + 1000 * wait!)).toBeUndefined()
          // After a whole window all of them are free again.
          const later = now + 1000 * (seconds + wait!)
          for (let at = 0; at < limit; at++) {
            expect(failures.take('192.0.2.1', later)).toBeUndefined()
          }
          expect(failures.take('192.0.2.1', later)).toBeGreaterThan(0)
        },
      ),
    )
  })

  it('are never refused without a limit', () => {
    const failures = new FailureLimit(0, 60)
    for (let at = 0; at < 1000; at++) expect(failures.take('::1', 0)).toBeUndefined()
  })

  it('are kept for so many networks only, the last ones', () => {
    const failures = new FailureLimit(1, 60)
    for (let at = 0; at < 50_000; at++) failures.take(`10.0.${at >> 8}.${at & 255}`, at / 1000)
    // Private, so that it is looked at by what it forgets alone.
    expect(failures.take('10.0.195.79', 50)).toBeGreaterThan(0)
    expect(failures.take('10.0.0.0', 50)).toBeUndefined()
  })
})

describe('the network of an address', () => {
  it('is an IPv4 address itself, and the /64 of IPv6, however it is written', () => {
    expect(toNetwork('192.0.2.7')).toBe('192.0.2.7')
    expect(toNetwork('')).toBe('')
    expect(toNetwork('2001:db8::1')).toBe('2001:db8:0:0::/64')
    expect(toNetwork('2001:db8:0:0:ffff::')).toBe('2001:db8:0:0::/64')
    expect(toNetwork('2001:0DB8:0:1::')).toBe('2001:db8:0:1::/64')
    expect(toNetwork('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
    expect(toNetwork('::ffff:192.0.2.7')).toBe('0:0:0:0::/64')
    expect(toNetwork('64:ff9b:1::192.0.2.7')).toBe('64:ff9b:1:0::/64')
  })

  it('is the same for all spellings of one address', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        const { address: usual } = new SocketAddress({ address, family: 'ipv6' })
        expect(toNetwork(address)).toBe(toNetwork(usual))
      }),
    )
  })
})

const read = (text: string) => parseRedisAddress(text, '--limiter')

describe('the address of a shared limiter', () => {
  it('needs a host only', () => {
    expect(read('redis://limits.example')).toEqual({
      tls: false,
      host: 'limits.example',
      port: 6379,
      username: '',
      password: '',
      database: 0,
      prefix: 'foreproof',
      timeoutMs: 250,
    })
  })

  it('is read in full, and shown without user and password', () => {
    const address = read('rediss://me:p%40ss%2F%25@[2001:db8::1]:7000/3?prefix={a}:b&timeout_ms=90')
    expect(address).toEqual({
      tls: true,
      host: '2001:db8::1',
      port: 7000,
      username: 'me',
      password: 'p@ss/%',
      database: 3,
      prefix: '{a}:b',
      timeoutMs: 90,
    })
    expect(displayRedisAddress(address)).toBe('rediss://[2001:db8::1]:7000/3')
  })

  // Wherever it is by mistake.
  const secret = 'hush4711'
  it.each([
    '',
    'localhost:6379',
    `http://:${secret}@host`,
    `redis:${secret}`,
    `redis://${secret}@host`,
    `redis://:${secret}#x@host`,
    `redis://user:12#${secret}@host`,
    `redis://user:12?prefix=${secret}@host`,
    `redis://:%zz${secret}@host`,
    `redis://:${secret}@host/x`,
    `redis://:${secret}@host/1/2`,
    `redis://:${secret}@host?prefix=`,
    `redis://:${secret}@host?prefix=a&prefix=b`,
    `redis://:${secret}@host?password=x`,
    `redis://:${secret}@host?timeout_ms=0`,
    `redis://:${secret}@host?timeout_ms=5001`,
    `redis://:${secret}@host,redis://other`,
    `redis://:${secret}@host:99999`,
  ])('is not %j, whose refusal shows nothing of it', (text) => {
    const shownNot = (said: RegExp) =>
      expect.stringMatching(new RegExp(`^(?!.*${secret})${said.source}`))
    const message = shownNot(/--limiter /)
    const help = shownNot(/.*redis:\/\/HOST/)
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'usage', message, help }))
  })
})

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
  const { settings } = checkServiceOptions(options)
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
