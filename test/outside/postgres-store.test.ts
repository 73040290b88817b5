import { describe, expect, it } from 'vitest'
import { initHistory, openHistoryWriter } from '../../src/store/open.js'
import { openPool } from '../../src/store/postgres/pool.js'
import { EPOCH, inTransaction, opened } from '../history/support.js'
import { storeContract } from '../store/store-contract.js'
import { eventually } from '../support/service/serve.js'
import { startPostgres } from './servers.js'

const server = await startPostgres()
const database = server.database()
let histories = 0

storeContract('PostgreSQL', () => {
  // A name that has to be quoted wherever it is.
  const url = `${database}?schema=${encodeURIComponent(`my "own" $${++histories}`)}`
  return {
    reader: () => opened(url),
    async writer(version) {
      await initHistory(url)
      return openHistoryWriter(url, EPOCH * 1000, version)
    },
  }
})

describe('a pool whose connections break', () => {
  it('answers what was asked, also what waits for a connection', async () => {
    const pool = openPool(database, { pool: 2 })
    const ofPool = `FROM pg_stat_activity WHERE application_name = 'foreproof' AND query LIKE '%pg_sleep%'`
    const asked = Array.from({ length: 6 }, (_, n) => pool.ask(`SELECT ${n}, pg_sleep(0.5)::text`))
    const answers = Promise.all(asked)
    await eventually(() => server.sql(`SELECT count(*) ${ofPool}`) === '2')
    server.sql(`SELECT pg_terminate_backend(pid) ${ofPool}`)
    expect((await answers).map(([row]) => row?.[0])).toEqual([0, 1, 2, 3, 4, 5])
    await pool.close()
    await eventually(() => server.sql(`SELECT count(*) ${ofPool}`) === '0')
  })
})

describe('what was committed last', () => {
  const schema = 'followed'
  const url = `${database}?schema=${schema}`
  const name = new URL(database).pathname.slice(1)
  const revision = (to?: string) => {
    if (to !== undefined) server.sql(`UPDATE ${schema}.state SET revision = ${to}`, name)
    return Number(server.sql(`SELECT revision FROM ${schema}.state`, name))
  }
  const commit = () => inTransaction(openHistoryWriter(url, EPOCH * 1000), async () => undefined)

  it('has no number that comes again where a failover lost it, nor where the clock was put back', async () => {
    await initHistory(url)
    await commit()
    const before = revision()
    const reader = opened(url)
    await commit()
    const lost = await reader.version()
    // A server that never heard of that commit, and is written to before it is asked.
    revision(String(before))
    await commit()
    expect(await reader.version()).not.toEqual(lost)
    const ahead = revision('revision + 86400000000')
    await commit()
    expect(revision()).toBe(ahead + 1)
    expect(await reader.version()).toMatchObject({ revision: ahead + 1 })
  })
})
