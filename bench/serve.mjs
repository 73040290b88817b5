// The dynamic service against a bare node:http server that sends the same bytes, in one run:
//   node bench/serve.mjs [--rows 1000000] [--seconds 4] [--rounds 5]
// 32 connections, audit log on. Exits 1 when a promise is not kept. Needs `npm run build`, and a quiet
// machine of two cores: one for the server, one for the load.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client, median, nextCursor } from './serve/client.mjs'
import { makeHistory } from './serve/history.mjs'
import { CONNECTIONS, load, WITH_WRK } from './serve/load.mjs'
import { answerOf, startBare, startService } from './serve/processes.mjs'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
  },
})
const ROWS = Number(values.rows)
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)

const ROUTES = [
  { path: '/v1/forecasts/latest', least: 0.6 },
  { path: '/v1/forecasts?limit=50', least: 0.25 },
]
const WALK_LEAST = 0.1
const GZIP = { path: '/v1/forecasts?limit=50', least: 0.5 }
const TAIL = 3

const folder = mkdtempSync(join(tmpdir(), 'foreproof-bench-'))
const whole = (value) => Math.round(value).toLocaleString('en')
let kept = true

function promise(holds, text) {
  kept &&= holds
  console.log(`${holds ? 'ok  ' : 'MISS'} ${text}`)
}

async function compare(service, { path, least }) {
  const bare = await startBare(folder, 'answer', await answerOf(service.port, path))
  await load(bare.port, '/', 1)
  await load(service.port, path, 1)
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const limit = await load(bare.port, '/', SECONDS)
    const ours = await load(service.port, path, SECONDS)
    const tails = { tail: ours.p99 / ours.p50, bareTail: limit.p99 / limit.p50 }
    rounds.push({ ratio: ours.rate / limit.rate, ...tails })
  }
  await bare.stop()
  // The median round: a neighbour on the machine spoils single ones.
  const ratio = median(rounds.map((round) => round.ratio))
  const tail = median(rounds.map((round) => round.tail))
  promise(
    ratio >= least,
    `${path}: ${Math.round(100 * ratio)} % of the bare server's requests (at least ${100 * least} %)`,
  )
  // What the bare server shows of the same kind is the machine's own.
  const bareTail = median(rounds.map((round) => round.bareTail))
  promise(
    tail < TAIL,
    `${path}: p99 is ${tail.toFixed(1)} times the median (below ${TAIL}; bare ${bareTail.toFixed(1)})`,
  )
}

/** Compressed answers against the same ones as they are. */
async function compareGzip({ port }, { path, least }) {
  await load(port, path, 1, 'gzip')
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await load(port, path, SECONDS)
    const gzip = await load(port, path, SECONDS, 'gzip')
    rounds.push({ ratio: gzip.rate / plain.rate, tail: gzip.p99 / plain.p99 })
  }
  const ratio = median(rounds.map((round) => round.ratio))
  const tail = median(rounds.map((round) => round.tail))
  promise(
    ratio >= least,
    `${path} in gzip: ${Math.round(100 * ratio)} % of the requests without (at least ${100 * least} %); ` +
      `p99 ${tail.toFixed(1)} times as long`,
  )
}

/** Pages a second: a walk through everything, or as many requests of a bare server for one such page. */
async function walk({ port }, pages) {
  const client = new Client(port)
  const began = performance.now()
  let walked = 0
  let cursor = ''
  do {
    const tail = await client.get(`/v1/forecasts?limit=100${cursor && `&cursor=${cursor}`}`)
    cursor = nextCursor(tail)
    walked++
  } while (walked < pages)
  client.close()
  return walked / ((performance.now() - began) / 1000)
}

try {
  const history = join(folder, 'history.sqlite')
  makeHistory(history, ROWS)
  const service = await startService(folder, history)
  console.log(
    `${whole(ROWS)} rows, ${CONNECTIONS} connections, ${WITH_WRK ? 'wrk' : 'autocannon'}, ` +
      `${ROUNDS} rounds of ${SECONDS} s each`,
  )
  for (const route of ROUTES) await compare(service, route)
  await compareGzip(service, GZIP)
  const pages = Math.floor(ROWS / 100)
  const bare = await startBare(
    folder,
    'page',
    await answerOf(service.port, '/v1/forecasts?limit=100'),
  )
  const ratios = []
  for (let round = 0; round < 3; round++) {
    const limit = await walk(bare, pages)
    ratios.push((await walk(service, pages)) / limit)
  }
  await bare.stop()
  const ratio = median(ratios)
  promise(
    ratio >= WALK_LEAST,
    `a walk over everything at limit=100: ${Math.round(100 * ratio)} % of a bare server that sends one page ` +
      `again and again (at least ${100 * WALK_LEAST} %)`,
  )
  await service.stop()
} finally {
  rmSync(folder, { recursive: true })
}
process.exitCode = kept ? 0 : 1
