import { describe, expect, it } from 'vitest'
import { isPostgres, readAddress, shownAddress } from '../../../src/store/postgres/address.js'

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
    ['postgres://u:geheim@h:1/db', 'postgres://u@h:1/db'],
    ['postgresql://u:geheim@h/db?sslmode=require', 'postgres://u@h/db'],
    ['postgres://h/db?password=geheim&schema=a%20b', 'postgres://h/db?schema=a%20b'],
    ['postgres:///db?host=/run&password=geheim', 'postgres:///db'],
    ['postgres://u:a@geheim@h/db', 'postgres://u@h/db'],
    ['postgres://u:a#geheim@h/db', 'postgres://…'],
    ['postgres://u:geheim#@h/db', 'postgres://…'],
    ['postgres://u:12/geheim@h/db', 'postgres://…'],
    ['postgres://u:12?geheim@h/db', 'postgres://…'],
    ['postgres://geheim/x@h/db', 'postgres://…'],
    ['postgres://u:geheim@h:port/db', 'postgres://…'],
    ['postgres://u:gehe im@[h/db', 'postgres://…'],
  ])('never shows a password: %s', (url, shown) => {
    expect(shownAddress(url)).toBe(shown)
    const read = () => readAddress(url)
    if (shown.endsWith('…')) expect(read).toThrow(/%2F for \/|cannot be read/)
    else expect(read().shown).toBe(shown)
  })

  it('keeps to itself what is not for the server', () => {
    const url = 'postgres://u:p@h/db?schema=s&pool=3&statement_timeout_ms=0&application_name=x'
    expect(readAddress(url)).toMatchObject({
      url: 'postgres://u:p@h/db?application_name=x',
      schema: 's',
      pool: 3,
      statementTimeoutMs: 0,
    })
    expect(readAddress('postgres://h/db')).toMatchObject({ schema: 'foreproof', pool: undefined })
  })

  it('has the certificate verified under each name that pg verifies it under', () => {
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      expect(readAddress(`postgres://h/db?sslmode=${mode}`).url).toMatch('sslmode=verify-full')
    }
    for (const kept of ['sslmode=disable', 'sslmode=require&uselibpqcompat=true']) {
      expect(readAddress(`postgres://h/db?${kept}`).url).toMatch(kept)
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
    expect(() => readAddress(`postgres://u:geheim@h/db?${query}`)).toThrow(
      expect.objectContaining({ code: 'usage', message: expect.not.stringContaining('geheim') }),
    )
  })
})
