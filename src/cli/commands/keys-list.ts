import { type Instant, parseInstant } from '../../contract/instant.js'
import { variableOrFile } from '../../files/variable.js'
import { SECRETS } from '../../service/config/settings.js'
import { type KeyEntry, readKeysFile } from '../../service/keys/key-store.js'
import { computeFingerprint } from '../../service/keys/keys.js'
import { command } from '../command.js'
import { KEYS } from '../keys.js'
import { TEXT_OR_JSON } from '../options.js'
import { alignColumns, grouped } from '../wording.js'

const HEADINGS = ['name', 'fingerprint', 'limit', 'created', 'expires']

export default command({
  examples: { 'foreproof keys list --keys keys.json': 'One line a key' },
  options: {
    keys: KEYS,
    format: TEXT_OR_JSON,
  },
  run: ({ keys: path }, { env, answer, stderr, now }) => {
    const at = now()
    const secret = variableOrFile(env, SECRETS.fingerprintSecret)
    if (secret === undefined) {
      const { fingerprintSecret } = SECRETS
      stderr.write(`Fingerprints are not shown: set ${fingerprintSecret} to that of the service.\n`)
    }
    const keys = readKeysFile(path).map((key) => ({
      name: key.name,
      fingerprint: secret === undefined ? null : computeFingerprint(key.sha256, secret),
      rate_limit: key.rate_limit ?? null,
      created_at: key.created_at ?? null,
      expires_at: key.expires_at ?? null,
      expired: hasExpired(key, at),
    }))
    const rows = keys.map(({ name, fingerprint, rate_limit: limit, ...key }) => [
      name,
      fingerprint ?? '-',
      limit === null ? '-' : grouped(limit),
      key.created_at ?? '-',
      `${key.expires_at ?? '-'}${key.expired ? ' (expired)' : ''}`,
    ])
    return answer({ keys }, alignColumns([HEADINGS, ...rows]).join('\n'))
  },
})

function hasExpired({ expires_at }: KeyEntry, now: Instant): boolean {
  const end = parseInstant(expires_at)
  return end !== undefined && end <= now
}
