import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkPayload } from '../../../src/contract/check-payload.js'
import { get } from '../../support/service/http.js'
import { eventually, KEY, OTHER_KEY, type Served, serve } from '../../support/service/serve.js'

let served: Served

/** Puts files where the audit log will lie, before the service starts. */
const lying =
  (files: Readonly<Record<string, string>>) =>
  (folder: string): void => {
    mkdirSync(join(folder, 'audit'))
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder, 'audit', name), text)
    }
  }
/** A device in the place of the audit log. */
const device = (path: string) => (folder: string) => {
  mkdirSync(join(folder, 'audit'))
  symlinkSync(path, join(folder, 'audit', 'reads.jsonl'))
}
const rotatedAt = (bytes: number, backups: number) => ({
  BTC_FORECAST_API_AUDIT_MAX_BYTES: String(bytes),
  BTC_FORECAST_API_AUDIT_BACKUPS: String(backups),
})
const failed = () => served.logged('audit-write-failed')
/** Asks for health, by numbered requests. */
async function ask(times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await served.get('/v1/health', { headers: { 'X-Request-Id': `request-${turn}` } })
  }
}

describe('the read-audit log', () => {
  it('has a line for every request to the API, in the form of the contract', async () => {
    served = await serve()
    // No proxy is trusted here.
    const headers = { 'X-Forwarded-For': '203.0.113.9, 10.1.2.3' }
    const page = await served.get('/v1/forecasts?limit=3&model=alpha', { headers })
    const ids = page.json.data.map((each: { forecast_id: string }) => each.forecast_id)
    await served.get('/v1/forecasts/latest', { headers: { Authorization: `Bearer ${OTHER_KEY}` } })
    await served.get('/v1/health', { headers: { Authorization: '' } })
    await served.get('/v1/health', { headers: { Authorization: 'Bearer not-a-key-of-ours' } })
    await served.get('/v1/health', { headers: { Accept: 'text/html' } })
    await served.get('/nowhere?secret=1', { method: 'DELETE' })
    for (const probe of ['/livez', '/readyz', '/metrics']) await get(served.port, probe)
    await eventually(() => served.audit().length >= 6)
    const lines = served.audit()
    expect(lines.flatMap((line) => checkPayload('audit-event', line))).toEqual([])
    expect(lines.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', '/v1/forecasts', 200],
      ['GET', '/v1/forecasts/latest', 200],
      ['GET', '/v1/health', 401],
      ['GET', '/v1/health', 401],
      ['GET', '/v1/health', 406],
      ['DELETE', '/nowhere', 400],
    ])
    expect(lines[0]).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      method: 'GET',
      path: '/v1/forecasts',
      remote_address: '127.0.0.1',
      status: 200,
      latency_seconds: expect.any(Number),
      forecast_ids: ids,
      key_fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      key_name: null,
      request_id: page.headers['x-request-id'],
    })
    expect(lines[1]?.forecast_ids).toHaveLength(1)
    const prints = lines.map((line) => line.key_fingerprint)
    // Two keys, none, a wrong one, and the first again although it was not asked for yet.
    expect(new Set(prints.slice(0, 4)).size).toBe(4)
    expect(prints.slice(2)).toEqual([null, expect.any(String), prints[0], prints[0]])
  })

  it('never holds a key or a part of one, wherever a client puts it', async () => {
    served = await serve()
    const encoded = Buffer.from(KEY).toString('hex').replaceAll(/../g, '%$&')
    const places = [
      ...[`/${KEY}`, `/v1/forecasts/${KEY}`, `/v1/forecasts?key=${KEY}`],
      ...[`/v1/${KEY.slice(3, 15)}`, `/${encoded}`],
      `http://${KEY}@example.org/v1/health`,
    ]
    for (const path of places) {
      const names = ['X-Request-Id', 'User-Agent', 'Referer', 'X-Forwarded-For']
      const headers = Object.fromEntries(names.map((name) => [name, KEY]))
      const got = await served.get(path, { headers })
      expect(`${got.text} ${JSON.stringify(got.headers)}`).not.toContain(KEY.slice(0, 8))
    }
    await eventually(() => served.audit().length >= places.length)
    const said = `${served.auditText()} ${served.log} ${(await get(served.port, '/metrics')).text}`
    for (let at = 0; at + 8 <= KEY.length; at++) expect(said).not.toContain(KEY.slice(at, at + 8))
  })

  // With a secret they stay: test/process/service/keys.test.ts.
  it('has other fingerprints after a restart without a secret for them', async () => {
    const prints = new Set<unknown>()
    for (let start = 0; start < 2; start++) {
      served = await serve()
      await served.get('/v1/health')
      await eventually(() => served.audit().length === 1)
      prints.add(served.audit()[0]?.key_fingerprint)
    }
    expect(prints.size).toBe(2)
  })
})

describe('rotation', () => {
  it('by size keeps the wanted number of files, in whole lines, none above the size', async () => {
    served = await serve({ env: rotatedAt(4000, 2) })
    await ask(60)
    const folder = join(served.folder, 'audit')
    await eventually(() => served.auditText().includes('"request-59"'))
    const files = readdirSync(folder).sort()
    expect(files).toEqual(['reads.jsonl', 'reads.jsonl.1', 'reads.jsonl.2'])
    for (const text of files.map((file) => readFileSync(join(folder, file), 'utf8'))) {
      expect([text.length <= 4000, text.at(-1)]).toEqual([true, '\n'])
    }
    const turns = served.audit().map((line) => Number(String(line.request_id).slice(8)))
    // The youngest lines, none lost between files, in order.
    expect(turns).toEqual(turns.map((_, index) => 60 - turns.length + index))
    expect(turns.length).toBeGreaterThan(20)
    expect(await served.figure('audit_lines_rotated_away_total')).toBe(60 - turns.length)
  })

  it('by age moves an old file aside and removes what is older still', async () => {
    const old = '{"timestamp":"2020-01-01T00:00:00.000Z","path":"old"}\n'
    served = await serve({
      prepare: (folder) => {
        lying({ 'reads.jsonl': old, 'reads.jsonl.1': 'older\n' })(folder)
        utimesSync(join(folder, 'audit', 'reads.jsonl.1'), new Date(0), new Date(0))
      },
    })
    await served.get('/v1/health')
    await eventually(() => served.auditText().includes('/v1/health'))
    expect(readFileSync(`${served.auditPath}.1`, 'utf8')).toBe(old)
    expect(existsSync(`${served.auditPath}.2`)).toBe(false)
    expect(readFileSync(served.auditPath, 'utf8')).toContain('/v1/health')
  })

  it('takes no file away while a place is free, as after a try that failed half-way', async () => {
    const line = '{"timestamp":"2026-01-01T00:00:00.000Z","path":"before"}\n'
    served = await serve({
      env: rotatedAt(50, 3),
      prepare: lying({ 'reads.jsonl': line, 'reads.jsonl.1': '1\n', 'reads.jsonl.3': '3\n' }),
    })
    await eventually(() => existsSync(`${served.auditPath}.2`))
    await eventually(() => existsSync(`${served.auditPath}.1`) && existsSync(served.auditPath))
    const backups = [1, 2, 3].map((place) => readFileSync(`${served.auditPath}.${place}`, 'utf8'))
    expect(backups).toEqual([line, '1\n', '3\n'])
  })

  it('without backups starts over', async () => {
    served = await serve({ env: rotatedAt(1000, 0) })
    await ask(20)
    // While a full file makes room its name is gone for a moment: the last line says that this is over.
    await eventually(() => served.auditText().includes('"request-19"'))
    expect(readdirSync(join(served.folder, 'audit'))).toEqual(['reads.jsonl'])
    expect(statSync(served.auditPath).size).toBeLessThanOrEqual(1000)
  })
})

describe('what befalls an audit log', () => {
  it('that is a device: it is not moved aside', async () => {
    served = await serve({ env: rotatedAt(1000, 3), prepare: device('/dev/null') })
    await ask(40)
    expect(await served.stop()).toBe(0)
    expect(readdirSync(join(served.folder, 'audit'))).toEqual(['reads.jsonl'])
    expect(statSync(served.auditPath).isCharacterDevice()).toBe(true)
  })

  it('a kill under load tears the last line at most, and the next start leaves whole lines only', async () => {
    served = await serve()
    const killed = served
    const load = Array.from({ length: 8 }, async () => {
      while (!killed.child.killed)
        await killed.get('/v1/forecasts?limit=100').catch(() => undefined)
    })
    await eventually(() => killed.audit().length > 50)
    killed.child.kill('SIGKILL')
    await Promise.all([...load, killed.exited])
    // The system may stop in the middle of a write: what was whole before it stays as it is.
    const whole = killed.auditText().replace(/[^\n]*$/, '')
    served = await serve({
      prepare: (folder) => {
        cpSync(join(killed.folder, 'audit'), join(folder, 'audit'), { recursive: true })
        appendFileSync(join(folder, 'audit', 'reads.jsonl'), '{"path":"ha')
      },
    })
    await served.get('/v1/health')
    await eventually(() => served.audit().at(-1)?.path === '/v1/health')
    expect(served.auditText().startsWith(whole)).toBe(true)
    const lines = served.audit()
    expect(lines).toHaveLength(whole.split('\n').length)
    for (const line of lines) expect(checkPayload('audit-event', line)).toEqual([])
  })

  it('moved away by another: a new one is begun', async () => {
    served = await serve()
    await served.get('/v1/health')
    await eventually(() => served.audit().length === 1)
    renameSync(served.auditPath, `${served.auditPath}.moved`)
    await served.get('/v1/forecasts/latest')
    await eventually(() => existsSync(served.auditPath))
    await eventually(() => readFileSync(served.auditPath, 'utf8').includes('latest'))
    rmSync(join(served.folder, 'audit'), { recursive: true, maxRetries: 5 })
    await served.get('/v1/health')
    await eventually(() => existsSync(served.auditPath) && statSync(served.auditPath).size > 0)
  })

  it('a full disk fails no read, is counted, reported once, and recovers', async () => {
    // Every write to this device fails as on a full disk.
    served = await serve({ prepare: device('/dev/full') })
    for (let turn = 0; turn < 10; turn++) {
      expect((await served.get('/v1/forecasts/latest')).status).toBe(200)
    }
    await eventually(async () => (await served.figure('audit_write_failures_total')) >= 2)
    expect(served.events('audit-write-failed')).toHaveLength(1)
    rmSync(served.auditPath)
    // The lines that waited are written when there is room again.
    await eventually(() => existsSync(served.auditPath) && served.audit().length === 10)
    await served.logged('audit-recovered')
  })

  it('a disk that fills up in the middle of a line leaves whole lines, and the rest comes later', async () => {
    served = await serve({ fileBlocks: 6 })
    await Promise.all(
      Array.from({ length: 60 }, async () => {
        expect((await served.get('/v1/forecasts?limit=2')).status).toBe(200)
      }),
    )
    await failed()
    // Cut back by now; the next try, a second later, has a part of a line in the file for a moment.
    const ids = new Set<unknown>()
    await eventually(() => {
      const text = readFileSync(served.auditPath, 'utf8')
      if (!text.endsWith('\n')) return false
      expect(text.length).toBeLessThanOrEqual(6 * 512)
      for (const line of text.trimEnd().split('\n')) ids.add(JSON.parse(line).request_id)
      return true
    })
    expect(ids.size).toBeGreaterThan(0)
    // Room is made as often as it takes: each time the next lines follow, none twice and none lost.
    while (ids.size < 60) {
      rmSync(served.auditPath)
      // Read once: every try has a part of the next line in the file for a moment, until it is cut back.
      let more: unknown[] = []
      await eventually(() => {
        more = served.audit().map((line) => line.request_id)
        return more.length > 0
      })
      expect(more.every((id) => !ids.has(id))).toBe(true)
      for (const id of more) ids.add(id)
    }
    expect(await served.figure('audit_lines_dropped_total')).toBe(0)
  })

  it('a folder that cannot be made fails no read', async () => {
    served = await serve({
      prepare: (folder) => writeFileSync(join(folder, 'audit'), 'a file, not a folder'),
    })
    expect((await served.get('/v1/health')).status).toBe(200)
    await failed()
    rmSync(join(served.folder, 'audit'))
    await eventually(() => existsSync(served.auditPath) && served.audit().length === 1)
  })
})

const onPipe = (env: NodeJS.ProcessEnv = {}) =>
  serve({
    env,
    prepare: (folder) => {
      mkdirSync(join(folder, 'audit'))
      execFileSync('mkfifo', [join(folder, 'audit', 'reads.jsonl')])
    },
  })

/** The other end of the pipe, opened without waiting for the service. */
function reader() {
  const end = openSync(served.auditPath, constants.O_RDONLY | constants.O_NONBLOCK)
  const buffer = Buffer.alloc(65_536)
  return {
    /** What is in the pipe by now. */
    read(): string {
      try {
        return buffer.toString('latin1', 0, readSync(end, buffer))
      } catch {
        return ''
      }
    },
    close: () => closeSync(end),
  }
}

const idsOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => String(JSON.parse(line).request_id))

describe('an audit log that blocks', () => {
  it('keeps no request and no stop waiting: a pipe without a reader', async () => {
    served = await onPipe()
    expect((await served.get('/v1/health')).status).toBe(200)
    await failed()
    expect((await get(served.port, '/livez')).status).toBe(200)
    expect(await served.stop()).toBe(0)
    expect(served.events('audit-lines-lost')).toMatchObject([{ lines: 1 }])
  })

  it('ends on the second signal, also while it waits', async () => {
    served = await onPipe({ BTC_FORECAST_API_DRAIN_SECONDS: '600' })
    served.child.kill('SIGTERM')
    await served.logged('stopping')
    await eventually(() => {
      served.child.kill('SIGTERM')
      return served.child.signalCode !== null || served.child.exitCode !== null
    })
    expect(served.child.signalCode).toBe('SIGTERM')
  })

  it('is written when it has a reader at last, and again after that one has gone', async () => {
    served = await onPipe()
    const sent: (string | undefined)[] = []
    const ask = async () => {
      sent.push((await served.get('/v1/health')).headers['x-request-id'])
    }
    await ask()
    await failed()
    let end = reader()
    let text = ''
    const reads = (lines: number) =>
      eventually(() => {
        text += end.read()
        return idsOf(text).length === lines
      })
    await reads(1)
    await ask()
    await reads(2)
    end.close()
    await ask()
    end = reader()
    await reads(3)
    end.close()
    expect(idsOf(text)).toEqual(sent)
  })

  it('loses no line and tears none where its reader is slower than the service', async () => {
    served = await onPipe()
    const slow = reader()
    const ids: (string | undefined)[] = []
    // Each line has the ids of a hundred forecasts: far more than the 64 KiB that a pipe holds.
    for (let turn = 0; turn < 60; turn++) {
      ids.push((await served.get('/v1/forecasts?limit=100')).headers['x-request-id'])
    }
    await failed()
    let text = ''
    await eventually(() => {
      text += slow.read()
      return text.endsWith('\n') && idsOf(text).length === 60
    })
    slow.close()
    expect(idsOf(text)).toEqual(ids)
  })
})
