import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { inProcess } from '../support/in-process.js'

describe('every command', () => {
  it.each(COMMANDS.map(({ name }) => name))('%s --help shows an example', async (name) => {
    const { code, stdout, stderr } = await inProcess([...name.split(' '), '--help'])
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/Examples:\s+.*foreproof /)
  })

  it.each(COMMANDS.map(({ name }) => name))('%s refuses an unknown option', async (name) => {
    const { code, stderr } = await inProcess([...name.split(' '), '--no-such-option'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^foreproof: /)
    expect(stderr).not.toContain('    at ')
  })
})
