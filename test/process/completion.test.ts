import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'

/** What the program offers after these words, the last of which may be cut short or empty. */
async function offered(line: string, shell = 'bash'): Promise<string[]> {
  const words = line.split(' ')
  const ran = await foreproof(['--get-yargs-completions', ...words], { env: { SHELL: shell } })
  expect(ran.code, ran.stderr).toBe(0)
  return ran.stdout.trimEnd().split('\n')
}

describe('completion', () => {
  it('offers the first words of all commands, each once', async () => {
    const firsts = new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))
    expect((await offered('foreproof ')).sort()).toEqual([...firsts].sort())
  })

  it.each([
    ['foreproof history ', ['import', 'verify', 'stats', 'export', 'pull']],
    ['foreproof validate --', ['--help', '--format', '--color']],
    ['foreproof history import --', ['--help', '--format', '--history', '--batch']],
    ['foreproof validate --format ', ['text', 'json', 'sarif', 'junit', 'github']],
    ['foreproof gate --format j', ['json', 'junit']],
    ['foreproof completion ', ['bash', 'zsh', 'fish']],
  ])('after "%s"', async (line, expected) => {
    expect(await offered(line)).toEqual(expect.arrayContaining(expected))
  })

  it('says what things are where the shell shows it', async () => {
    for (const [shell, between] of Object.entries({ zsh: ':', fish: '\t' })) {
      const line = `validate${between}Check that protocols have the right form`
      expect(await offered('foreproof ', shell)).toContain(line)
    }
  })

  it.each(['bash', 'zsh', 'fish'])('has a script for %s that asks in its form', async (shell) => {
    const { code, stdout } = await foreproof(['completion', shell], { env: { SHELL: '/bin/sh' } })
    expect(code).toBe(0)
    expect(stdout).toContain(`SHELL=${shell} foreproof --get-yargs-completions`)
  })

  const folder = temporaryFolder()
  it.runIf(spawnSync('bash', ['--version']).status === 0)('completes in bash', () => {
    symlinkSync(join(ROOT, 'bin/foreproof.js'), join(folder, 'foreproof'))
    const script = `
      source <(foreproof completion bash)
      COMP_WORDS=(foreproof gate --format j) COMP_CWORD=3
      _foreproof_yargs_completions
      echo "\${COMPREPLY[@]}"`
    const env = { ...process.env, PATH: [folder, process.env.PATH].join(delimiter) }
    const ran = spawnSync('bash', ['-c', script], { encoding: 'utf8', env })
    expect(ran.stdout, ran.stderr).toBe('json junit\n')
  })
})
