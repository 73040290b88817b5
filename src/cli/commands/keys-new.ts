import { addKey, createKey } from '../../service/keys/key-store.js'
import { command } from '../command.js'
import { KEYS } from '../keys.js'
import { aNumber, anInstant, needed, readAs, TEXT_OR_JSON, usage } from '../options.js'

const MOST_REQUESTS = 10_000_000

export default command({
  positionals: '<name>',
  examples: {
    'foreproof keys new alice --keys keys.json': 'Add it; the running service takes it at once',
    'foreproof keys new bob --limit 600 --expires 2030-01-01 --keys keys.json': 'With an end',
  },
  options: {
    keys: KEYS,
    format: TEXT_OR_JSON,
    name: needed('Who will hold it, as metrics name it'),
    limit: readAs(aNumber('Requests per window; the limit of the service unless given'), limitIn),
    expires: anInstant('When it ends'),
  },
  run: ({ name, limit: rateLimit, expires, keys }, { answer, stderr, now }) => {
    const { key, entry } = createKey({ name, rateLimit, expires, now: now() })
    addKey(keys, entry)
    stderr.write(`Added to ${keys}. The key is shown this once: nothing keeps it.\n`)
    return answer({ key, entry }, key)
  },
})

function limitIn(limit: number): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST_REQUESTS) return limit
  throw usage(
    '--limit is not a number of requests',
    `Give a whole number from 1 to ${MOST_REQUESTS}.`,
  )
}
