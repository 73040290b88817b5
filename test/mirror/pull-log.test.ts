import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  computeRoot,
  consistencyProof,
  type HashAt,
  leafHash,
  subtreeRoot,
  verifyConsistency,
} from '../../src/log/merkle.js'
import { listTiles, tileBytes, tilePath } from '../../src/log/tiles.js'
import { parseHashes } from '../../src/mirror/log-source.js'
import type { Deployment } from '../../src/remote/deployment.js'
import { sample, sampleAttempt, samples } from '../history/samples.js'
import { alter, EPOCH, HOUR, opened, stamp } from '../history/support.js'
import { LOG } from '../log/sealed.js'
import { type Value, Witness } from '../site/build-site.js'

/** How a pull ends that found nothing wrong. */
const FINE = { complete: true, findings: [] }
let world: Witness

beforeEach(() => {
  world = new Witness()
})

describe('a pull of a sealed log', () => {
  it('keeps the newest checkpoint, and reads what is new the next time', async () => {
    await world.put([...samples(0, 5), sampleAttempt({ hour: 9, horizon: 4 }), ...samples(5, 140)])
    await world.seal()
    await world.put(samples(140, 142))
    await world.publish()
    const newest = async () => (await opened(world.history).newestCheckpoint())?.note
    const log = { origin: LOG, entries: 141, newEntries: 141 }
    expect(await world.pull()).toMatchObject({ ...FINE, log })
    expect((await world.known()).checkpoint).toBe(await newest())
    // Rows that were mirrored before they were sealed are known by then.
    await world.seal()
    await world.seal()
    await world.show(samples(142, 300))
    expect(await world.pull()).toMatchObject({
      ...FINE,
      log: { origin: LOG, entries: 301, newEntries: 160 },
    })
    expect((await world.known()).checkpoint).toBe(await newest())
    for (const full of [false, true]) {
      expect(await world.pull(full)).toMatchObject({ ...FINE, log: { newEntries: 0 } })
    }
    expect(await opened(world.mirror).log()).toMatchObject({ name: undefined, sealed: undefined })
  })

  it('proves from tiles that a long log goes on, of which it reads the last ones', async () => {
    const rows = Array.from({ length: 70_000 }, (_, at) => `entry ${at}`)
    const published = async (size: number, text = (at: number) => rows[at] ?? '') => {
      const leaves = rows.slice(0, size).map((_, at) => leafHash(text(at)))
      const hashAt: HashAt = async (level, index) =>
        subtreeRoot(Buffer.concat(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level)))
      const files = new Map<string, Uint8Array>()
      for (const tile of listTiles(size)) {
        const bytes = await tileBytes(tile, (level, from, to) =>
          Promise.all(Array.from({ length: to - from }, (_, at) => hashAt(level, from + at))),
        )
        files.set(`log/${tilePath(tile)}`, bytes)
      }
      const read: string[] = []
      const deployment = {
        log: 'log',
        read: async (path: string) => {
          read.push(path)
          const bytes = files.get(path)
          return bytes && { bytes, where: path }
        },
      } as unknown as Deployment
      return { deployment, read, root: await computeRoot(size, hashAt), size }
    }
    const [before, after] = [await published(66_000), await published(70_000)]
    const first = 66_000 - (66_000 % 256)
    const { leaves, hashAt } = await parseHashes(after.deployment, after, first)
    expect(leaves.length).toBe((70_000 - first) * 32)
    // Of the 274 tiles of leaves the last 17, and one or two of each level above.
    expect(after.read.filter((path) => path.startsWith('log/tile/0/'))).toHaveLength(17)
    expect(after.read.length).toBeLessThan(22)
    const proof = await consistencyProof(66_000, 70_000, hashAt)
    expect(verifyConsistency(66_000, 70_000, proof, before.root, after.root)).toBe(true)
    const other = await published(70_000, (at) => (at === 9 ? 'another' : (rows[at] ?? '')))
    const changed = await parseHashes(other.deployment, other, first)
    const otherProof = await consistencyProof(66_000, 70_000, changed.hashAt)
    expect(verifyConsistency(66_000, 70_000, otherProof, before.root, other.root)).toBe(false)
  })

  it('says which late rows only a full pull will find', async () => {
    await world.show(samples(0, 205))
    await world.pull()
    await world.show([sample({ hour: 3, model: 'beta' }), sample({ hour: 4, model: 'beta' })])
    const missing = { code: 'log-row-missing', severity: 'warning', args: { entry: 205, count: 2 } }
    expect((await world.pull()).findings).toMatchObject([missing])
    expect(await world.pull(true)).toMatchObject(FINE)
  })

  it('does not miss attempts whose list could not be read', async () => {
    await world.put([...samples(0, 3), sampleAttempt({ hour: 9 })])
    await world.seal()
    await world.publish()
    writeFileSync(world.log('../attempts.json'), '<!doctype html>')
    expect((await world.pull()).findings).toMatchObject([
      { code: 'attempts-list', args: { fault: 'unavailable' } },
      { code: 'log-row-missing', severity: 'warning', args: { fault: 'read', entry: 3 } },
    ])
  })

  it('names a row that was changed before it was pulled', async () => {
    await world.put(samples(0, 9))
    await world.seal()
    const where = `WHERE origin_at = '${stamp(EPOCH + 4 * HOUR)}'`
    alter(world.history, `UPDATE forecast_predictions SET predicted_price_usd = 50501 ${where}`)
    await world.publish()
    const args = { fault: 'published', entry: 4, count: 1 }
    const missing = { code: 'log-row-missing', severity: 'error', args }
    expect((await world.pull()).findings).toMatchObject([missing])
  })

  it.each(['<!doctype html>', '{}', ''])('passes over what is no checkpoint: %s', async (text) => {
    await world.show(samples(0, 9))
    writeFileSync(world.log('checkpoint'), text)
    expect(await world.pull()).toMatchObject({ ...FINE, written: 9 })
  })

  it('reports what begins as a checkpoint and is none', async () => {
    await world.show(samples(0, 9))
    const file = world.log('checkpoint')
    writeFileSync(file, `${LOG}\n9\n`)
    const finding = { code: 'log-unreadable', severity: 'error', file }
    expect((await world.pull()).findings).toMatchObject([finding])
  })

  it('knows a log by its name, wherever it is published', async () => {
    await world.show(samples(0, 9))
    await world.pull()
    const before = world.site
    world.site = `${before}-moved`
    renameSync(before, world.site)
    const moved = { code: 'log-elsewhere', severity: 'note', args: { log: LOG, before } }
    expect((await world.pull()).findings).toMatchObject([moved])
    expect((await world.pull()).findings).toEqual([])
    const here = world.log('')
    const elsewhere = async (found: string | null) => {
      const args = { there: [LOG], found }
      const unknown = { code: 'log-unknown-here', severity: 'warning', args }
      expect((await world.pull()).findings).toMatchObject([unknown])
    }
    renameSync(world.site, `${before}-again`)
    world.site = `${before}-again`
    rmSync(here.replace('-moved', '-again'), { recursive: true })
    await elsewhere(null)
    rmSync(world.history)
    world.site = `${before}-other`
    await world.show(samples(0, 9), [], 'example.org/other')
    await elsewhere('example.org/other')
  })

  it('takes nothing from the site of the history itself', async () => {
    await world.show(samples(0, 9))
    world.mirror = world.history
    expect(await world.pull()).toMatchObject({ ...FINE, written: 0 })
  })
})

describe('a log that is not what it was', () => {
  beforeEach(async () => {
    await world.show(samples(0, 20))
    expect(await world.pull()).toMatchObject(FINE)
  })

  const anew = async (values: readonly Value[], name = LOG) => {
    rmSync(world.history)
    await world.put(values)
    await world.seal([], name)
    await world.publish({ full: true })
  }
  const unreadable = { code: 'log-unreadable' }
  const spoil = (file: string, text: string) => () => writeFileSync(world.log(file), text)
  const lose = (file: string) => () => rmSync(world.log(file), { recursive: true })
  const parted = { code: 'log-shrunk', args: { fault: 'parted', before: '20' } }
  const renamed = { code: 'log-shrunk', args: { fault: 'renamed', before: LOG, found: 'other' } }
  const shorter = { code: 'log-shrunk', args: { fault: 'shorter', before: '20', found: '16' } }
  it.each<[string, object, () => unknown]>([
    ['gone', { code: 'log-shrunk', args: { fault: 'gone', before: LOG } }, lose('')],
    ['under another name', renamed, () => anew(samples(0, 20), 'other')],
    ['shorter', shorter, () => anew(samples(0, 16))],
    ['another', parted, () => anew([...samples(0, 7), ...samples(8, 22)])],
    ['of the same size and another', parted, () => anew([...samples(0, 7), ...samples(8, 21)])],
    ['a page of HTML', unreadable, spoil('checkpoint', '<!doctype html>')],
    ['no checkpoint', unreadable, spoil('checkpoint', '{}')],
    ['without its list', unreadable, lose('checkpoints.json')],
    ['with a list that is none', unreadable, spoil('checkpoints.json', '[]')],
  ])('is found: %s', async (_what, finding, act) => {
    const before = await world.known()
    await act()
    const report = await world.pull()
    expect(report).toMatchObject({ complete: true, findings: [finding] })
    expect(report.log).toBeUndefined()
    const { checkpoint, lines } = await world.known()
    expect(checkpoint).toBe(before.checkpoint)
    expect(lines).toEqual(expect.arrayContaining(before.lines))
  })

  const TILE = 'tile/0/000.p/30'
  const otherEntry = () => {
    const tile = readFileSync(world.log(TILE))
    writeFileSync(world.log(TILE), tile.fill(0, 12 * 32))
  }
  const otherRoot = () => {
    const note = readFileSync(world.log('checkpoint'), 'utf8')
    const root = Buffer.alloc(32, 7).toString('base64')
    writeFileSync(world.log('checkpoint'), note.replace(/\n[^\n]+\n$/, `\n${root}\n`))
  }
  it.each<[string, object, () => unknown]>([
    ['a tile missing', unreadable, lose(TILE)],
    ['a tile cut', unreadable, spoil(TILE, 'x')],
    ['a tile of something else', { code: 'log-root', args: { size: 30 } }, otherEntry],
    ['a checkpoint of something else', { code: 'log-root', args: { size: 30 } }, otherRoot],
  ])('is found when it has grown: %s', async (_what, finding, act) => {
    await world.show(samples(20, 30))
    const { checkpoint } = await world.known()
    await act()
    const report = await world.pull()
    expect(report).toMatchObject({ complete: true, written: 10 })
    expect(report.findings).toMatchObject([finding])
    expect((await world.known()).checkpoint).toBe(checkpoint)
    // Once it is mended, the mirror goes on.
    await world.publish({ full: true })
    expect(await world.pull()).toMatchObject({ ...FINE, log: { entries: 30 } })
  })
})
