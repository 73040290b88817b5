import pg from 'pg'
import { describe, expect, it } from 'vitest'
import type { ForeproofError } from '../../../src/contract/error.js'
import { displayAddress, isPostgres, parseAddress } from '../../../src/store/postgres/address.js'
import { isLost, postgresError } from '../../../src/store/postgres/faults.js'
import { pageSql } from '../../../src/store/postgres/pages.js'
import { createTables } from '../../../src/store/postgres/tables.js'

describe('the URL of a history in PostgreSQL', () => {
  it.each([
    ['postgres://h/db', true],
    ['PostgreSQL://h/db', true],
    ['postgres.sqlite', false],
    ['./postgres://h', false],
    ['http://h/db', false],
  ])('is distinguished from a file by its scheme: %s', (name, is) =>
    expect(isPostgres(name)).toBe(is),
  )

  it.each([
    ['postgres://u:geheim@h:1/db', 'postgres://h:1/db'],
    ['postgresql://u:geheim@h/db?sslmode=require', 'postgres://h/db'],
    ['postgres://h/db?password=geheim&schema=a%20b', 'postgres://h/db?schema=a%20b'],
    ['postgres:///db?host=/run&password=geheim', 'postgres:///db'],
    ['postgres://u:a@geheim@h/db', 'postgres://h/db'],
    ['postgres://u:geheim@/db?host=/run', 'postgres:///db'],
    ['postgres://u:a#geheim@h/db', 'postgres://…'],
    ['postgres://u:geheim#@h/db', 'postgres://…'],
    ['postgres://u:12/geheim@h/db', 'postgres://…'],
    ['postgres://u:12?geheim@h/db', 'postgres://…'],
    ['postgres://geheim/x@h/db', 'postgres://…'],
    ['postgres://u:geheim@h:port/db', 'postgres://…'],
    ['postgres://u:gehe im@[h/db', 'postgres://…'],
  ])('never shows a password: %s', (url, shown) => {
    expect(displayAddress(url)).toBe(shown)
    const read = () => parseAddress(url)
    if (shown.endsWith('…')) expect(read).toThrow(/%2F for \/|cannot be read/)
    else expect(read().shown).toBe(shown)
  })

  it('keeps to itself what is not for the server', () => {
    const url = 'postgres://u:p@h/db?schema=s&pool=3&statement_timeout_ms=0&application_name=x'
    expect(parseAddress(url)).toMatchObject({
      url: 'postgres://u:p@h/db?application_name=x',
      schema: 's',
      pool: 3,
      statementTimeoutMs: 0,
    })
    expect(parseAddress('postgres://h/db')).toMatchObject({ schema: 'foreproof', pool: undefined })
  })

  it('has the certificate verified under each name that pg verifies it under', () => {
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      expect(parseAddress(`postgres://h/db?sslmode=${mode}`).url).toMatch('sslmode=verify-full')
    }
    expect(parseAddress('postgres://h/db?sslmode=disable').url).toMatch('sslmode=disable')
  })

  it("is read in libpq's form for a socket, which has no host behind the user", () => {
    const parsed = (url: string) => new pg.Client(parseAddress(url).url)
    for (const [url, user, password] of [
      ['postgres://me:p%2Fw+1@/c?host=/tmp&port=9120', 'me', 'p/w+1'],
      ['postgresql://me@/c?host=/tmp&port=9120', 'me', null],
    ] as const) {
      const where = { host: '/tmp', port: 9120, database: 'c' }
      expect(parsed(url)).toMatchObject({ ...where, user, password })
    }
  })

  it.each([
    ['sslmode=', /sslmode is empty/],
    ['sslmode=verify_full', /Give one of disable/],
    ['ssl=', /ssl is empty/],
    ['sslrootcert=', /sslrootcert is empty/],
    ['host=', /host is empty/],
    ['sslmode=require&uselibpqcompat=true', /no-verify alone does not/],
    ['uselibpqcompat=', /no-verify alone does not/],
    ['channel_binding=require', /does not bind channels/],
  ])('says what to write in the place of %s', (query, says) => {
    const read = () => parseAddress(`postgres://u:geheim@h/db?${query}`)
    expect(read).toThrow(expect.objectContaining({ code: 'usage' }))
    try {
      read()
    } catch (cause) {
      const { message, help } = cause as ForeproofError
      expect(`${message} ${help}`).toMatch(says)
      expect(`${message} ${help}`).not.toContain('geheim')
    }
  })

  it.each([
    'pool=0',
    'sslmod=verify-full',
    'SSLMODE=verify-full',
    'binary=true',
    'pool=-1',
    'pool=x',
    'pool=1&pool=2',
    'statement_timeout_ms=1.5',
    'schema=',
    'schema=pg_x',
    `schema=${'s'.repeat(64)}`,
  ])('is refused with %s', (query) => {
    expect(() => parseAddress(`postgres://u:geheim@h/db?${query}`)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('geheim') }),
    )
  })
})

const HISTORY = 'postgres://u@h/db'

/** What `pg` and Node.js reject with: a message, and a code where they have one. */
const fault = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('what goes wrong with a PostgreSQL server', () => {
  it.each([
    ['the server is stopped', fault('connect', { code: 'ECONNREFUSED' }), 'unavailable'],
    ['the host is unknown', fault('getaddrinfo ENOTFOUND h', { code: 'ENOTFOUND' }), 'not-found'],
    ['it has no connection left', fault('sorry', { code: '53300' }), 'unavailable'],
    ['it is asked to stop', fault('terminating', { code: '57P01' }), 'unavailable'],
    ['it is starting', fault('starting up', { code: '57P03' }), 'unavailable'],
    ['a statement takes too long', fault('canceling', { code: '57014' }), 'unavailable'],
    ['another writer holds the lock', fault('lock timeout', { code: '55P03' }), 'unavailable'],
    ['a replica ends a query', fault('conflict with recovery', { code: '40001' }), 'unavailable'],
    ['it answers nothing', fault('Query read timeout'), 'unavailable'],
    ['it accepts and says nothing', fault('timeout expired'), 'unavailable'],
    ['the pool is busy', fault('timeout exceeded when trying to connect'), 'unavailable'],
    ['the password is wrong', fault('password authentication failed', { code: '28P01' }), 'io'],
    ['no password is given', fault('SASL: client password must be a string'), 'io'],
    ['it takes no writes', fault('read-only transaction', { code: '25006' }), 'io'],
    ['its disk is full', fault('could not extend file', { code: '53100' }), 'io'],
    ['rights are missing', fault('permission denied', { code: '42501' }), 'io'],
    ['it has no TLS', fault('The server does not support SSL connections'), 'io'],
    ['its certificate is its own', fault('x', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'io'],
    ['there is no such database', fault('does not exist', { code: '3D000' }), 'not-found'],
    ['there are no tables', fault('does not exist', { code: '42P01' }), 'not-found'],
    ['a column is missing', fault('does not exist', { code: '42703' }), 'invalid-input'],
    ['a column has another type', fault('operator', { code: '42883' }), 'invalid-input'],
    ['a block is damaged', fault('invalid page', { code: 'XX001' }), 'invalid-input'],
    ['something is new', fault('never seen', { code: 'ZZ999' }), 'io'],
    ['it is no error at all', 'text', 'io'],
  ] as const)('is reported with the way out: %s', (_, cause, code) => {
    const error = postgresError(cause, HISTORY)
    expect(error).toMatchObject({ name: 'ForeproofError', code, file: HISTORY })
    expect(error.message.startsWith(`${HISTORY}: `)).toBe(true)
    expect(error.help).toMatch(/\.$/)
  })

  it('names the file where a certificate cannot be read', () => {
    const cause = fault('ENOENT', { code: 'ENOENT', syscall: 'open', path: 'root.crt' })
    expect(postgresError(cause, HISTORY)).toMatchObject({ code: 'not-found', file: 'root.crt' })
  })

  it('is asked again where only the connection went away', () => {
    const lost = ['57P01', '57P05', '08006', 'ECONNRESET', 'EPIPE']
    for (const code of lost) expect(isLost(fault('x', { code })), code).toBe(true)
    expect(isLost(fault('Connection terminated unexpectedly'))).toBe(true)
    const others = ['57014', '57P03', '53300', '40001', '42P01', 'ECONNREFUSED']
    for (const code of others) expect(isLost(fault('x', { code })), code).toBe(false)
  })
})

const after = { origin: 1, horizonHours: 2 }

describe('the SQL of a page in PostgreSQL', () => {
  it.each([
    { model: 'a\0b' },
    { runId: '\ud800' },
    { horizonHours: 2.5 },
    { horizonHours: Number.NaN },
  ])('asks nothing where no row can match: %j', (filters) => {
    expect(pageSql('s', { filters, limit: 5 })).toBeUndefined()
  })

  it('goes on after a name that the history cannot hold', () => {
    const at = (model: string, withAfter = false) => {
      const { sql = '', values = [] } =
        pageSql('s', { after: { ...after, model }, withAfter, limit: 5 }) ?? {}
      return [/f\.model (\S+) /.exec(sql)?.[1], values.at(-2)]
    }
    expect(at('ab')).toEqual(['>', 'ab'])
    expect(at('ab', true)).toEqual(['>=', 'ab'])
    // What is not ab itself, but begins with it, comes after it; ab does not.
    for (const end of ['\0', '\0c', '\ud800', '\udfff\u{1f600}']) {
      expect(at(`ab${end}`, true)).toEqual(['>', 'ab'])
    }
    expect(at('\u{1f600}', true)).toEqual(['>=', '\u{1f600}'])
  })

  it('names the schema of each table, under any name', () => {
    const { sql = '' } = pageSql('a"; drop', { limit: 5 }) ?? {}
    expect(sql.match(/FROM (?!\(|p\.)\S+/g)?.every((from) => from.startsWith('FROM "a""'))).toBe(
      true,
    )
  })
})

it.each(['a$1', 'a$$', 'a$&', 'a"b'])('tables are made in the schema of any name: %s', (schema) => {
  const made = (name: string) => createTables(name, '00').join('\n')
  const quoted = `"${schema.split('"').join('""')}"`
  expect(made(schema).split(quoted).join('"plain"')).toBe(made('plain'))
})
