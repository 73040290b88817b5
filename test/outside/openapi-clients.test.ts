import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.js'
import { temporaryFolder } from '../support/folder.js'
import { idsOf } from '../support/service/history.js'
import { KEY, serve } from '../support/service/serve.js'

// The generators, and the TypeScript that they support, are packages of a folder of their own with
// a lock file of its own: they are four hundred packages that nothing else here needs.
const SOURCES = fileURLToPath(new URL('clients', import.meta.url))

/** Commands that make a client of `openapi.json` below `generated/`. */
const GENERATORS = {
  'openapi-typescript': 'openapi-typescript openapi.json -o generated/openapi-typescript.ts',
  'hey-api': 'openapi-ts -i openapi.json -o generated/hey-api',
  'swagger-typescript-api':
    'swagger-typescript-api generate -p openapi.json -o generated -n swagger-typescript-api.ts',
  orval: 'orval --config orval.config.ts',
}
const NAMES = Object.keys(GENERATORS) as (keyof typeof GENERATORS)[]
const STRICT =
  'tsc --strict --target es2022 --module nodenext --lib es2022,dom,dom.iterable --outDir js'

type Named = { forecast_id: string }
/** What each client is used for; the folder's `client.ts` says it to the other TypeScript. */
type Open = (
  base: string,
  key: string,
) => {
  page(query: object): Promise<{ data: Named[]; pagination: { next_cursor: string | null } }>
  latest(): Promise<{ data: Named }>
}

const folder = temporaryFolder()
const served = await serve()
const base = `http://127.0.0.1:${served.port}`

function run(command: string, args: readonly string[]): void {
  const ran = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  expect(ran.status, `${command} ${args.join(' ')}\n${ran.stdout}${ran.stderr}`).toBe(0)
}
/** Runs a program of the folder's own packages. */
function own(line: string): void {
  const [program = '', ...args] = line.split(' ')
  run(join(folder, 'node_modules', '.bin', program), args)
}

beforeAll(() => {
  cpSync(SOURCES, folder, { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(openApiDocument({ baseUrl: base })))
  run('npm', ['ci', '--engine-strict', '--ignore-scripts', '--no-audit', '--no-fund'])
}, 600_000)

/** Makes a client and compiles it with the program that uses it; nothing in it may go unchecked. */
async function made(name: keyof typeof GENERATORS) {
  own(GENERATORS[name])
  if (name === 'swagger-typescript-api') {
    const file = join(folder, 'generated', `${name}.ts`)
    writeFileSync(file, readFileSync(file, 'utf8').replace('// @ts-nocheck\n', ''))
  }
  own(`${STRICT} ${name}.ts`)
  const module = await import(pathToFileURL(join(folder, 'js', `${name}.js`)).href)
  return module.open as Open
}

describe.each(NAMES)('a client made by %s', (name) => {
  let open: Open
  beforeAll(async () => {
    open = await made(name)
  }, 600_000)

  it('reads every forecast, page by page', async () => {
    const client = open(base, KEY)
    const ids: string[] = []
    for (let more = {}, cursor: string | null = ''; cursor !== null; more = { cursor }) {
      const { data, pagination } = await client.page({ limit: 100, ...more })
      ids.push(...data.map(({ forecast_id }) => forecast_id))
      cursor = pagination.next_cursor
    }
    expect(ids.length).toBe(360)
    expect(ids).toEqual(idsOf(served.historyPath))
    expect((await client.latest()).data.forecast_id).toBe(ids[0])
  })

  it('learns what is wrong', async () => {
    const wrong = { status: 400, code: 'invalid_request' }
    await expect(open(base, KEY).page({ limit: 1, cursor: 'no cursor' })).rejects.toMatchObject(
      wrong,
    )
    const unknown = { status: 401, code: 'invalid_request' }
    await expect(open(base, 'no-key-of-this-service').latest()).rejects.toMatchObject(unknown)
  })
})
