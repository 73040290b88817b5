/**
 * The dynamic service, audit log on, against a bare node:http server that sends the same bytes: processor time for a
 * request at 32 connections, latency, and a walk through everything. Needs wrk, Linux, and for the latency a
 * quiet machine of two cores: one for the server, one for the load.
 */
import { join } from 'node:path'
import { addRows, servedRows } from './parts/made-forecasts.mjs'
import { inFolder, inTurns, median, promise, sizes } from './parts/measured.mjs'
import { Client, nextCursor } from './serve/client.mjs'
import { compareLoads } from './serve/load.mjs'
import { answerOf, startBare, startService } from './serve/processes.mjs'

const { rows, ...load } = sizes({ rows: [1_000_000, 2000], seconds: [4, 1], rounds: [5, 1] })
const PAGE = '/v1/forecasts?limit=50'
const WALKED = '/v1/forecasts?limit=100'
const LEAST = { '/v1/forecasts/latest': 0.3, [PAGE]: 0.25 }

/** Milliseconds of a walk through everything; a bare server sends one page as often. */
async function walk({ port }, pages) {
  const client = new Client(port)
  const began = performance.now()
  let cursor = ''
  for (let page = 0; page < pages; page++) {
    const tail = await client.get(`${WALKED}${cursor && `&cursor=${cursor}`}`)
    cursor = nextCursor(tail)
  }
  client.close()
  return performance.now() - began
}

await inFolder(async (folder) => {
  const history = join(folder, 'history.sqlite')
  addRows(history, servedRows(rows))
  const service = await startService(folder, history)
  const bareOf = async (path) => startBare(folder, await answerOf(service.port, path))
  for (const [path, least] of Object.entries(LEAST)) {
    const bare = await bareOf(path)
    const loads = { bare: [bare, [path]], ours: [service, [path]] }
    const { bare: limit, ours } = await compareLoads(load, loads)
    const cost = `${ours.micros.toFixed(0)} µs a request, ${limit.micros.toFixed(0)} bare`
    promise(`bare / ${path}`, limit.micros / ours.micros, { least, of: cost })
    const tails = `${path}, ${ours.tail.toFixed(1)} and ${limit.tail.toFixed(1)}`
    promise('p99 / median, ours / bare', ours.tail / limit.tail, { most: 2.5, of: tails })
    await bare.stop()
  }
  const forms = { plain: [service, [PAGE]], gzip: [service, [PAGE], 'gzip'] }
  const { plain, gzip } = await compareLoads(load, forms)
  promise('page of 50, plain / gzip', plain.micros / gzip.micros, { least: 0.5 })

  const bare = await bareOf(WALKED)
  const { limit, ours } = await inTurns(load.rounds, {
    limit: () => walk(bare, rows / 100),
    ours: () => walk(service, rows / 100),
  })
  promise('walk, bare / ours', median(limit) / median(ours), { least: 0.1 })
  await bare.stop()
  await service.stop()
})
