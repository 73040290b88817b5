import { spawnSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/folder.js'
import { inProcess } from '../../support/in-process.js'
import { BIN, foreproof } from '../../support/run.js'
import { healthReport, makeHistory } from '../../support/service/history.js'
import { serve } from '../../support/service/serve.js'
import { unprivileged } from '../../support/unprivileged.js'

const folder = temporaryFolder()

const before = process.cwd()
beforeAll(() => {
  process.chdir(folder)
  mkdirSync('.state')
  makeHistory('.state/forecast_history.sqlite')
  writeFileSync('.state/pipeline_health.json', healthReport())
})
afterAll(() => {
  process.chdir(before)
})

const check = (env: NodeJS.ProcessEnv, ...flags: string[]) =>
  inProcess(['serve', '--check', ...flags], env)

/** A text in a file; its name. */
const file = (name: string, text: string) => {
  writeFileSync(name, text)
  return name
}

/** It ends with 2 and says this, with no trace and no secret. */
async function expectRefused(env: NodeJS.ProcessEnv, says: readonly string[], ...flags: string[]) {
  const { code, stdout, stderr } = await check(env, ...flags)
  expect([code, stdout]).toEqual([2, ''])
  for (const text of says) expect(stderr).toContain(text)
  expect(stderr).not.toMatch(/ {4}at |hush|good-key/)
}

const KEYS = { BTC_FORECAST_API_KEYS: 'first-key-4711,second-key-0815' }

/** Section 8 of the specification, line by line. */
const DEFAULTS = {
  BTC_FORECAST_API_RATE_LIMIT: '60',
  BTC_FORECAST_API_RATE_WINDOW_SECONDS: '60',
  BTC_FORECAST_API_STALE_AFTER_SECONDS: '10800',
  BTC_FORECAST_API_AUDIT_MAX_BYTES: '10000000',
  BTC_FORECAST_API_AUDIT_BACKUPS: '3',
  BTC_FORECAST_API_AUDIT_MAX_AGE_DAYS: '30',
  BTC_FORECAST_HISTORY_DB: '.state/forecast_history.sqlite',
  BTC_PIPELINE_HEALTH_STATE: '.state/pipeline_health.json',
  BTC_FORECAST_API_AUDIT_LOG: '.state/forecast_api_reads.jsonl',
}

describe('serve --check', () => {
  it('prints every setting with its default, and no secret', async () => {
    const secret = { BTC_FORECAST_FINGERPRINT_SECRET: 'hush-hush' }
    const { code, stdout, stderr } = await check({ ...KEYS, ...secret })
    expect([code, stderr]).toEqual([0, ''])
    for (const [variable, value] of Object.entries(DEFAULTS)) {
      const line = `^${variable} +${value.replaceAll('.', '\\.')} +default$`
      expect(stdout).toMatch(new RegExp(line, 'm'))
    }
    expect(stdout).toMatch(/^BTC_FORECAST_API_KEYS +\(2 accepted, not shown\)$/m)
    for (const secret of ['first-key', '4711', 'second', 'hush'])
      expect(stdout).not.toContain(secret)
  })

  it('takes variables and flags, flags first, and an empty variable as unset', async () => {
    const env = { ...KEYS, BTC_FORECAST_API_RATE_LIMIT: '7', BTC_FORECAST_HISTORY_DB: 'other.db' }
    const { stdout } = await check(env, '--rate-limit', '9')
    expect(stdout).toMatch(/^BTC_FORECAST_API_RATE_LIMIT +9 +--rate-limit$/m)
    expect(stdout).toMatch(/^BTC_FORECAST_HISTORY_DB +other\.db +environment$/m)
    const unset = await check({ ...KEYS, BTC_FORECAST_API_RATE_LIMIT: '' })
    expect(unset.stdout).toMatch(/^BTC_FORECAST_API_RATE_LIMIT +60 +default$/m)
  })
})

describe('what serve --check tries', () => {
  const parts = async (env: NodeJS.ProcessEnv, ...flags: string[]) => {
    const { code, stdout, stderr } = await check({ ...KEYS, ...env }, ...flags)
    const [, tried = ''] = stdout.split('\n\n')
    return { code, tried, stderr }
  }

  it('is the history, the report and the audit log, and it changes nothing', async () => {
    const { code, tried, stderr } = await parts({})
    expect([code, stderr]).toEqual([0, ''])
    expect(tried).toMatch(/^history +newest origin 2\S+/m)
    expect(tried).toMatch(/^health report +says healthy$/m)
    expect(tried).toMatch(/^audit log +can be written$/m)
    const alone = await parts({}, '--no-pipeline')
    expect(alone.tried).toMatch(/^health report +none: the history decides alone$/m)
    const files = ['forecast_history.sqlite', 'pipeline_health.json']
    expect(readdirSync('.state').sort()).toEqual(files)
  })

  it.each([
    ['--history', 'gone.sqlite', 2, 'gone.sqlite'],
    ['--history', '.state/pipeline_health.json', 1, 'FAULT'],
    ['--health-state', 'gone.json', 2, 'gone.json'],
    ['--health-state', 'none.json', 1, 'none.json'],
    ['--audit-log', 'none.json/reads.jsonl', 3, 'none.json is not a folder'],
  ])('fails for %s %s', async (flag, path, code, said) => {
    file('none.json', '{}')
    const found = await parts({}, flag, path)
    expect([found.code, found.tried]).toEqual([code, expect.stringMatching(/FAULT: /)])
    expect(found.tried + found.stderr).toContain(said)
  })

  it('fails where the audit log may not be written', () => {
    mkdirSync('shut', { mode: 0o500 })
    const line = [process.execPath, BIN, 'serve', '--check', '--audit-log', 'shut/new/reads.jsonl']
    const [program = '', ...args] = unprivileged(line)
    const ran = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, ...KEYS } })
    expect([ran.status, ran.stderr]).toEqual([3, expect.stringContaining('shut')])
  })

  it('asks other machines only with --connect', async () => {
    const env = {
      BTC_FORECAST_FINGERPRINT_SECRET: 'x',
      BTC_FORECAST_API_LIMITER: 'redis://:hush-hush@127.0.0.1:1',
      BTC_FORECAST_HISTORY_DB: 'postgres://me:hush-hush@127.0.0.1:1/none',
    }
    const alone = await parts(env)
    expect(alone.code).toBe(0)
    expect(alone.tried.match(/not tried/g)).toHaveLength(2)
    const asked = await parts(env, '--connect')
    expect(asked.code).toBe(3)
    expect(asked.tried.match(/FAULT: .*ECONNREFUSED/g)).toHaveLength(2)
    expect(asked.tried + asked.stderr).not.toContain('hush')
  })
})

describe('a bad value', () => {
  const bad = [
    ...['RATE_LIMIT=0', 'RATE_LIMIT=1e3', 'RATE_WINDOW_SECONDS=-1', 'RATE_WINDOW_SECONDS=60s'],
    ...['STALE_AFTER_SECONDS=3.5', 'AUDIT_MAX_BYTES=10MB', 'AUDIT_BACKUPS= 3', 'PORT=65536'],
    ...['AUDIT_MAX_AGE_DAYS=0', 'TRUSTED_PROXY=10.0.0.0/33', 'TRUSTED_PROXY=proxy.example.org'],
  ].map((setting) => `BTC_FORECAST_API_${setting}`.split('=') as [string, string])
  it.each(bad)('%s=%s names the variable and ends with 2', async (variable, value) => {
    await expectRefused({ ...KEYS, [variable]: value }, [variable])
  })

  it('of a flag names the flag', async () => {
    await expectRefused(KEYS, ['--audit-backups'], '--audit-backups', 'many')
  })
})

describe('keys', () => {
  const [KEYS_, FILE] = ['BTC_FORECAST_API_KEYS', 'BTC_FORECAST_API_KEYS_FILE']

  it('are required, and the message says how to give them', async () => {
    for (const env of [{}, { [KEYS_]: '' }, { [KEYS_]: ' , ,' }]) {
      await expectRefused(env, [KEYS_, FILE])
    }
  })

  it('come from a file, one per line', async () => {
    const env = { [FILE]: file('keys', 'key-one-aaaa\r\n\n  key-two-bbbb  \nkey-one-aaaa\n') }
    expect((await check(env)).stdout).toContain('(2 accepted')
    await expectRefused({ ...KEYS, ...env }, ['not both'])
    await expectRefused({ [FILE]: 'gone' }, ['no such file', FILE])
    await expectRefused({ [FILE]: file('keys', 'good-key-1\nbad key\n') }, [FILE])
  })

  it('that no header can carry are refused without being shown', async () => {
    for (const key of ['with space', 'ключ', 'tab\tkey', 'x'.repeat(600)]) {
      const env = { [KEYS_]: `good-key-1,${key}` }
      await expectRefused(env, ['key 2'])
      expect((await check(env)).stderr).not.toContain(key)
    }
  })
})

it('the audit log may not write over what the service reads', async () => {
  const VARIABLE = 'BTC_FORECAST_API_AUDIT_LOG'
  for (const name of ['h.sqlite', 'h.json', 'k']) file(name, 'key-one-aaaa')
  symlinkSync('h.sqlite', 'soft')
  linkSync('h.sqlite', 'hard')
  const env = {
    BTC_FORECAST_API_KEYS_FILE: 'k',
    BTC_FORECAST_HISTORY_DB: 'h.sqlite',
    BTC_PIPELINE_HEALTH_STATE: 'h.json',
  }
  for (const path of ['h.sqlite', './h.sqlite', 'h.sqlite-wal', 'soft', 'hard', 'h.json', 'k']) {
    await expectRefused({ ...env, [VARIABLE]: path }, [VARIABLE])
  }
  await expectRefused({ ...env, BTC_FORECAST_HISTORY_DB: 'a.1', [VARIABLE]: 'a' }, [VARIABLE])
  await expectRefused(env, ['--audit-log'], '--audit-log', 'h.json')
  expect((await check({ ...env, [VARIABLE]: 'h.sqlite.jsonl' })).stderr).not.toContain(VARIABLE)
})

const LIMITER = 'redis://me:hush-hush@limits.example:7000/2'

it('the shared limiter needs a secret for fingerprints, and an address', async () => {
  const env = { ...KEYS, BTC_FORECAST_FINGERPRINT_SECRET: 'x' }
  await expectRefused(KEYS, ['BTC_FORECAST_FINGERPRINT_SECRET'], '--limiter', LIMITER)
  await expectRefused(env, [], '--limiter', LIMITER, '--limiter', LIMITER)
  const bad = { ...env, BTC_FORECAST_API_LIMITER: `${LIMITER}/hush` }
  await expectRefused(bad, ['BTC_FORECAST_API_LIMITER'])
})

describe('a secret in a file', () => {
  it('is taken like that of a variable, and shown no more', async () => {
    const { code, stdout } = await check({
      BTC_FORECAST_API_KEYS_FILE: file('plain', 'key-one-aaaa\n'),
      BTC_FORECAST_FINGERPRINT_SECRET_FILE: file('secret', 'hush-hush\n'),
      BTC_FORECAST_API_LIMITER_FILE: file('limiter', `${LIMITER}\n`),
      BTC_FORECAST_HISTORY_DB_FILE: file('url', 'postgres://me:hush-hush@db.example/forecasts\n'),
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /LIMITER +redis:\/\/limits\.example:7000\/2 +BTC_FORECAST_API_LIMITER_FILE$/m,
    )
    expect(stdout).toMatch(/HISTORY_DB +postgres:\/\/db\.example\/forecasts +\S+_FILE$/m)
    expect(stdout).toMatch(/FINGERPRINT_SECRET +\(set, not shown\)$/m)
    expect(stdout).not.toContain('hush')
  })

  it.each(['FINGERPRINT_SECRET', 'API_LIMITER', 'HISTORY_DB'])(
    'BTC_FORECAST_%s is refused where it is given both ways, missing or empty',
    async (name) => {
      const variable = `BTC_FORECAST_${name}`
      const file_ = `${variable}_FILE`
      for (const env of [
        { [variable]: 'hush-hush', [file_]: file('both', 'hush-hush') },
        { [file_]: 'gone' },
        { [file_]: file('nothing', ' \n') },
      ]) {
        await expectRefused({ ...KEYS, ...env }, [file_])
      }
    },
  )

  it('is not looked at where a flag goes before it', async () => {
    const env = { ...KEYS, BTC_FORECAST_HISTORY_DB_FILE: 'gone' }
    const { code, stdout } = await check(env, '--history', '.state/forecast_history.sqlite')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/HISTORY_DB .* --history$/m)])
  })

  it('is read by other commands, too', async () => {
    const env = { BTC_FORECAST_HISTORY_DB_FILE: file('path', '.state/forecast_history.sqlite\n') }
    expect((await inProcess(['history', 'stats'], env)).code).toBe(0)
  })
})

it('the demo is checked without being served', async () => {
  const { code, stdout } = await foreproof(['serve', '--check', '--demo'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^BTC_FORECAST_API_KEYS +\(1 accepted, not shown\)$/m)
})

it('serve says in its log which variables set nothing, and serves all the same', async () => {
  const env = { BTC_FORECAST_API_RATELIMIT: 'hush', BTC_FORECAST_MODEL_PATH: 'hush' }
  const served = await serve({ env })
  await served.logged('unknown-variable')
  const lines = served.log.split('\n').filter((line) => line.includes('unknown-variable'))
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      variable: 'BTC_FORECAST_API_RATELIMIT',
      message: expect.stringContaining('Did you mean BTC_FORECAST_API_RATE_LIMIT?'),
    },
    { level: 'warn', variable: 'BTC_FORECAST_MODEL_PATH' },
  ])
  expect(served.log).not.toContain('hush')
  expect((await served.get('/v1/health')).status).toBe(200)
})
