import { cpSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { assembleService } from '../../../src/service/assemble.js'
import { checkServiceOptions } from '../../../src/service/config/config.js'
import { listen } from '../../../src/service/http/listen.js'
import { ServiceServer } from '../../../src/service/http/server.js'
import type { Service } from '../../../src/service/http/service.js'
import { toUrl } from '../../../src/service/start.js'
import { EPOCH, HOUR, hourlyRows, type MadeRow, writeProducer } from '../../history/support.js'
import { seal, stamperOf } from '../../log/sealed.js'
import { publish } from '../../site/build-site.js'
import { afterUse } from '../../support/at-end.js'
import { MEMORY, temporaryFolder } from '../../support/folder.js'

export const KEY = 'a-key-for-the-mutants'

/** The newest hour that is over, counted from the epoch of the made rows. */
export function newestHour(): number {
  const now = performance.timeOrigin + performance.now()
  return Math.floor((now - EPOCH) / HOUR)
}

/** Rows of so many hours, two models and four horizons each. */
export function hoursOfRows(hours: number, newest = newestHour()): MadeRow[] {
  return hourlyRows(newest - hours + 1, newest + 1, ['alpha', 'alphabet'])
}

/** Seals a history at half of its entries and at all of them, the latter with a stamp. */
async function sealTwice(path: string): Promise<void> {
  await seal(path, [], undefined, 0.5)
  await seal(path, [await stamperOf('made')])
}

export function writeHealth(path: string, health = 'healthy'): void {
  const stages = { history: { health, circuit_state: 'closed' } }
  writeFileSync(path, JSON.stringify({ overall_health: health, stages }))
}

/** A folder with a history, a health report, a service of both that ends with the test, and the site of the history. */
export class World {
  readonly folder = temporaryFolder('foreproof-', MEMORY)
  readonly history = join(this.folder, 'history.sqlite')
  readonly health = join(this.folder, 'health.json')
  readonly site = join(this.folder, 'sound')
  /** The service, to be asked in this process or over HTTP. */
  service!: Service
  url = ''
  private copies = 0

  /** @param rows - 30 hours by default: 240 rows, 3 pages. */
  static async create(rows: readonly MadeRow[] = hoursOfRows(30), limits = {}): Promise<World> {
    const world = new World()
    writeProducer(world.history, rows)
    await sealTwice(world.history)
    writeHealth(world.health)
    const checked = checkServiceOptions({
      keys: [KEY],
      port: 0,
      historyPath: world.history,
      healthPath: world.health,
      auditPath: join(world.folder, 'audit.jsonl'),
      rateLimit: 1_000_000,
      // All mutants come from one address.
      authFailureLimit: 0,
      drainSeconds: 0,
      ...limits,
    })
    const { service, audit, reader, unanswered } = assembleService(checked, { log() {} })
    const { http } = new ServiceServer(service, unanswered)
    world.service = service
    await listen(http, { host: '127.0.0.1', port: 0 }, '')
    world.url = toUrl(http.address() as AddressInfo)
    afterUse(async () => {
      http.close()
      http.closeAllConnections()
      await audit.close()
      await reader.close()
    })
    return world
  }

  /** Builds the site of the history; a build makes it visible by a link. */
  async publish(now = performance.timeOrigin + performance.now()): Promise<string> {
    const out = join(this.folder, 'site')
    await publish(this.history, out, Math.round(now * 1000))
    rmSync(this.site, { recursive: true, force: true })
    cpSync(realpathSync(out), this.site, { recursive: true })
    return this.site
  }

  /** A copy of the site that may be edited. */
  copy(): string {
    const copy = join(this.folder, `copy-${this.copies++}`)
    cpSync(this.site, copy, { recursive: true })
    return copy
  }
}

export const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
