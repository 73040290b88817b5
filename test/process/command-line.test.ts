import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { foreproof } from '../support/run.js'

describe('the command line', () => {
  it('without a command prints the overview to standard error and exits 2', async () => {
    const { code, stdout, stderr } = await foreproof([])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    for (const { name } of COMMANDS) expect(stderr).toContain(`  ${name} `)
  })

  it('prints the overview to standard output when asked', async () => {
    const { code, stdout } = await foreproof(['--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('Exit codes: 0 the check passed')
    const groups = stdout.split(/^(\w+):\n/m).slice(1)
    const listed = Object.fromEntries(
      groups.flatMap((text, index) =>
        index % 2 === 0 ? [[text, groups[index + 1]?.match(/^ {2}\S+(?: \S+)?(?= {2})/gm)]] : [],
      ),
    )
    expect(Object.keys(listed)).toEqual([
      'Protocols',
      'Data',
      'Evaluation',
      'Time',
      'Service',
      'Other',
    ])
    expect(Object.values(listed).flat()).toHaveLength(COMMANDS.length)
    expect(listed.Evaluation?.slice(0, 2)).toEqual(['  power', '  register'])
    expect(listed.Time).toContain('  stamp')
  })

  it('prints its version', async () => {
    expect((await foreproof(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('suggests the command that was meant', async () => {
    const { code, stderr } = await foreproof(['valdate'])
    expect(code).toBe(2)
    expect(stderr).toContain('foreproof validate')
  })

  it('names the members of a group', async () => {
    const { code, stderr } = await foreproof(['history'])
    expect(code).toBe(2)
    expect(stderr).toContain('import')
  })
})
