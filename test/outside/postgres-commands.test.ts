import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../evaluation/world.js'
import { buildSite } from '../site/build-site.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, type Ran } from '../support/run.js'
import { makeHistory } from '../support/service/history.js'
import { expectHidden } from './postgres-history.js'
import { type Postgres, startPostgres } from './servers.js'

const folder = temporaryFolder()
let server: Postgres
let world: World
/** The same rows, by the name of their store. */
const histories = { sqlite: '', postgres: '' }
type Store = keyof typeof histories
const STORES = Object.keys(histories) as Store[]

beforeAll(async () => {
  server = await startPostgres()
  world = await makeWorld({ replicates: 500 })
  histories.sqlite = join(world.folder, 'history.sqlite')
  histories.postgres = server.database()
  await copied(histories.sqlite, histories.postgres)
})
afterAll(async () => {
  await server.remove()
})

async function copied(from: string, to: string): Promise<void> {
  const ran = await foreproof(['history', 'copy', from, to])
  expect(ran, ran.stderr).toMatchObject({ code: 0 })
  expectHidden(ran.stdout, ran.stderr)
}

/** Runs a command in a folder of its own for each store; nothing it says or writes has the password. */
async function onBoth(line: (store: Store) => readonly string[]) {
  const all: { ran: Ran; files: Map<string, string> }[] = []
  for (const store of STORES) {
    const cwd = join(folder, `${store}-${Math.random()}`)
    cpSync(world.folder, cwd, { recursive: true })
    mkdirSync(join(cwd, 'out'))
    const ran = await foreproof(line(store), { cwd })
    const files = filesOf(join(cwd, 'out'))
    expectHidden(ran.stdout, ran.stderr, ...files.values())
    all.push({ ran, files })
  }
  return all as [(typeof all)[0], (typeof all)[0]]
}

function filesOf(path: string): Map<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()
  const files = names.filter((name) => statSync(join(path, name)).isFile())
  return new Map(files.map((name) => [name, readFileSync(join(path, name), 'latin1')]))
}

describe('history init', () => {
  it.each([
    ['', 'foreproof'],
    ['CREATE SCHEMA "my own"', 'my own'],
  ])('names the grant that is missing, which is enough: %s', async (first, schema) => {
    const url = `${server.database()}?schema=${encodeURIComponent(schema)}`
    const database = new URL(url).pathname.slice(1)
    server.sql(`ALTER DATABASE ${database} OWNER TO admin; ${first}`, database)
    const refused = await foreproof(['history', 'init', url])
    expect(refused).toMatchObject({ code: 3, stdout: '' })
    expect(refused.stderr).toContain('no right to CREATE')
    expectHidden(refused.stderr)
    const grant = /GRANT .*$/m.exec(refused.stderr)?.[0] ?? ''
    server.sql(grant, database)
    expect(await foreproof(['history', 'init', url])).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('a command on a history in PostgreSQL', () => {
  it('scores with the same result', async () => {
    const [sqlite, postgres] = await onBoth((store) => [
      ...['score', '--registration', 'registration.json', '--history', histories[store]],
      ...['--outcomes', 'vintage', '--out', 'out/evidence'],
    ])
    for (const { ran } of [sqlite, postgres]) expect(ran).toMatchObject({ code: 0, stderr: '' })
    const digest = ({ files }: typeof sqlite) =>
      JSON.parse(files.get('evidence/result.json') ?? '{}').result_sha256
    expect(digest(sqlite)).toMatch(/^[0-9a-f]{64}$/)
    expect(digest(postgres)).toBe(digest(sqlite))
    expect(postgres.files.get('evidence/pairs.ndjson')).toBe(
      sqlite.files.get('evidence/pairs.ndjson'),
    )
  })

  it('pairs, exports and counts as on SQLite', async () => {
    const protocol = join(world.folder, 'protocols', 'made-1.json')
    const pair = (store: Store) => [
      ...['pair', '--protocol', protocol, '--registration', 'registration.json'],
      ...['--history', histories[store]],
      ...['--outcomes', 'vintage', '--out', 'out/attempts.ndjson'],
    ]
    const exported = (store: Store) => [
      'history',
      'export',
      '--history',
      histories[store],
      '--out',
      'out/all.ndjson',
    ]
    for (const line of [pair, exported]) {
      const [sqlite, postgres] = await onBoth(line)
      expect(postgres.ran.stderr).toBe(sqlite.ran.stderr)
      expect(sqlite.ran.code).toBe(0)
      expect(sqlite.files.size).toBeGreaterThan(0)
      expect(postgres.files).toEqual(sqlite.files)
    }
    const [sqlite, postgres] = await onBoth((store) => [
      ...['history', 'stats', '--history', histories[store], '--format', 'json'],
    ])
    const counted = ({ ran }: typeof sqlite) => {
      const { bytes, journal_mode, file, history, ...rest } = JSON.parse(ran.stdout)
      return rest
    }
    expect(counted(postgres)).toEqual(counted(sqlite))
  })

  it('publishes the same site', async () => {
    const made = join(folder, 'made.sqlite')
    makeHistory(made)
    const paths = { sqlite: made, postgres: server.database() }
    await copied(made, paths.postgres)
    const now = Date.now() * 1000
    const sites = []
    for (const store of STORES) {
      await buildSite(paths[store], join(folder, `site-${store}`), now)
      sites.push(filesOf(join(folder, `site-${store}`)))
    }
    expect(sites[0]?.size).toBeGreaterThan(3)
    expect(sites[1]).toEqual(sites[0])
    const [sqlite, postgres] = await onBoth((store) => [
      ...['publish', '--history', paths[store], '--out', 'out/site'],
    ])
    for (const { ran } of [sqlite, postgres]) expect(ran).toMatchObject({ code: 0, stderr: '' })
    const site = join(folder, 'site-postgres')
    const checked = await foreproof(['publish', '--check', '--history', made, '--out', site])
    expect(checked, checked.stdout).toMatchObject({ code: 0, stderr: '' })
  })
})
