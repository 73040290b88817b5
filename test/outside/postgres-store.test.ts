import { afterAll } from 'vitest'
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
