import { afterAll, describe, expect, it } from 'vitest'
import { initHistory } from '../../src/history/init.js'
import { openHistory, openHistoryWriter } from '../../src/history/store/open.js'
import { storeContract } from '../history/store-contract.js'
import { EPOCH } from '../history/support.js'
import { startPostgres } from './servers.js'

const server = await startPostgres()
afterAll(() => server.remove())
const database = server.database()
let histories = 0

storeContract('PostgreSQL', () => {
  const url = `${database}?schema=history_${++histories}`
  return {
    reader: () => openHistory(url),
    async writer() {
      await initHistory(url)
      return openHistoryWriter(url, EPOCH * 1000)
    },
  }
})

describe('what was committed last', () => {
  const schema = 'followed'
  const url = `${database}?schema=${schema}`
  const name = new URL(database).pathname.slice(1)
  const revision = (to?: string) => {
    if (to !== undefined) server.sql(`UPDATE ${schema}.state SET revision = ${to}`, name)
    return Number(server.sql(`SELECT revision FROM ${schema}.state`, name))
  }
  const commit = async () => {
    const writer = await openHistoryWriter(url, EPOCH * 1000)
    await writer.begin()
    await writer.commit()
    await writer.close()
  }

  it('has no number that comes again where a failover lost it, nor where the clock was put back', async () => {
    await initHistory(url)
    await commit()
    const before = revision()
    const reader = openHistory(url)
    await commit()
    const lost = await reader.version()
    // A server that never heard of that commit, and is written to before anybody asks it.
    revision(String(before))
    await commit()
    expect(await reader.version()).not.toEqual(lost)
    const ahead = revision('revision + 86400000000')
    await commit()
    expect(revision()).toBe(ahead + 1)
    expect(await reader.version()).toMatchObject({ revision: ahead + 1 })
    await reader.close()
  })
})
