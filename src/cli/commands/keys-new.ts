import { ForeproofError } from '../../contract/error.js'
import { addKey, makeKey } from '../../service/keys/key-store.js'
import { command } from '../command.js'
import { KEYS, keysPath } from '../keys.js'
import { aNumber, anInstant, instantOption, needed, TEXT_OR_JSON } from '../options.js'
import { printAnswer } from '../wording.js'

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
    limit: aNumber('Requests per window; the limit of the service unless given'),
    expires: anInstant('When it ends'),
  },
  run: ({ name, limit, expires, keys, format }, { env, stdout, stderr, now }) => {
    const path = keysPath(keys, env)
    const { key, entry } = makeKey({
      name,
      rateLimit: checkLimit(limit),
      expires: instantOption('expires', expires),
      now: now(),
    })
    addKey(path, entry)
    stderr.write(`Added to ${path}. The key is shown this once: nothing keeps it.\n`)
    return printAnswer({ stdout }, format, { key, entry }, key)
  },
})

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined) return undefined
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= MOST_REQUESTS) return limit
  throw new ForeproofError('usage', '--limit is not a number of requests', {
    help: `Give a whole number from 1 to ${MOST_REQUESTS}.`,
  })
}
