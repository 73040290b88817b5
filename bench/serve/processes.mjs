// The service, and the limit it is held against, each in a process of its own.
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const BIN = fileURLToPath(new URL('../../bin/foreproof.js', import.meta.url))
const BARE = fileURLToPath(new URL('./bare.mjs', import.meta.url))
const BARE_POSTGRES = fileURLToPath(new URL('./bare-postgres.mjs', import.meta.url))
export const KEY = 'bench-key-0123456789abcdef'

const closed = { health: 'healthy', circuit_state: 'closed' }

function portOf(child, stream, pattern) {
  return new Promise((resolve, reject) => {
    let text = ''
    child[stream].on('data', (chunk) => {
      text += chunk
      const found = pattern.exec(text)
      if (found) resolve(Number(found[1]))
    })
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${text}`)))
  })
}

function running(child, port) {
  const exited = new Promise((resolve) => {
    child.once('exit', resolve)
  })
  return {
    port,
    pid: child.pid,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** The service as an operator runs it, audit log on; only the rate limit is out of the way. */
export async function startService(folder, history) {
  const health = join(folder, 'health.json')
  writeFileSync(
    health,
    JSON.stringify({ overall_health: 'healthy', stages: { forecast: closed, history: closed } }),
  )
  const child = spawn(process.execPath, [BIN, 'serve', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      BTC_FORECAST_API_KEYS: KEY,
      BTC_FORECAST_HISTORY_DB: history,
      BTC_PIPELINE_HEALTH_STATE: health,
      BTC_FORECAST_API_AUDIT_LOG: join(folder, 'audit', 'reads.jsonl'),
      BTC_FORECAST_API_RATE_LIMIT: '10000000',
      BTC_FORECAST_API_DRAIN_SECONDS: '0',
    },
  })
  return running(child, await portOf(child, 'stderr', /"event":"listening".*"port":(\d+)/))
}

/** A bare node:http server that sends the same headers and bytes to every request. */
export async function startBare(folder, answer) {
  const file = join(folder, 'answer.json')
  writeFileSync(file, JSON.stringify(answer))
  const child = spawn(process.execPath, [BARE, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  return running(child, await portOf(child, 'stdout', /port (\d+)/))
}

/** A bare node:http server that asks PostgreSQL for each page that it sends. @param bytes - of an answer. */
export async function startBarePostgres(url, schema, bytes) {
  const args = [BARE_POSTGRES, url, schema, String(bytes)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return running(child, await portOf(child, 'stdout', /port (\d+)/))
}

/** One answer of the service: its body and the headers it does not leave to node:http. */
export async function answerOf(port, path) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { Authorization: `Bearer ${KEY}`, 'Accept-Encoding': 'identity' },
  })
  if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
  const ofNode = new Set(['date', 'connection', 'keep-alive'])
  const headers = [...response.headers].filter(([name]) => !ofNode.has(name)).flat()
  return { headers, body: await response.text() }
}
