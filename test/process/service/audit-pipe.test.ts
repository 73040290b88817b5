import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdirSync, openSync, readSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { get } from '../../support/service/http.js'
import { eventually, type Served, serve } from '../../support/service/serve.js'

let served: Served

const onPipe = (env: NodeJS.ProcessEnv = {}) =>
  serve({
    env,
    prepare: (folder) => {
      mkdirSync(join(folder, 'audit'))
      execFileSync('mkfifo', [join(folder, 'audit', 'reads.jsonl')])
    },
  })

const failed = () => served.logged('audit-write-failed')

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

const pathsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
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
        return pathsOf(text).length === lines
      })
    await reads(1)
    await ask()
    await reads(2)
    end.close()
    await ask()
    end = reader()
    await reads(3)
    end.close()
    expect(pathsOf(text)).toEqual(sent)
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
      return text.endsWith('\n') && pathsOf(text).length === 60
    })
    slow.close()
    expect(pathsOf(text)).toEqual(ids)
  })
})

describe('a path that cannot be made', () => {
  it('is reported, spins no thread, and stops like any other', async () => {
    // The system answers there as if the folder above were missing, though it is not.
    served = await serve({ env: { BTC_FORECAST_API_AUDIT_LOG: '/proc/nope/deep/reads.jsonl' } })
    expect((await served.get('/v1/health')).status).toBe(200)
    await failed()
    expect(await served.stop()).toBe(0)
    rmSync(join(served.folder, 'audit'), { recursive: true, force: true })
  })
})
