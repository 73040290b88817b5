import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { importResources } from '../../src/history/import/import.js'
import { parseCheckpoint } from '../../src/log/checkpoint.js'
import { computeRoot } from '../../src/log/merkle.js'
import { UNWITNESSED } from '../../src/log/policy.js'
import { hashesFromTiles, listTiles, tilePath } from '../../src/log/tiles.js'
import { parseCheckpointList } from '../../src/remote/log.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { sampleAttempt } from '../history/samples.js'
import { addRows, alter, hourlyRows, writeProducer } from '../history/support.js'
import { LOG } from '../log/sealed.js'
import { at, type BuildOptions, buildSite, faultsOf, Witness } from './build-site.js'

let world: Witness

const rowsOf = (from: number, to: number) => hourlyRows(from, to, ['alpha'], [4])

beforeEach(() => {
  world = new Witness()
  writeProducer(world.history, rowsOf(0, 250))
})

const grow = (from: number, to: number) => addRows(world.history, rowsOf(from, to))

const build = (hour: number, over: BuildOptions = {}) =>
  buildSite(world.history, world.site, at(hour), over)

const paths = () =>
  pathsBelow(world.log(''))
    .filter((path) => !/\.(?:gz|br)$/.test(path))
    .sort()
const text = (path: string) => readFileSync(world.log(path), 'utf8')

/** The newest checkpoint of the site, whose tiles give its root. */
async function soundLog(): Promise<number> {
  const head = parseCheckpoint(readFileSync(world.log('checkpoint')))
  if (head === undefined) throw new Error('no checkpoint')
  const hashes = hashesFromTiles(head.size, (tile) => readFileSync(world.log(tilePath(tile))))
  expect(Buffer.from(await computeRoot(head.size, hashes))).toEqual(head.root)
  const list = parseCheckpointList(text('checkpoints.json'))
  expect(list?.origin).toBe(head.origin)
  expect(list?.checkpoints.at(-1)?.size).toBe(head.size)
  expect(text(`checkpoints/${head.size}`)).toBe(text('checkpoint'))
  return head.size
}

describe('the sealed log of a published site', () => {
  it('is not there before the first checkpoint', async () => {
    await build(251)
    const files = pathsBelow(world.site)
    expect(files.filter((path) => path.includes('/log'))).toEqual([])
    const record = readFileSync(join(world.site, 'build.json'), 'utf8')
    const headers = readFileSync(join(world.site, '_headers'), 'utf8')
    expect(`${record}${headers}`).not.toContain('log')
    expect(readFileSync(join(world.site, 'index.html'), 'utf8')).not.toContain('No witness')
    await world.seal()
    await build(252)
    expect(readFileSync(join(world.site, 'index.html'), 'utf8')).toContain(
      `<p id="log">${UNWITNESSED}</p>`,
    )
  })

  it.each([false, true])(
    'has its tiles and checkpoints, and grows (in place: %s)',
    async (inPlace) => {
      const token = Buffer.from('made up')
      await world.seal([() => ({ authority: 'one', token })])
      const first = await build(251, { inPlace })
      expect(first.plan.log).toEqual({ size: 250, newCheckpoints: 1 })
      expect(await soundLog()).toBe(250)
      expect(paths()).toEqual([
        'checkpoint',
        'checkpoints.json',
        'checkpoints/250',
        'checkpoints/250.one.tsr',
        'tile/0/000.p/250',
      ])
      expect(JSON.parse(text('checkpoints.json'))).toEqual({
        origin: LOG,
        checkpoints: [{ size: 250, authorities: ['one'] }],
      })
      expect(readFileSync(world.log('checkpoints/250.one.tsr'))).toEqual(token)

      grow(250, 255)
      await world.seal()
      // A row that no checkpoint covers is in no tile.
      grow(255, 256)
      await build(256, { inPlace })
      expect(await soundLog()).toBe(255)
      expect(paths().filter((path) => path.startsWith('tile'))).toEqual([
        'tile/0/000.p/250',
        'tile/0/000.p/255',
      ])

      grow(256, 600)
      await world.seal()
      const third = await build(600, { inPlace })
      expect(await soundLog()).toBe(600)
      expect(third.plan).toMatchObject({
        log: { newCheckpoints: 1 },
        because: ['new-rows', 'new-checkpoint'],
      })
      // Partial tiles go when they are full; what is new is written, and nothing else.
      const tiles = [...listTiles(600)].map(tilePath).sort()
      expect(paths().filter((path) => path.startsWith('tile'))).toEqual(tiles)
      const changed = third.record.changed.filter((path) => path.includes('/log/'))
      const gone = ['tile/0/000.p/250', 'tile/0/000.p/255']
      const head = ['checkpoint', 'checkpoints.json', 'checkpoints.json.br', 'checkpoints.json.gz']
      expect(changed.map((path) => path.replace('service/api/v1/log/', '')).sort()).toEqual(
        [...head, 'checkpoints/600', ...tiles, ...gone].sort(),
      )

      grow(600, 610)
      const { ino } = statSync(world.log('tile/0/001'))
      const fourth = await build(610, { inPlace })
      expect(fourth.record.changed.filter((path) => path.includes('/log/'))).toEqual([])
      expect(statSync(world.log('tile/0/001')).ino).toBe(ino)
      const before = new Map(paths().map((path) => [path, text(path)]))
      await build(610, { inPlace, full: true })
      expect(new Map(paths().map((path) => [path, text(path)]))).toEqual(before)
    },
  )

  it('has recorded attempts among its leaves', async () => {
    const attempt = sampleAttempt({ hour: 3, model: 'gamma', horizon: 4 })
    await importResources(world.history, [attempt], { now: at(4) })
    expect(await world.seal()).toBe(251)
    await build(251)
    expect(await soundLog()).toBe(251)
  })

  it('is outdated by a new checkpoint and by a new stamp, until the next build', async () => {
    await world.seal()
    await build(251)
    const outdated = async () =>
      (await faultsOf(world.history, world.site)).map(
        ({ code, args }) => code === 'site-outdated' && args.of,
      )
    await world.seal([() => ({ authority: 'one', token: Buffer.from('x') })])
    expect(await outdated()).toEqual(['checkpoints'])
    const second = await build(252)
    expect(second.plan.because).toEqual(['new-checkpoint'])
    expect(paths()).toContain('checkpoints/250.one.tsr')
    grow(250, 251)
    await world.seal()
    expect(await outdated()).toEqual(['forecasts', 'checkpoints'])
  })

  it.each([false, true])(
    'begun anew takes the place of the old one (in place: %s)',
    async (inPlace) => {
      grow(250, 300)
      await world.seal()
      await build(300, { inPlace })
      rmSync(world.history)
      writeProducer(world.history, rowsOf(1, 280))
      await world.seal()
      const less = /its log example\.org\/log has 300 entries, and that of .* has 279/
      await expect(build(301, { inPlace })).rejects.toThrow(less)
      await build(301, { inPlace, full: true })
      expect(await soundLog()).toBe(279)
      // Of the same size: the list of checkpoints is the same, and nothing else.
      rmSync(world.history)
      writeProducer(world.history, rowsOf(2, 281))
      await world.seal()
      await build(301, { inPlace })
      expect(await soundLog()).toBe(279)
      const tiles = paths().filter((path) => path.startsWith('tile'))
      expect(tiles).toEqual([...listTiles(279)].map(tilePath).sort())
      rmSync(world.history)
      writeProducer(world.history, rowsOf(0, 150))
      const { plan } = await build(302, { inPlace })
      expect(plan).toMatchObject({ dropsLog: true, pages: 1, droppedPages: 1 })
      expect(existsSync(world.log('checkpoint'))).toBe(false)
      expect(pathsBelow(world.site).filter((path) => path.includes('/log/'))).toEqual([])
    },
  )

  it.each([
    'UPDATE foreproof_log_entries SET leaf_hash = zeroblob(32) WHERE leaf_index = 7',
    'UPDATE foreproof_log_checkpoints SET size = 1 << 40',
    "UPDATE foreproof_log_checkpoints SET size = 'more'",
  ])('is not published with a checkpoint that is not its own: %s', async (change) => {
    await world.seal()
    alter(world.history, change)
    await expect(build(251)).rejects.toMatchObject({
      code: 'invalid-input',
      message: 'the newest checkpoint is not that of the log',
    })
    expect(existsSync(world.site)).toBe(false)
  })

  it('is not published where no file can be called after an authority', async () => {
    await world.seal([() => ({ authority: '../../x', token: Buffer.from('x') })])
    await expect(build(251)).rejects.toMatchObject({ code: 'invalid-input' })
  })
})
