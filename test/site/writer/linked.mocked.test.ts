import type { PathLike, RmOptions } from 'node:fs'
import { readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { RECORD_FILE } from '../../../src/site/layout.js'
import { addRows, hourlyRows, writeProducer } from '../../history/support.js'
import { at, buildSite, Witness } from '../build-site.js'

/** After so many links, and in the middle of removing this folder, a build is as if it were killed. */
const end = vi.hoisted(() => ({ links: Number.POSITIVE_INFINITY, removing: '' }))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  return {
    ...fs,
    linkSync(from: PathLike, to: PathLike) {
      if (end.links-- <= 0) throw new Error('killed')
      fs.linkSync(from, to)
    },
    rmSync(path: PathLike, options?: RmOptions) {
      if (path !== end.removing) return fs.rmSync(path, options)
      fs.rmSync(`${path}/404.html`)
      throw new Error('killed')
    },
  }
})

let world: Witness
let hour = 0

/** Some pages and one row more each time. */
async function publish(full = false): Promise<void> {
  addRows(world.history, [{ hour: ++hour, model: 'alpha', horizon: 2 }])
  await buildSite(world.history, world.site, at(2000), { full })
}

/** The folder that the next build is staged in. */
const staging = () =>
  join(world.folder, '.site.builds', readlinkSync(world.site).endsWith('a') ? 'b' : 'a')

beforeEach(async () => {
  hour = 1000
  world = new Witness()
  writeProducer(world.history, hourlyRows(0, 350, ['alpha'], [2]))
  await publish()
})

it('a build that died while it shared the files of the last one leaves nothing that looks whole', async () => {
  let became = 'killed'
  let links = 0
  for (; became === 'killed'; links += 2) {
    // As a build leaves it that was killed.
    rmSync(join(staging(), RECORD_FILE))
    end.links = links
    became = await publish().then(
      () => 'built',
      ({ message }) => message,
    )
    end.links = Number.POSITIVE_INFINITY
    if (became === 'killed') await publish()
  }
  expect(became).toBe('built')
  expect(links).toBeGreaterThan(20)
})

it('a build that died while it removed what it was to replace leaves nothing that looks whole', async () => {
  await publish()
  end.removing = staging()
  await expect(publish(true)).rejects.toThrow('killed')
  end.removing = ''
  await publish()
})
