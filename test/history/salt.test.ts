import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/document/digest.js'
import { copyHistory } from '../../src/history/copy.js'
import { exportLines } from '../../src/history/export.js'
import { importResources } from '../../src/history/import/import.js'
import { importFiles } from '../../src/history/import/import-files.js'
import { forecastEntry } from '../../src/history/leaf.js'
import { proveEntry } from '../../src/history/prove.js'
import { sealHistory } from '../../src/history/seal.js'
import { checkProof } from '../../src/log/check-proof.js'
import { leafHash } from '../../src/log/merkle.js'
import { temporaryFolder } from '../support/folder.js'
import { sample } from './samples.js'
import { allOf, historyOf, inBatches, opened } from './support.js'

const folder = temporaryFolder()
const fresh = (name: string) => join(folder, `${name}.sqlite`)
const linesOf = (path: string) => allOf(exportLines(path))
const leavesOf = async (path: string) =>
  (await inBatches(opened(path).logEntries(0, 100))).map(({ leaf }) =>
    Buffer.from(leaf).toString('hex'),
  )
const saltsOf = async (path: string) =>
  (await linesOf(path)).map((line) => JSON.parse(line).lineage.salt as string | undefined)

/** A forecast with a salt that its producer made. */
function salted(salt: string, hour = 0) {
  const one = sample({ hour })
  return { ...one, lineage: { ...one.lineage, salt } }
}

describe('a salt', () => {
  it('is given to each forecast, and only once', async () => {
    const path = fresh('given')
    const rows = [sample({ hour: 0 }), sample({ hour: 0, horizon: 4 }), sample({ hour: 1 })]
    expect((await importResources(path, rows, { now: 0, salt: true })).findings).toEqual([])
    const salts = await saltsOf(path)
    expect(new Set(salts).size).toBe(3)
    // 16 bytes are 22 letters of base64url.
    for (const salt of salts) expect(salt).toMatch(/^[A-Za-z0-9_-]{22}$/)
    const again = await importResources(path, rows, { now: 0, salt: true })
    expect(again.forecasts).toEqual({ added: 0, unchanged: 3, conflicts: 0 })
    expect(await saltsOf(path)).toEqual(salts)
    expect(await leavesOf(path)).toHaveLength(3)
  })

  it('is a part of the leaf; rows without keep theirs', async () => {
    const given = salted('AAAAAAAAAAAAAAAAAAAAAA')
    const [plain, withSalt] = [await historyOf([sample()]), await historyOf([given])]
    const { freshness: _, ...entry } = given
    // Canonical form by hand: only `salt` is new, between provenance's place and source.
    const [before] = await leavesOf(plain)
    const text = forecastEntry(sample())
    expect(before).toBe(sha256Hex(Buffer.concat([Buffer.of(0), Buffer.from(text)])))
    const expected = text.replace('"source":{', '"salt":"AAAAAAAAAAAAAAAAAAAAAA","source":{')
    expect(forecastEntry(entry)).toBe(expected)
    expect(await leavesOf(withSalt)).toEqual([Buffer.from(leafHash(expected)).toString('hex')])
  })

  it('goes along: exported, imported again, copied, and proved', async () => {
    const path = fresh('along')
    const table = join(folder, 'along.csv')
    writeFileSync(
      table,
      'origin_at,model,horizon_hours,price_usd,source_price_usd\n2026-01-01T00:00:00Z,seer,2,50500,50000\n',
    )
    const made = await importFiles(path, [table], { now: 0, stdin: process.stdin, salt: true })
    expect(made.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    await importResources(path, [sample({ hour: 5 })], { now: 0, salt: true })
    expect((await saltsOf(path)).every((salt) => salt?.length === 22)).toBe(true)
    const [again, copy] = [fresh('again'), fresh('copy')]
    const lines = (await linesOf(path)).map((line) => JSON.parse(line))
    // Those that have one keep it.
    await importResources(again, lines, { now: 0, salt: true })
    await copyHistory(path, copy, { now: 0 })
    const leaves = (await leavesOf(path)).sort()
    for (const other of [again, copy]) {
      expect(await linesOf(other)).toEqual(await linesOf(path))
      expect((await leavesOf(other)).sort()).toEqual(leaves)
    }
    await sealHistory(copy, {
      log: 'example.org/salted',
      authorities: [],
      stamp: () => Promise.reject(),
    })
    const proof = {
      ...(await proveEntry(opened(copy), '2026-01-01T00:00:00Z:seer:2')),
      anchors: [],
    }
    const checked = await checkProof(Buffer.from(JSON.stringify(proof)), {
      file: 'proof.json',
      now: 1_767_225_600,
    })
    expect(JSON.parse(checked.entry ?? '').lineage.salt).toHaveLength(22)
  })

  it.each([
    ['of 15 bytes', randomBytes(15).toString('base64url'), false],
    ['of 65 bytes', randomBytes(65).toString('base64url'), false],
    ['with padding', `${'A'.repeat(22)}==`, false],
    ['of 16 bytes', randomBytes(16).toString('base64url'), true],
    ['of 64 bytes', randomBytes(64).toString('base64url'), true],
  ])('is of 16 to 64 bytes: %s', async (name, salt, isSound) => {
    const { findings } = await importResources(fresh(name), [salted(salt)], { now: 0 })
    expect(findings.map(({ pointer }) => pointer)).toEqual(isSound ? [] : ['/lineage/salt'])
  })
})
