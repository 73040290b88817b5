import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { eventually, KEY, OTHER_KEY, type Served, serve } from '../../support/service/serve.js'

let served: Served

const NEW_KEY = 'key-of-the-next-month-90ab'

/** A service whose keys are in a file. */
const withKeysFile = () =>
  serve({
    env: { BTC_FORECAST_API_KEYS: '', BTC_FORECAST_API_KEYS_FILE: 'keys' },
    prepare: (folder) => writeFileSync(join(folder, 'keys'), `${KEY}\n${OTHER_KEY}\n`),
  })

/** Sends SIGHUP and waits for the line that says what came of it. */
async function hangUp(event = 'reloaded'): Promise<Record<string, unknown>> {
  const before = served.events(event).length
  served.child.kill('SIGHUP')
  await eventually(() => served.events(event).length > before || served.child.signalCode !== null)
  expect(served.child.signalCode).toBeNull()
  return served.events(event).at(-1) ?? {}
}

const statusFor = async (key: string) =>
  (await served.get('/v1/health', { headers: { Authorization: `Bearer ${key}` } })).status

describe('SIGHUP', () => {
  it('reads the keys again: new ones open, taken away ones do not, kept ones keep their quota', async () => {
    served = await withKeysFile()
    const quota = async () => (await served.get('/v1/health')).headers.ratelimit
    const left = (state: string | undefined) => Number(/r=(\d+)/.exec(String(state))?.[1])
    const before = left(await quota())
    expect([await statusFor(OTHER_KEY), await statusFor(NEW_KEY)]).toEqual([200, 401])
    writeFileSync(join(served.folder, 'keys'), `${NEW_KEY}\r\n\n${KEY}\n`)
    expect([await statusFor(OTHER_KEY), await statusFor(NEW_KEY)]).toEqual([200, 401])
    expect(await hangUp()).toMatchObject({ level: 'info', keys: 2 })
    expect([await statusFor(OTHER_KEY), await statusFor(NEW_KEY)]).toEqual([401, 200])
    expect(left(await quota())).toBe(before - 1)
  })

  it('keeps new and former keys out of the audit log and the log', async () => {
    served = await withKeysFile()
    writeFileSync(join(served.folder, 'keys'), NEW_KEY)
    await hangUp()
    for (const key of [KEY, NEW_KEY]) {
      await served.get(`/v1/${key}`, { headers: { Authorization: `Bearer ${NEW_KEY}` } })
    }
    await eventually(() => served.audit().length === 2)
    expect(served.audit().map(({ path }) => path)).toEqual(['[redacted]', '[redacted]'])
    for (const key of [KEY, OTHER_KEY, NEW_KEY]) expect(served.log).not.toContain(key)
  })

  it('keeps the keys it has where the file is gone, empty or bad, and says so', async () => {
    served = await withKeysFile()
    const file = join(served.folder, 'keys')
    const spoil: [() => void, RegExp][] = [
      [() => writeFileSync(file, '\n'), /is empty/],
      [() => writeFileSync(file, `${NEW_KEY}\nwith space\n`), /key 2/],
      [() => rmSync(file), /no such file/],
      [() => execFileSync('mkfifo', [file]), /not a regular file/],
    ]
    for (const [change, why] of spoil) {
      change()
      const { message, level } = await hangUp('reload-failed')
      expect([level, message]).toEqual(['error', expect.stringMatching(why)])
      expect([await statusFor(KEY), await statusFor(NEW_KEY)]).toEqual([200, 401])
    }
    expect(served.log).not.toContain('with space')
    expect(await served.stop()).toBe(0)
  })

  it('says where keys come from a variable, which cannot be changed', async () => {
    served = await serve()
    const { message, keys } = await hangUp()
    expect(message).toContain('BTC_FORECAST_API_KEYS')
    expect(keys).toBe(2)
    expect([await statusFor(KEY), await statusFor(OTHER_KEY)]).toEqual([200, 200])
  })

  it('opens the audit log anew: one that was moved away is begun again without a request', async () => {
    served = await serve()
    await served.get('/v1/health')
    await eventually(() => served.audit().length === 1)
    renameSync(served.auditPath, join(served.folder, 'moved'))
    await hangUp()
    await eventually(() => existsSync(served.auditPath))
    expect(readFileSync(join(served.folder, 'moved'), 'utf8')).toContain('/v1/health')
  })

  it('opens the audit log anew: one that was cut short has its room again', async () => {
    served = await serve({ env: { BTC_FORECAST_API_AUDIT_MAX_BYTES: '2000' } })
    const ask = async (times: number) => {
      for (let turn = 0; turn < times; turn++) await served.get('/v1/health')
    }
    await ask(5)
    await eventually(() => served.audit().length === 5)
    truncateSync(served.auditPath)
    await hangUp()
    await ask(5)
    await eventually(() => served.audit().length === 5)
    expect(existsSync(`${served.auditPath}.1`)).toBe(false)
  })
})
