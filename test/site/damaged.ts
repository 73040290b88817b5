import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type BuildRecord, readRecord } from '../../src/site/record.js'
import { pathsBelow } from '../../src/site/writer/links.js'
import { addRows, hourlyRows, writeProducer } from '../history/support.js'
import { MEMORY, temporaryFolder } from '../support/folder.js'
import { at, faultsOf, publish } from './build-site.js'

// A site lies where others can write: what it holds is material to judge, and never a way out of it.

/** @param every one of so many cases of each table is tried, the first one among them. */
export function testDamagedSites(every: number): void {
  const sample = <T>(cases: readonly T[]) => cases.filter((_, index) => index % every === 0)
  const PAGES = 'service/api/v1/forecasts'
  const folder = temporaryFolder('foreproof-', MEMORY)
  let history = ''
  let out = ''
  let run = ''
  let count = 0

  const goTo = (name: string) => {
    run = join(folder, name)
    history = join(run, 'history.sqlite')
    out = join(run, 'site')
  }

  const build = (hour: number, inPlace: boolean, full = false) =>
    publish(history, out, at(hour), { inPlace, full })

  const nameOf = (inPlace: boolean) => (inPlace ? 'in-place' : 'linked')
  /** Two builds of 520 and 600 forecasts, so that both folders of a linked site are filled. */
  beforeAll(async () => {
    for (const inPlace of [true, false]) {
      goTo(nameOf(inPlace))
      mkdirSync(run)
      writeProducer(history, hourlyRows(0, 130))
      await build(200, inPlace)
      grow(130, 150)
      await build(201, inPlace)
    }
  })

  /** A copy of a site and its history, in which files that have two names still have them. */
  function site(inPlace: boolean) {
    goTo(`run-${count++}`)
    execFileSync('cp', ['-a', join(folder, nameOf(inPlace)), run])
  }

  const grow = (from: number, to: number) => addRows(history, hourlyRows(from, to))
  const findings = () => faultsOf(history, out)

  function alterRecord(over: object): void {
    const file = join(out, 'build.json')
    const record = JSON.parse(readFileSync(file, 'utf8'))
    // The file may have a second name in the other build.
    rmSync(file)
    writeFileSync(file, JSON.stringify({ ...record, ...over }))
  }

  const contents = (at: string) => pathsBelow(at).map((path) => [path, readText(join(at, path))])
  const stateOf = (at: string) => (statSync(at).isDirectory() ? contents(at) : readText(at))
  const readText = (path: string) => readFileSync(path, 'latin1')

  /** What no file of a site is called. */
  const OUTSIDE = [
    ...['../../../precious', '../precious/file', '/precious', 'service/../../../precious'],
    ...['service//forecasts.json', './forecasts.json', 'service\\..\\precious', '', 7],
  ]

  describe.each([false, true])('a record that was changed, in place: %s', (inPlace) => {
    it.each(
      sample([
        { pages: 10 ** 9 },
        { pages: 10 ** 12 },
        { pages: 4 },
        { forecasts: 10 ** 9 },
        { forecasts: 0 },
        { sealed_pages: 6 },
        { page_size: 0 },
        { page_size: 10 },
        { sequence: 2 ** 53 },
        { format: 1, pages: 10 ** 9 },
        { building: true, forecasts: 10 ** 9 },
        ...OUTSIDE.map((path) => ({ changed: [path] })),
      ]),
    )(
      'is none where its counts contradict each other, or it names no file of a site: %j',
      async (over) => {
        site(inPlace)
        alterRecord(over)
        expect(readRecord(out)).toBeUndefined()
        grow(150, 160)
        const before = contents(out)
        if (inPlace) {
          await expect(build(202, true)).rejects.toMatchObject({
            code: 'refused',
            message: expect.stringContaining('build.json'),
          })
          expect(contents(out)).toEqual(before)
        } else {
          await build(202, false)
          expect(await findings()).toEqual([])
        }
      },
    )

    it.each(
      sample<Partial<BuildRecord>>([
        { forecasts: 10 ** 9, pages: 10 ** 7 - 1 },
        { forecasts: 10 ** 15, pages: 10 ** 13 - 1 },
        { forecasts: 10 ** 15, pages: 10 ** 13 - 1, sealed_pages: 10 ** 13 - 1 },
        { forecasts: 10 ** 15, pages: 10 ** 13 - 1, format: 1 },
        { forecasts: 10 ** 15, pages: 10 ** 13 - 1, building: true },
        { forecasts: 10 ** 15, pages: 10 ** 14 * 2 - 1, page_size: 5 },
        { forecasts: 400, pages: 3, sealed_pages: 3 },
        { sequence: 2 ** 53 - 1 },
        { sequence: 2 ** 53 - 2 },
      ]),
    )('is not believed against the files and the history: %j', async (over) => {
      site(inPlace)
      alterRecord(over)
      expect(readRecord(out)).toBeDefined()
      for (const [from, hour] of [
        [150, 202],
        [160, 203],
        [170, 204],
      ] as const) {
        grow(from, from + 10)
        await build(hour, inPlace)
        expect(await findings()).toEqual([])
      }
    })
  })

  describe('a link inside a site', () => {
    it.each(
      sample([PAGES, 'service', 'index.html', `${PAGES}/page-0001.json`, '.foreproof-waiting']),
    )('is refused in place: %s', async (path) => {
      site(true)
      const home = moveOut(join(out, path))
      if (path === PAGES) {
        const changed = ['precious.json', 'page-0099.json'].map((name) => `${PAGES}/${name}`)
        for (const name of ['precious.json', 'page-0099.json']) writeFileSync(join(home, name), '')
        alterRecord({ changed })
      }
      const before = stateOf(home)
      grow(150, 160)
      await expectRefused(true, path)
      expect(stateOf(home)).toEqual(before)
    })

    it.each(
      sample([
        ['live', PAGES],
        ['spare', PAGES],
        ['live', 'index.html'],
        ['spare', ''],
      ]),
    )('is refused behind a link, in the %s build: %s', async (which, path) => {
      site(false)
      const live = join(run, readlinkSync(out))
      const spare = live.replace(/.$/, (name) => (name === 'a' ? 'b' : 'a'))
      const home = moveOut(join(which === 'live' ? live : spare, path))
      const before = stateOf(home)
      grow(150, 160)
      await expectRefused(false, path)
      expect(stateOf(home)).toEqual(before)
      await build(203, false, true)
      expect(stateOf(home)).toEqual(before)
      expect(await findings()).toEqual([])
    })

    it('is no concern of ours in a hidden folder beside the site', async () => {
      site(true)
      mkdirSync(join(out, '.git'))
      symlinkSync(folder, join(out, '.git', 'hooks'))
      await build(202, true)
      expect(existsSync(join(out, '.git', 'hooks'))).toBe(true)
    })
  })

  async function expectRefused(inPlace: boolean, path: string): Promise<void> {
    await expect(build(202, inPlace)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('is a link'),
      file: expect.stringContaining(path),
    })
  }

  /** Moves what lies there out of the site and leaves a link to it. */
  function moveOut(path: string): string {
    const home = join(run, 'home')
    if (existsSync(path)) renameSync(path, home)
    else mkdirSync(home)
    symlinkSync(home, path)
    return home
  }
}
