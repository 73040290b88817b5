import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { get } from '../support/service/http.js'
import { keysCommand, serve } from '../support/service/serve.js'

const ROUNDS = 10
const CLIENTS = 6
/** From so long after a change on, every answer is right. */
const SETTLED_MS = 1000

/** What a key must be answered from when to when; between these, either is right. */
interface Expected {
  readonly key: string
  readonly status: number
  readonly from: number
  until: number
}

it('is right a second after every change of the keys, for every request of many', async () => {
  const made: Record<string, string> = {}
  const served = await serve({
    env: {
      BTC_FORECAST_API_KEYS: '',
      BTC_FORECAST_API_AUTH_FAILURE_LIMIT: '0',
      BTC_FORECAST_API_AUDIT_MAX_BYTES: '1000000000',
    },
    flags: ['--keys', 'keys.json'],
    prepare: (folder) => {
      made.steady = keysCommand(folder, ['new', 'steady'])
    },
  })
  const keys = (...args: string[]) => keysCommand(served.folder, args)
  const rules: Expected[] = []
  /** From `from` on a key has this answer; until then, the one before. */
  const rule = (key: string, status: number, changedAt: number, from = changedAt + SETTLED_MS) => {
    const former = rules.findLast((each) => each.key === key)
    if (former !== undefined) former.until = changedAt
    rules.push({ key, status, from, until: Number.POSITIVE_INFINITY })
  }
  const answers: { key: string; status: number; began: number; ended: number }[] = []
  let ended = false
  const client = async (turn: number) => {
    for (let count = turn; !ended; count++) {
      const known = [...new Set(rules.slice(-6).map((each) => each.key)), made.steady ?? '']
      const key = known[count % known.length] ?? ''
      const began = Date.now()
      // Any request that gets no answer throws.
      const { status } = await get(served.port, '/v1/forecasts?limit=5', {
        headers: { Authorization: `Bearer ${key}` },
      })
      answers.push({ key, status, began, ended: Date.now() })
    }
  }
  rule(made.steady ?? '', 200, Date.now() - SETTLED_MS)
  const clients = Array.from({ length: CLIENTS }, (_, turn) => client(turn))
  for (let round = 0; round < ROUNDS; round++) {
    const name = `key-${round}`
    const end = Date.now() + 4000
    const expires = ['--expires', new Date(end).toISOString()]
    const key = keys('new', name, ...(round % 3 === 0 ? expires : []))
    rule(key, 200, Date.now())
    // At the very instant, not a second later.
    if (round % 3 === 0) rule(key, 401, end, end)
    if (round % 5 === 0) served.child.kill('SIGHUP')
    await pause(1200)
    if (round % 3 === 1) {
      keys('revoke', name)
      rule(key, 401, Date.now())
    }
  }
  await pause(4500)
  ended = true
  await Promise.all(clients)
  let judged = 0
  for (const answer of answers) {
    const holds = rules.filter(
      ({ key, from, until }) => key === answer.key && answer.began >= from && answer.ended < until,
    )
    for (const { status } of holds) {
      judged++
      expect([answer.status, answer]).toEqual([status, answer])
    }
  }
  expect(judged).toBeGreaterThan(answers.length / 2)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 401]))
  // Every request was answered, and recorded.
  expect(await served.stop()).toBe(0)
  expect(served.audit().length).toBe(answers.length)
})
