import { join } from 'node:path'
import { openHistoryWriter } from '../../../src/store/open.js'
import { EPOCH, opened } from '../../history/support.js'
import { temporaryFolder } from '../../support/folder.js'
import { storeContract } from '../store-contract.js'

const folder = temporaryFolder()
let files = 0

storeContract('SQLite', () => {
  const path = join(folder, `${++files}.sqlite`)
  return {
    reader: () => opened(path),
    writer: (version) => openHistoryWriter(path, EPOCH * 1000, version),
  }
})
