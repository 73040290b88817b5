import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hideSecrets, withoutSecrets } from '../../src/contract/secrets.js'

it.each([
  ['history.sqlite', 'history.sqlite'],
  ['postgres://u:geheim@h:5432/db?sslmode=require', 'postgres://h:5432/db?…'],
  ["'postgres://u:geheim@h/db'", 'postgres://h/db'],
  [' "postgres://u:geheim@h/db" ', 'postgres://h/db'],
  ['postgres://u:geheim@[::1]:1/db', 'postgres://[::1]:1/db'],
  ['jdbc:postgresql://h/db?user=u&password=geheim', 'postgresql://h/db?…'],
  ['jdbc:sqlserver://h:1433;database=d;password=geheim', 'sqlserver://…'],
  ['postgres://h/db;password=geheim', 'postgres://h/…'],
  ['postgres://h/db password=geheim', 'postgres://h/db'],
  ['postgres://u:12/geheim@h/db', 'postgres://…'],
  ['postgres://u:a?geheim@h/db', 'postgres://…'],
  ['postgres://u:a#geheim@h/db', 'postgres://…'],
  ['postgres://u:a b"geheim@h/db', 'postgres://…'],
  ['redis://a:1,redis://u:geheim@b', 'redis://…'],
  ['https://hooks.example.org/in?token=geheim', 'https://hooks.example.org/in?…'],
  ['host=h user=u password=geheim dbname=d', '(not shown: it may hold a secret)'],
  ['host=h pass=geheim', '(not shown: it may hold a secret)'],
  ['host=h passwd = geheim', '(not shown: it may hold a secret)'],
  ['host=h pwd=geheim', '(not shown: it may hold a secret)'],
  ['PGPASSWORD=geheim', '(not shown: it may hold a secret)'],
  ['u:geheim@h/db', '(not shown: it may hold a secret)'],
  ['-----BEGIN PRIVATE KEY-----\ngeheim', '(not shown: a PEM file or key)'],
])('of %s it shows %s', (text, shown) => expect(withoutSecrets(text)).toBe(shown))

it('a message loses the secrets of what it quotes, however it quotes them', () => {
  const secret = 'postgres://u:"geh\\eim"@h/db'
  for (const message of [`${secret}: no such file`, `${JSON.stringify(secret)} is no path`]) {
    expect(hideSecrets(message, ['x', secret, 'postgres://u'])).not.toMatch(/geh/)
  }
  expect(hideSecrets('x is not there', ['x'])).toBe('x is not there')
})

it('never shows a password, in any spelling of an address that has one', () => {
  // A word that is in no address by accident, between any characters.
  const password = fc
    .tuple(fc.string({ maxLength: 6 }), fc.string({ maxLength: 6 }))
    .map(([a, b]) => `${a}Zq9wVx7${b}`)
  const around = fc.constantFrom('', ' ', '"', "'", 'jdbc:', '“', '\n', '(')
  const scheme = fc.constantFrom(
    'postgres',
    'postgresql',
    'redis',
    'rediss',
    'https',
    'mysql',
    's3',
  )
  fc.assert(
    fc.property(password, around, scheme, fc.nat(8), (secret, mark, name, form) => {
      const address = [
        `${name}://u:${secret}@h/db`,
        `${name}://:${secret}@h:1`,
        `${name}://u:${secret}@/db?host=/tmp`,
        `${name}://h/db?user=u&password=${secret}`,
        `${name}://h/db;password=${secret}`,
        `${name}:u:${secret}@h/db`,
        `host=h password=${secret} dbname=d`,
        `u:${secret}@h`,
        `-----BEGIN PRIVATE KEY-----\n${secret}`,
      ][form]!
      expect(withoutSecrets(`${mark}${address}${mark}`)).not.toContain('Zq9wVx7')
    }),
    { numRuns: 3000 },
  )
})
