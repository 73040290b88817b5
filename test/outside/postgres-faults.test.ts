import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { inProcess } from '../support/in-process.js'
import { expectError, expectJson } from '../support/service/expect.js'
import { expectGone, expectWell } from '../support/service/gone.js'
import { get } from '../support/service/http.js'
import { eventually, type Served, serve, store } from '../support/service/serve.js'
import { expectHidden, moved } from './postgres-history.js'
import { PASSWORD, ROLE, startHaproxy, startPostgres } from './servers.js'
import { exchange, guide } from './snippets.js'

const { snippet } = guide('postgresql.md')

const server = await startPostgres()
let served: Served
let url = ''
let database = ''

/** A service whose history is where the URL leads, which may differ from where its rows were put. */
async function serveFrom(leads: (url: string) => string = (same) => same): Promise<Served> {
  store.moved = async (path) => {
    url = server.database()
    database = new URL(url).pathname.slice(1)
    await moved(path, url)
    // A request that meets a lock or a frozen server is not to wait for long, nor one of a busy machine to fail.
    return `${leads(url)}?statement_timeout_ms=2000`
  }
  return await serve()
}

const sql = (text: string) => server.sql(text, database)
/** Ends the connections that the services have. */
const KICK = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${ROLE}'`
const kick = () => sql(KICK)
const isWell = (service = served) => eventually(() => expectWell(service).then(() => true), 100_000)

/** Nothing that was said, to whomever, has the password. */
async function expectSilent(service: Served): Promise<void> {
  const metrics = await get(service.port, '/metrics')
  expect(await service.stop()).toBe(0)
  expectHidden(service.log, service.auditText(), metrics.text)
}

async function end(): Promise<void> {
  server.resume()
  await expectSilent(served)
}

// One service after the other: each test leaves its own well.
describe('the server', () => {
  beforeAll(async () => {
    served = await serveFrom()
    await expectWell(served)
  })
  afterAll(end)

  it('is stopped, and started again', async () => {
    await server.stop()
    await expectGone(served, 'history')
    await server.start()
    await isWell()
  })

  it('crashes while clients read: each answer is whole and has its line in the audit', async () => {
    const answers: { status: number; id: string }[] = []
    let reading = true
    const read = async (model: string) => {
      while (reading) {
        const got = await served.get(`/v1/forecasts?limit=5&model=${model}`)
        if (got.status === 200) expectJson(got, 200)
        else expectError(got, 503, 'history_unavailable')
        answers.push({ status: got.status, id: String(got.headers['x-request-id']) })
      }
    }
    const readers = ['alpha', 'beta', 'gamma', 'nobody'].map(read)
    const answered = (status: number) => {
      const from = answers.length
      return eventually(() => answers.slice(from).some((each) => each.status === status))
    }
    await answered(200)
    for (let time = 0; time < 2; time++) {
      await server.stop('SIGQUIT')
      await answered(503)
      await server.start()
      await answered(200)
    }
    reading = false
    await Promise.all(readers)
    expect(new Set(answers.map((each) => each.status))).toEqual(new Set([200, 503]))
    await isWell()
    await eventually(() => {
      const lines = new Map(served.audit().map((line) => [line.request_id, line.status]))
      return answers.every(({ id, status }) => lines.get(id) === status)
    })
  })

  it('ends every connection: the next request makes a new one', async () => {
    for (let time = 0; time < 3; time++) {
      kick()
      expectJson(await served.get(`/v1/forecasts?limit=${time + 1}`), 200)
    }
    await expectWell(served)
  })

  it('does not let the role in, and lets it in', async () => {
    for (const [spoil, mend] of [
      ['NOLOGIN', 'LOGIN'],
      ["PASSWORD 'another'", `PASSWORD '${PASSWORD}'`],
      // As where the server has no connection left.
      ['CONNECTION LIMIT 0', 'CONNECTION LIMIT -1'],
    ]) {
      sql(`ALTER ROLE ${ROLE} ${spoil}`)
      kick()
      await expectGone(served, 'history')
      sql(`ALTER ROLE ${ROLE} ${mend}`)
      await isWell()
    }
  })

  it('is slow: a lock that another holds makes no request wait for long', async () => {
    const { folder: host, port } = server
    const holder = new pg.Client({ host, port, user: 'admin', database })
    await holder.connect()
    await holder.query('BEGIN; LOCK TABLE foreproof.forecasts, foreproof.origins, foreproof.state')
    const started = performance.now()
    await expectGone(served, 'history')
    expect(performance.now() - started).toBeLessThan(60_000)
    await holder.query('ROLLBACK')
    await holder.end()
    await isWell()
  })

  it('hangs with its connections open, and goes on', async () => {
    server.pause()
    const started = performance.now()
    await expectGone(served, 'history')
    expect(performance.now() - started).toBeLessThan(60_000)
    server.resume()
    await isWell()
  })
})

describe('a schema that is not ours', () => {
  // One service for all: once its schema is gone it looks at what is there as if it started.
  const [hide, show] = ['foreproof RENAME TO away', 'away RENAME TO foreproof'].map(
    (change) => `ALTER SCHEMA ${change}`,
  ) as [string, string]
  beforeAll(async () => {
    served = await serveFrom((same) => {
      sql(hide)
      return same
    })
    await expectGone(served, 'history')
    sql(show)
    await isWell()
  })
  afterAll(end)

  const table = (change: string) => `ALTER TABLE foreproof.forecasts ${change}`
  const setting = (name: string, value: string) => [
    `ALTER ROLE ${ROLE} SET ${name} = ${value}`,
    `ALTER ROLE ${ROLE} RESET ${name}`,
  ]
  const version = (value: string) =>
    `UPDATE foreproof.meta SET value = '${value}' WHERE key = 'layout_version'`
  /** The type of a column, and what it is again. */
  const typed = (column: string, type: string, mended: string) =>
    [type, mended].map((each) => table(`ALTER ${column} TYPE ${each}`))
  const away = table('RENAME TO f')
  const back = 'ALTER TABLE foreproof.f RENAME TO forecasts'
  it.each<string[]>([
    ['gone', hide, show],
    ['without a table', away, back],
    ['without a column', table('RENAME q10_usd TO q'), table('RENAME q TO q10_usd')],
    ['with texts for instants', ...typed('target_at', 'text', 'bigint USING target_at::bigint')],
    ['with another collation', ...typed('model', 'text COLLATE "en-x-icu"', 'text COLLATE "C"')],
    [
      'with a view for a table',
      `${away}; CREATE VIEW foreproof.forecasts AS SELECT * FROM foreproof.f`,
      `DROP VIEW foreproof.forecasts; ${back}`,
    ],
    ['of a newer version', version('99'), version('1')],
    ['whose numbers come rounded', ...setting('extra_float_digits', '0')],
    [
      'whose role takes functions and operators of others for those of the server',
      ...setting('search_path', 'public, pg_catalog'),
    ],
    [
      'with a collation that is merely called C',
      `CREATE COLLATION public."C" (provider = icu, locale = 'en-US'); ${table('ALTER model TYPE text COLLATE public."C"')}`,
      table('ALTER model TYPE text COLLATE pg_catalog."C"'),
    ],
    [
      'with a table that a crash empties',
      ...['UNLOGGED', 'LOGGED'].map((kind) => `ALTER TABLE foreproof.log_stamps SET ${kind}`),
    ],
    [
      'without what counts its commits',
      'ALTER TABLE foreproof.state RENAME TO s; CREATE TABLE foreproof.state (LIKE foreproof.s INCLUDING ALL); GRANT SELECT ON foreproof.state TO foreproof',
      'DROP TABLE foreproof.state; ALTER TABLE foreproof.s RENAME TO state',
    ],
    [
      'without the right to read',
      // With a new revision, so that nothing is answered from memory.
      `REVOKE ALL ON foreproof.forecasts FROM ${ROLE}; UPDATE foreproof.state SET revision = revision + 1`,
      `GRANT ALL ON foreproof.forecasts TO ${ROLE}`,
    ],
  ])('%s is refused, and served when it is mended', async (what, spoil = '', mend = '') => {
    sql(hide)
    expectError(await served.get('/v1/forecasts?limit=1'), 503, 'history_unavailable')
    sql(`${show}; ${spoil}`)
    kick()
    await expectGone(served, 'history')
    for (const command of ['verify', 'stats']) {
      const ran = await inProcess(['history', command, '--history', url])
      // What only counts commits is nothing to a command, which reads one snapshot.
      expect(ran.code === 0, command).toBe(what === 'without what counts its commits')
      expect(ran.stderr).not.toMatch(/\bat .*:\d+|undefined|TypeError/)
      expectHidden(ran.stdout, ran.stderr)
    }
    sql(mend)
    kick()
    await isWell()
  })

  it('shadows nothing: neither the path of search, nor settings of the role', async () => {
    const before = (await served.get('/v1/forecasts?limit=3')).json.data
    sql(`CREATE TABLE public.forecasts (x int); CREATE TABLE public.origins (x int);
      CREATE FUNCTION public.max(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1';
      CREATE FUNCTION public.count(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1';
      CREATE FUNCTION public.never(bigint, numeric) RETURNS numeric LANGUAGE sql AS 'SELECT 1::numeric';
      CREATE OPERATOR public./ (leftarg = bigint, rightarg = numeric, function = public.never)`)
    const settings = [
      ...['search_path = public', 'extra_float_digits = 3', 'bytea_output = escape'],
      ...["DateStyle = 'SQL, DMY'", "TimeZone = 'Asia/Kathmandu'", 'client_encoding = LATIN1'],
      ...['standard_conforming_strings = off', 'default_transaction_isolation = serializable'],
      ...['default_transaction_read_only = on', 'quote_all_identifiers = on', 'row_security = off'],
    ]
    sql(settings.map((setting) => `ALTER ROLE ${ROLE} SET ${setting}`).join(';'))
    try {
      kick()
      const after = (await served.get('/v1/forecasts?limit=4')).json.data
      expect(after.slice(0, 3).map(ageless)).toEqual(before.map(ageless))
      await isWell()
      const verified = await inProcess(['history', 'verify', '--history', url])
      expect(verified).toMatchObject({ code: 0, stderr: '' })
    } finally {
      sql(`ALTER ROLE ${ROLE} RESET ALL`)
    }
  })
})

describe('a row that no resource can say, put in by hand', () => {
  const ROWS = [
    ['no number for a price', "price_usd = 'NaN'", 'beta', 2],
    ['an endless price', "price_usd = 'Infinity'", 'beta', 4],
    ['a bound above the other', 'q10_usd = 9e9', 'beta', 8],
    ['a target that is no time', 'target_at = 9223372036854775807', 'gamma', 2],
    ['a resource that is no JSON', "whole = '{'", 'gamma', 4],
    ['a change that is not that of the price', "change_pct = 'NaN'", 'gamma', 8],
  ] as const
  const newest = 'origin_at = (SELECT max(origin_at) FROM foreproof.origins)'
  const CHANGED = 'UPDATE foreproof.state SET revision = revision + 1'
  beforeAll(async () => {
    served = await serveFrom()
    await expectWell(served)
    const changes = ROWS.map(
      ([, change, model, horizon]) =>
        `UPDATE foreproof.forecasts SET ${change} WHERE model = '${model}' AND horizon_hours = ${horizon} AND ${newest}`,
    )
    sql([...changes, CHANGED].join(';'))
  })
  afterAll(end)

  it.each(ROWS)('has %s', async (_what, _change, model, horizon) => {
    const path = `/v1/forecasts?model=${model}&horizon_hours=${horizon}`
    expectError(await served.get(path), 500, 'internal_error')
    const last = () => String(served.events('contract-breach').at(-1)?.forecast)
    await eventually(() => last().endsWith(`:${model}:${horizon}`))
  })

  it('is named by verify, and the others are served', async () => {
    expect(served.events('contract-breach')).toHaveLength(ROWS.length)
    expectError(await served.get('/v1/forecasts'), 500, 'internal_error')
    expectJson(await served.get('/v1/forecasts?model=alpha'), 200)
    expectJson(await served.get('/v1/forecasts/latest'), 200)
    expect((await get(served.port, '/readyz')).status).toBe(200)
    const verified = await inProcess(['history', 'verify', '--history', url, '--format', 'json'])
    expect([verified.code, verified.stderr]).toEqual([1, ''])
    for (const [what, , model, horizon] of ROWS) {
      expect(verified.stdout, what).toContain(`, ${model}, ${horizon} h`)
    }
  })

  it('has an origin that is no time', async () => {
    sql(`INSERT INTO foreproof.origins SELECT 9223372036854775807, generated_at, source_name, pair,
        source_price_usd, regime, first_seen_at, last_seen_at, run_id, configuration_id, manifest_json
        FROM foreproof.origins LIMIT 1;
      INSERT INTO foreproof.forecasts (origin_at, horizon_hours, model, target_at, price_usd, change_pct,
        has_provenance) VALUES (9223372036854775807, 1, 'x', 1, 1, 1, false);
      ${CHANGED}`)
    expectError(await served.get('/v1/forecasts?model=x'), 500, 'internal_error')
    expectJson(await served.get('/v1/forecasts?model=alpha'), 200)
  })
})

describe('a replica', () => {
  afterEach(end)

  it('serves, is promoted, and is found through a proxy when the primary is gone', async () => {
    served = await serveFrom()
    const replica = await server.replica()
    const haproxy = await startHaproxy((port) => {
      const own = exchange(snippet('haproxy'), '127.0.0.1:5433', `127.0.0.1:${port}`)
      const one = exchange(own, '10.0.0.1:5432', `127.0.0.1:${server.port}`)
      return exchange(one, '10.0.0.2:5432', `127.0.0.1:${replica.port}`)
    })
    const behind = await serveFrom((to) => to.replace(`:${server.port}/`, `:${haproxy.port}/`))
    const reading = await serveFrom((to) => to.replace(`:${server.port}/`, `:${replica.port}/`))
    try {
      for (const each of [behind, reading]) await isWell(each)
      // What is written to the primary shows on the replica.
      await server.stop('SIGQUIT')
      await expectWell(reading)
      replica.promote()
      for (const each of [behind, reading]) await isWell(each)
    } finally {
      for (const each of [behind, reading]) await expectSilent(each)
      await server.start()
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a body, looked into member by member
const ageless = ({ freshness, ...rest }: any) => rest
