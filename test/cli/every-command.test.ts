import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { inProcess } from '../support/in-process.js'

describe('every command', () => {
  it.each(COMMANDS.map(({ name }) => name))('%s -h shows an example', async (name) => {
    const { code, stdout, stderr } = await inProcess([...name.split(' '), '-h'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/Examples:\s+.*foreproof /)
    expect(stdout).toContain(`foreproof ${name}`)
  })

  it.each(COMMANDS.map(({ name }) => name))('%s refuses an unknown option', async (name) => {
    const { code, stderr } = await inProcess([...name.split(' '), '--no-such-option'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^foreproof: /)
    expect(stderr).not.toContain('    at ')
  })
})

describe('the command line', () => {
  it('without a command prints the overview to standard error and exits 2', async () => {
    const { code, stdout, stderr } = await inProcess([])
    expect([code, stdout]).toEqual([2, ''])
    for (const { name } of COMMANDS) expect(stderr).toContain(`  ${name} `)
  })

  it('prints the overview to standard output when asked', async () => {
    const { code, stdout } = await inProcess('--help')
    expect(code).toBe(0)
    expect(stdout).toContain('Exit codes: 0 the check passed')
    const [, ...texts] = stdout.split(/^(?=\w+:\n)/m)
    const groups = Object.fromEntries(
      texts.map((text) => [
        /^\w+/.exec(text)?.[0],
        text.match(/^ {2}\S+(?: \S+)?(?= {2})/gm) ?? [],
      ]),
    )
    expect(Object.keys(groups)).toEqual([
      ...['Protocols', 'Data', 'Evaluation', 'Time', 'Service', 'Other'],
    ])
    expect(Object.values(groups).flat()).toHaveLength(COMMANDS.length)
    expect(groups.Evaluation?.slice(0, 2)).toEqual(['  power', '  register'])
    expect(groups.Time).toContain('  stamp')
  })

  it('prints its version', async () => {
    expect((await inProcess('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
