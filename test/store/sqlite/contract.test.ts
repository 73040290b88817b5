import { openHistoryWriter } from '../../../src/store/open.js'
import { EPOCH, opened } from '../../history/support.js'
import { freshPaths } from '../../support/folder.js'
import { storeContract } from '../store-contract.js'

const fresh = freshPaths()

storeContract('SQLite', () => {
  const path = fresh()
  return {
    reader: () => opened(path),
    writer: (version) => openHistoryWriter(path, EPOCH * 1000, version),
  }
})
