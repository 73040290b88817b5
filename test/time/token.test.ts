import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAuthority } from '../../src/cli/demo/authority.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { readAnchors } from '../../src/time/rfc3161/anchors.js'
import { timeStampQuery } from '../../src/time/rfc3161/structures.js'
import { latest } from '../../src/time/rfc3161/types.js'
import { verifyToken } from '../../src/time/rfc3161/verify-token.js'
import { temporaryFolder } from '../support/folder.js'

const AT = checkedInstant('2026-11-22T10:00:03.25Z')
const DATA = Buffer.from('{"kind":"registration"}')

test('a stamp of the authority of the demo is read', async () => {
  const authority = await createAuthority({ name: 'Example', now: () => AT })
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'example.pem'), authority.anchorPem)
  const query = timeStampQuery(DATA, Uint8Array.of(0x80, 2, 3, 4, 5, 6, 7, 8))
  const token = await authority.reply(query)
  const result = await verifyToken(token, DATA, readAnchors(folder), { file: 'a.tsr', query })
  expect(result).toMatchObject({
    ...{ ok: true, findings: [] },
    stamp: {
      ...{ authority: 'example', genTime: AT, accuracy: 1_000_000 },
      ...{ imprint: 'SHA-256', revocation: 'not_checked' },
    },
  })
  expect(result.ok && latest(result.stamp)).toBe(AT + 1_000_000)
})
