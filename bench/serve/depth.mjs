// Does the cost of a page depend on where it lies?
import { encodeCursor } from '../../dist/service/api/cursor.js'
import { median, promise } from '../parts/measured.mjs'
import { Client } from './client.mjs'

const NAMES = { model: 'model', horizonHours: 'horizon_hours', runId: 'run_id' }

const pageOf = (filters) =>
  Object.entries(filters).reduce(
    (path, [name, value]) => `${path}&${NAMES[name]}=${value}`,
    '/v1/forecasts?limit=50',
  )

/** A page of 50 that follows a row. */
export function pathOf(filters, key) {
  const cursor = encodeCursor(filters, ['', ''], { last: key, newest: key.origin })
  return `${pageOf(filters)}&cursor=${cursor}`
}

/** A page that nothing is on: of another run each time, so that none was kept. */
function emptyPath(filters, at) {
  const ahead = Object.keys(filters).length === 0 ? '&origin_from=2200-01-01T00:00:00Z' : ''
  return `${pageOf({ ...filters, runId: `none-${at}` })}${ahead}`
}

/**
 * Asks for pages near the start and deep down in turns, each once, so that none was kept; medians by the clock.
 * @param keys - `near` and `deep`: the rows that pages follow.
 * @param indexed - whether what is nowhere is found missing by an index.
 */
export async function compareDepth(port, name, filters, { near, deep }, indexed) {
  const times = { near: [], deep: [], none: [] }
  const client = new Client(port)
  const timed = async (place, path) => {
    const began = performance.now()
    await client.get(path)
    times[place].push(performance.now() - began)
  }
  for (const [at, first] of near.entries()) {
    const pair = [
      ['near', first],
      ['deep', deep[at]],
    ]
    // Whichever comes first after another kind of query finds colder caches: they take turns.
    for (const [place, key] of at % 2 === 0 ? pair : pair.reverse()) {
      await timed(place, pathOf(filters, key))
    }
    if (indexed) await timed('none', emptyPath(filters, at))
  }
  client.close()
  const [start, depth, none] = [times.near, times.deep, times.none].map(median)
  promise('page at 99 % / at the start', depth / start, { least: 0.8, most: 1.2, of: name })
  if (indexed) promise('page of nothing / at the start', none / start, { most: 1.2, of: name })
}
