import { ForeproofError } from '../contract/error.js'
import type { FaultLog } from './fault-log.js'
import type { Metrics } from './health/metrics.js'
import { acceptedKey, type KeyEntry } from './keys/key-file.js'
import type { AcceptedKey } from './keys/keys.js'
import { KeysWatch } from './keys/keys-watch.js'
import { faultText, type Logger } from './log.js'

export interface KeysParts {
  readonly logger: Logger
  readonly faults: FaultLog
  readonly metrics: Metrics
  readonly acceptKeys: (keys: readonly AcceptedKey[]) => void
}

/**
 * Watches the keys file of a service: what it holds is in force, and what is wrong with it is told. Begins to
 * look when it is started.
 * @param first - what the file held when it was read.
 */
export function watchKeys(path: string, first: readonly KeyEntry[], parts: KeysParts): KeysWatch {
  const { logger, faults, metrics, acceptKeys } = parts
  let names = new Set(first.map(({ name }) => name))
  const mended = () => {
    metrics.keys.broken.set(0)
    faults.over('keys file', 'keys-file-mended', 'the keys file can be read again')
  }
  return new KeysWatch(path, first, {
    changed(keys) {
      acceptKeys(keys.map(acceptedKey))
      const before = names
      names = new Set(keys.map(({ name }) => name))
      const added = [...names].filter((name) => !before.has(name)).length
      const removed = [...before].filter((name) => !names.has(name)).length
      mended()
      const fields = { file: path, keys: keys.length, added, removed }
      logger.log('info', 'keys-read', 'the keys of the file are in force', fields)
      if (keys.length === 0) {
        logger.log('warn', 'no-keys', 'the keys file holds no key: nobody can read', { file: path })
      }
    },
    mended,
    broken(cause) {
      metrics.keys.broken.set(1)
      const help = cause instanceof ForeproofError ? cause.help : undefined
      const text = `keys stay as they were: ${faultText(cause)}`
      faults.met('keys file', 'keys-file-broken', text, { file: path, help })
    },
    open(rights) {
      const message = `every user of this machine may ${rights} the keys file`
      const help = `chmod o= ${path}`
      logger.log('warn', 'keys-file-open', message, { file: path, help })
    },
  })
}
