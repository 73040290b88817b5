import type { ServiceConfig } from './config.js'
import { SECRETS, SETTINGS, type Setting } from './settings.js'

/** The effective configuration for a person, one setting a line; of secrets only whether they are set. */
export function describeConfig({ settings, sources, keys, fingerprintSecret }: ServiceConfig) {
  const rows = Object.entries<Setting>(SETTINGS).map(([name, { variable, flag }]) => {
    const key = name as keyof typeof settings
    const from = sources[key] === 'flag' ? `--${flag}` : sources[key]
    return [variable, String(settings[key]) || '(none)', from] as const
  })
  const secret = fingerprintSecret === undefined ? 'made for each process' : '(set, not shown)'
  rows.push([SECRETS.keys, `(${keys.length} accepted, not shown)`, ''] as never)
  rows.push([SECRETS.fingerprintSecret, secret, ''] as never)
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length))
  return rows
    .map(([variable, value, from]) =>
      `${variable.padEnd(width(0))}  ${value.padEnd(width(1))}  ${from}`.trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('')
}
