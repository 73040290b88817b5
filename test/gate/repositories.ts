import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { ForeproofError } from '../../src/contract/error.js'
import type { Finding } from '../../src/contract/findings/finding.js'
import { runGate } from '../../src/gate/gate.js'
import type { GateOptions } from '../../src/gate/inputs.js'
import { temporaryFolder } from '../support/folder.js'
import { HistoryScript } from './history-script.js'

/** What a gate finds, shown so, or the code of its error. */
export function gateFinds(options: GateOptions, shown: (finding: Finding) => string): string[] {
  try {
    return runGate(options).findings.map(shown)
  } catch (error) {
    if (error instanceof ForeproofError) return [`!${error.code}`]
    throw error
  }
}

/** Repositories that are alike at first: v1 was frozen, then `base`, then v1 was edited and the edit undone. */
export class Repositories {
  readonly #folder = temporaryFolder()
  readonly #template = join(this.#folder, 'template')
  #count = 0
  #script = new HistoryScript(this.#template)

  constructor() {
    new HistoryScript(this.#folder).git('init', '-q', '-b', 'main', this.#template)
    this.run('freeze v1', 'commit', 'base', 'edit v1 purpose "o"', 'commit')
    this.run('git revert --no-edit HEAD', 'write a.txt a', 'commit')
  }

  /** The next one; what follows is done there. */
  next(): void {
    const root = join(this.#folder, `r${++this.#count}`)
    cpSync(this.#template, root, { recursive: true })
    this.#script = new HistoryScript(root)
  }

  get root(): string {
    return this.#script.root
  }

  get git() {
    return this.#script.git.bind(this.#script)
  }

  run(...lines: readonly string[]): void {
    for (const line of lines) this.#script.run(line)
  }

  id(name: string): string {
    return this.git('rev-parse', name).trim()
  }

  /** The codes of what a gate finds there, or that of its error. */
  gate(options: Partial<GateOptions> = {}): string[] {
    const usual = { cwd: this.root, dir: 'protocols', base: 'base', env: {} }
    return gateFinds({ ...usual, ...options }, ({ code }) => code)
  }
}
