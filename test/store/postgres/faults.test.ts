import { describe, expect, it } from 'vitest'
import { isLost, postgresError } from '../../../src/store/postgres/faults.js'

const HISTORY = 'postgres://u@h/db'

/** What `pg` and Node.js reject with: a message, and a code where they have one. */
const fault = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('what goes wrong with a PostgreSQL server', () => {
  it.each([
    [
      'the server is stopped',
      fault('connect ECONNREFUSED', { code: 'ECONNREFUSED' }),
      'unavailable',
    ],
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
