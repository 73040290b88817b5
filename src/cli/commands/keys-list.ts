import { EXIT } from '../../contract/error.js'
import { type Instant, instantOf } from '../../contract/instant.js'
import { printableJson } from '../../contract/printable.js'
import { type KeyEntry, readKeysFile } from '../../service/keys/key-file.js'
import { command } from '../command.js'
import { withTextOrJson } from '../options/common.js'
import { demandKeysPath, withKeys } from '../options/keys.js'
import { columns, grouped } from '../wording.js'

export default command({
  positionals: '',
  describe: 'List the keys of a keys file by name: limits, ends, what has expired',
  examples: [['foreproof keys list --keys keys.json', 'One line a key']],
  options: (yargs) => withTextOrJson(withKeys(yargs)),
  run: ({ keys: given, format }, { env, stdout, now }) => {
    const at = now()
    const keys = readKeysFile(demandKeysPath(given, env)).map((key) => ({
      name: key.name,
      rate_limit: key.rate_limit ?? null,
      created_at: key.created_at ?? null,
      expires_at: key.expires_at ?? null,
      expired: hasExpired(key, at),
    }))
    if (format === 'json') {
      stdout.write(`${printableJson({ keys }, 2)}\n`)
      return EXIT.holds
    }
    const rows = keys.map(({ name, rate_limit: limit, created_at, expires_at, expired }) => [
      name,
      limit === null ? '-' : grouped(limit),
      created_at ?? '-',
      `${expires_at ?? '-'}${expired ? ' (expired)' : ''}`,
    ])
    stdout.write(`${columns([['name', 'limit', 'created', 'expires'], ...rows]).join('\n')}\n`)
    return EXIT.holds
  },
})

function hasExpired({ expires_at }: KeyEntry, now: Instant): boolean {
  const end = instantOf(expires_at)
  return end !== undefined && end <= now
}
