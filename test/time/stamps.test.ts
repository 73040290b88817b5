import { copyFileSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DemoAuthority } from '../../src/cli/demo/authority.js'
import { formatMessage } from '../../src/contract/findings/finding.js'
import { checkedInstant } from '../../src/contract/instant.js'
import { ledgerLevels, levelText } from '../../src/time/level.js'
import { readStamps, tokenFile } from '../../src/time/token-file.js'
import { put } from '../support/text-file.js'
import { entryOf, frozenFolder, ledgerIn, putToken, trustedAuthority } from './stamped-folder.js'

const EARLY = checkedInstant('2026-11-22T10:00:00.25Z')
const LATE = checkedInstant('2026-11-22T11:00:00Z')

describe('readStamps', () => {
  const clock = { now: EARLY }
  let folder: string
  let alpha: DemoAuthority
  let beta: DemoAuthority

  beforeAll(async () => {
    folder = frozenFolder(3)
    alpha = await trustedAuthority(folder, 'alpha', clock)
    beta = await trustedAuthority(folder, 'beta', clock)
  })

  const found = async () => {
    const { stamps, findings } = await readStamps(folder, ledgerIn(folder))
    return {
      stamps: stamps.map(({ seq, authority }) => `${seq} ${authority}`),
      findings: findings.map(({ code, severity, file, position }) => {
        const place = relative(folder, file ?? '').replace(/[0-9a-f]{64}/, 'ENTRY')
        return `${severity} ${code} ${place}${position ? `:${position.line}` : ''}`
      }),
    }
  }

  it('finds none where there are none, and knows the anchors', async () => {
    const { authorities, ...rest } = await readStamps(folder, ledgerIn(folder))
    expect(rest).toEqual({ stamps: [], findings: [] })
    expect(authorities.map(({ name }) => name)).toEqual(['alpha', 'beta'])
    const bare = frozenFolder(1)
    expect((await readStamps(bare, ledgerIn(bare))).authorities).toEqual([])
  })

  it('reads each token with its entry; a later entry covers those before', async () => {
    await putToken(folder, 1, 'alpha', alpha)
    clock.now = LATE
    await putToken(folder, 2, 'alpha', alpha)
    await putToken(folder, 2, 'beta', beta)
    const { stamps, authorities, findings } = await readStamps(folder, ledgerIn(folder))
    expect(findings).toEqual([])
    const times = stamps.map(({ seq, genTime }) => `${seq} ${genTime}`)
    expect(times.sort()).toEqual([`1 ${EARLY}`, `2 ${LATE}`, `2 ${LATE}`])
    for (const { seq, entrySha256 } of stamps) {
      expect(entrySha256).toBe(entryOf(folder, seq).entry_sha256)
    }
    const levels = ledgerLevels(3, stamps, authorities)
    const [a, b] = authorities.map((of) => `${of.name} ${of.anchor_sha256.slice(0, 32)}…`)
    expect(levels.map(({ from, to, level }) => `${from} ${to} ${levelText(level)}`)).toEqual([
      `1 1 stamped by 2 of 2 (${a}, ${b}), 2026-11-22T10:00:00.250000Z ± 1 s; anchors chosen by the writer`,
      `2 2 stamped by 2 of 2 (${a}, ${b}), 2026-11-22T11:00:00Z ± 1 s; anchors chosen by the writer`,
      '3 3 self-declared',
    ])
  })

  it('reports what does not belong there, and counts what does', async () => {
    const good = tokenFile(folder, entryOf(folder, 1), 'alpha')
    const at = (name: string) => tokenFile(folder, entryOf(folder, 3), name)
    put(at('alpha').replace('.tsr', '.txt'), 'a note')
    mkdirSync(at('folder'))
    copyFileSync(good, at('nobody'))
    put(join(folder, 'stamps', 'README'), 'a note')
    put(join(folder, 'stamps', 'f'.repeat(64), 'alpha.tsr'), 'of an entry that is no more')
    expect(await found()).toEqual({
      stamps: expect.arrayContaining(['1 alpha', '2 alpha', '2 beta']),
      findings: expect.arrayContaining([
        'warning stamp-file-unknown stamps/README',
        'warning stamp-file-unknown stamps/ENTRY',
        'warning stamp-file-unknown stamps/ENTRY/alpha.txt',
        'warning stamp-file-unknown stamps/ENTRY/folder.tsr',
        'error stamp-misnamed stamps/ENTRY/nobody.tsr',
        'error stamp-not-counted ledger.jsonl:3',
      ]),
    })
    const { findings } = await readStamps(folder, ledgerIn(folder))
    const unknown = findings.filter(({ code }) => code === 'stamp-file-unknown')
    expect(unknown.map((each) => formatMessage(each).text).sort()).toEqual([
      'this folder has the name of no entry of the ledger',
      'this is a file, where folders named after entries of the ledger lie',
      'this is a folder, where a stamp is a file',
      'this is no stamp: its name is not that of an authority with .tsr',
    ])
    for (const name of ['README', 'f'.repeat(64), entryOf(folder, 3).entry_sha256]) {
      rmSync(join(folder, 'stamps', name), { recursive: true })
    }
  })

  it.each([
    ['of another entry', 'stamp-imprint', () => tokenFile(folder, entryOf(folder, 2), 'alpha')],
    ['of another authority', 'stamp-misnamed', () => undefined],
  ])('counts no token %s', async (_, code, copied) => {
    const file = tokenFile(folder, entryOf(folder, 3), 'alpha')
    const other = copied()
    mkdirSync(join(file, '..'), { recursive: true })
    copyFileSync(other ?? (await putToken(folder, 3, 'beta', beta)), file)
    const { findings, stamps } = await found()
    expect(findings).toEqual([
      `error ${code} stamps/ENTRY/alpha.tsr`,
      'error stamp-not-counted ledger.jsonl:3',
    ])
    expect(stamps).not.toContain('3 alpha')
    rmSync(join(file, '..'), { recursive: true })
  })

  it('follows no link and reads nothing that is larger than any token', async () => {
    const file = tokenFile(folder, entryOf(folder, 3), 'alpha')
    put(file, Buffer.alloc(300_000))
    await expect(found()).rejects.toThrow('larger than 262144 bytes')
    rmSync(file)
    symlinkSync(tokenFile(folder, entryOf(folder, 2), 'alpha'), file)
    await expect(found()).rejects.toThrow('is a symbolic link')
    rmSync(file)
  })
})
