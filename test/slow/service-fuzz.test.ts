import { createReadStream, mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { numbers } from '../support/random.js'
import { Answers } from '../support/service/http.js'
import { KEY, OTHER_KEY, serve } from '../support/service/serve.js'

/** How many requests; the promise is about a million, which takes some minutes. */
const REQUESTS = Number(process.env.FOREPROOF_FUZZ_REQUESTS ?? 20_000)
const CONNECTIONS = 16
const BATCH = 8

const served = await serve({
  made: { origins: 400 },
  // Enough for a line of every request, so that lines can be counted at the end.
  env: {
    BTC_FORECAST_API_AUDIT_MAX_BYTES: String(64 * 1024 ** 3),
    BTC_FORECAST_API_RATE_LIMIT: '10000000',
    BTC_FORECAST_API_AUTH_FAILURE_LIMIT: '0',
    BTC_FORECAST_API_CACHE_BYTES: String(8 * 1024 * 1024),
  },
  prepare: (folder) => mkdirSync(`${folder}/audit`),
})

/** Whole numbers below one, that a failing run can be repeated with. */
function wholeNumbers(seed: number) {
  const random = numbers(seed)
  return (below: number) => Math.floor(random() * below)
}

type Numbers = ReturnType<typeof wholeNumbers>
const pick = <T>(random: Numbers, values: readonly T[]): T => values[random(values.length)] as T
const noise = (random: Numbers, length: number) =>
  Array.from({ length }, () => String.fromCharCode(33 + random(94)))
    .join('')
    .replaceAll(/[\s#]/g, 'x')

const FORECASTS = '/v1/forecasts'
const ROUTES = [FORECASTS, FORECASTS, FORECASTS, `${FORECASTS}/latest`, '/v1/health']
const NAMES = ['limit', 'model', 'horizon_hours', 'run_id', 'origin_from', 'origin_to', 'cursor']
const VALUES = [
  ...'1 5 100 0 -1 101 alpha beta nobody 2 4 8 % %00 %ff %F0%9F%92%A9 a+b'.split(' '),
  ...'2026-01-01T00:00:00Z 2026-01-01T00:00:00+00:00 9999-12-31T23:59:59Z'.split(' '),
  '',
  '9'.repeat(400),
  "';%20DROP%20TABLE%20forecast_predictions;%20--",
  KEY,
]
const ACCEPTS = [
  '*/*',
  '',
  'application/json',
  'application/*;q=0',
  'text/html, */*;q=0.1',
  ';;;',
  '"',
]
const KEYS = [KEY, KEY, KEY, KEY, OTHER_KEY, 'wrong', '', KEY.slice(0, -1), `${KEY}x`]
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']

const PLAIN = [
  '/v1/forecasts/latest',
  '/v1/health',
  '/v1/forecasts',
  '/v1/forecasts?limit=1',
  '/v1/forecasts?limit=7&model=beta',
  '/v1/forecasts?horizon_hours=4&limit=100',
  '/v1/forecasts?origin_from=2026-01-01T00:00:00Z&limit=20',
  '/v1/forecasts?model=nobody',
]

/** Half of the requests are in order, many of them a step of a walk. */
function plainRequest(random: Numbers, walks: readonly string[]): string {
  const path = walks.length > 0 && random(2) === 0 ? pick(random, walks) : pick(random, PLAIN)
  return `GET ${path} HTTP/1.1\r\nHost: fuzz\r\nAuthorization: Bearer ${KEY}\r\n\r\n`
}

function target(random: Numbers, cursors: readonly string[]): string {
  const path =
    random(12) === 0 ? `/${noise(random, random(40))}`.replaceAll('?', '') : pick(random, ROUTES)
  const query = Array.from({ length: random(4) }, () => {
    const name = random(10) === 0 ? noise(random, 5) : pick(random, NAMES)
    const cursor = name === 'cursor' && cursors.length > 0 && random(2) === 0
    const value = cursor ? pick(random, cursors) : pick(random, VALUES)
    return `${name}=${random(20) === 0 ? noise(random, 12) : value}`
  })
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

function requestText(random: Numbers, cursors: readonly string[]): string {
  const method = pick(random, METHODS)
  const lines = [`${method} ${target(random, cursors)} HTTP/1.1`, 'Host: fuzz']
  const key = pick(random, KEYS)
  if (key !== '') lines.push(`Authorization: Bearer ${key}`)
  if (random(3) === 0) lines.push(`Accept: ${pick(random, ACCEPTS)}`)
  if (random(9) === 0) lines.push(`X-Request-Id: ${noise(random, 1 + random(60))}`)
  if (random(30) === 0) lines.push(`X-${noise(random, 3).replaceAll(/[^a-zA-Z]/g, 'y')}: ${KEY}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

interface Tally {
  sent: number
  readonly statuses: Map<number, number>
  leaks: number
  readonly cursors: string[]
  readonly walks: string[]
}

async function fuzz(seed: number, count: number, tally: Tally): Promise<void> {
  const random = wholeNumbers(seed)
  let socket = connect(served.port, '127.0.0.1')
  let answers = new Answers(socket)
  for (let done = 0; done < count; done += BATCH) {
    const batch = Array.from({ length: BATCH }, () =>
      random(2) === 0 ? plainRequest(random, tally.walks) : requestText(random, tally.cursors),
    )
    socket.write(batch.join(''), 'latin1')
    for (const request of batch) {
      const answer = await answers.next(request.startsWith('HEAD'))
      // A connection ends early only after bytes that are no HTTP; what followed them was never a request.
      if (answer === undefined) break
      tally.sent++
      tally.statuses.set(answer.status, (tally.statuses.get(answer.status) ?? 0) + 1)
      if (answer.text.includes(KEY.slice(0, 8)) || answer.text.includes(OTHER_KEY.slice(0, 8))) {
        tally.leaks++
      }
      const cursor = /"next_cursor":"([^"]+)"/.exec(answer.text)?.[1]
      if (cursor !== undefined) remember(request, cursor, random, tally)
    }
    if (socket.destroyed || !socket.writable) {
      socket = connect(served.port, '127.0.0.1')
      answers = new Answers(socket)
    }
  }
  socket.destroy()
}

/** The next step of the walk that a request was part of. */
function remember(request: string, cursor: string, random: Numbers, tally: Tally): void {
  tally.cursors[random(tally.cursors.length < 200 ? tally.cursors.length + 1 : 200)] = cursor
  const [, sent = ''] = request.split(' ')
  const path = sent.replace(/[?&]cursor=[^&]*/, '')
  const next = `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`
  tally.walks[random(tally.walks.length < 200 ? tally.walks.length + 1 : 200)] = next
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${served.child.pid}/status`, 'latin1')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function auditLines(): Promise<{ count: number; bad: number }> {
  let count = 0
  let bad = 0
  for await (const line of createInterface({ input: createReadStream(served.auditPath) })) {
    count++
    const leaks = line.includes(KEY.slice(0, 8)) || line.includes(OTHER_KEY.slice(0, 8))
    if (leaks || !line.startsWith('{"timestamp":"') || !line.endsWith('"}')) bad++
  }
  return { count, bad }
}

describe(`${REQUESTS} requests, valid and not`, () => {
  it('get no 5xx, cost no memory, are audited one by one, and bring no key out', async () => {
    const tally: Tally = { sent: 0, statuses: new Map(), leaks: 0, cursors: [], walks: [] }
    const round = async (seed: number, requests: number) => {
      const each = Math.ceil(requests / CONNECTIONS / BATCH) * BATCH
      await Promise.all(
        Array.from({ length: CONNECTIONS }, (_, at) => fuzz(seed + at, each, tally)),
      )
    }
    const resident: number[] = []
    const rounds = 10
    for (let at = 0; at < rounds; at++) {
      await round(1 + at * 1000, REQUESTS / rounds)
      resident.push(residentMegabytes())
    }
    const statuses = Object.fromEntries([...tally.statuses].sort(([a], [b]) => a - b))
    const counted = await served.figure('requests_total')
    expect(await served.stop()).toBe(0)
    const audit = await auditLines()
    console.log({ sent: tally.sent, counted, audit, statuses, resident: resident.map(Math.round) })
    expect(tally.sent).toBeGreaterThan(0.99 * REQUESTS)
    expect(Object.keys(statuses).every((status) => Number(status) < 500)).toBe(true)
    expect(Object.keys(statuses)).toEqual(['200', '400', '401', '406'])
    expect(tally.leaks).toBe(0)
    expect(audit).toEqual({ count: counted, bad: 0 })
    expect(counted).toBe(tally.sent)
    expect(served.log).not.toContain(KEY.slice(0, 8))
    expect(served.events().filter(({ level }) => level === 'error')).toEqual([])
    if (REQUESTS >= 500_000) {
      // After warm-up: the second half stays within ten per cent of where it began.
      const warm = resident.slice(rounds / 2)
      expect(Math.max(...warm) / Math.min(...warm)).toBeLessThan(1.1)
    }
  })
})
