import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { digestWithout } from '../../src/document/digest.js'
import { rebaseLedger } from '../../src/gate/ledger-rebase.js'
import { freezeProtocol } from '../../src/protocol/freeze.js'
import { accessPath, appendAccess } from '../../src/protocol/readings.js'
import { chain, type LedgerEntry, withoutPosition } from '../../src/protocol/rules/entry.js'
import { documentOf, draftText } from '../protocol/sample.js'
import { put } from '../support/text-file.js'

const FOLDER = 'protocols'
const LEDGER = `${FOLDER}/ledger.jsonl`

/** What git gets, with any settings of this machine. */
export const GIT_ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_EDITOR: 'true',
  // No housekeeping after a commit, nor waiting for the disk: each takes longer than the commit.
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'gc.auto',
  GIT_CONFIG_VALUE_0: '0',
  GIT_CONFIG_KEY_1: 'maintenance.auto',
  GIT_CONFIG_VALUE_1: 'false',
  GIT_CONFIG_KEY_2: 'core.fsync',
  GIT_CONFIG_VALUE_2: 'none',
}

/** Runs the lines of a history script in a repository. The words are those of `STEPS`, or git's. */
export class HistoryScript {
  /** In microseconds; it goes on from what was frozen when the repository was made. */
  #clock: number
  #environment: NodeJS.ProcessEnv = GIT_ENVIRONMENT

  constructor(readonly root: string) {
    this.#clock = existsSync(join(root, LEDGER)) ? 2_000_000 : 0
  }

  run(line: string): void {
    const [word = '', ...args] = line.trim().split(/\s+/)
    const step = this.#steps[word]
    if (step === undefined) throw new Error(`no step ${word}`)
    step(...args)
  }

  git(...args: string[]): string {
    const options = { cwd: this.root, env: this.#environment, stdio: 'pipe' } as const
    return execFileSync('git', args, options).toString()
  }

  readonly #steps: Readonly<Record<string, (...args: string[]) => void>> = {
    /** freeze VERSION [PURPOSE] [SUPERSEDED]: with the tool, as a user would. */
    freeze: (version = '', purpose = '', supersedes) => {
      const draft = draftText(version, { purpose: purpose || 'p' })
      this.#clock += 1_000_000
      const options = { folder: join(this.root, FOLDER), now: this.#clock, supersedes }
      freezeProtocol(documentOf(draft), options)
    },
    /** read LETTER [COUNT]: the record of a registration whose digest is that letter, anew, with so many readings. */
    read: (letter = '', count = '1') => {
      const registration = letter.repeat(64)
      const path = accessPath(join(this.root, FOLDER), registration)
      rmSync(path, { force: true })
      for (let done = 0; done < Number(count); done++) {
        appendAccess(path, registration, () => ({
          ...{ event: 'outcomes_read', at: '2026-01-01T00:00:00Z' },
          registration_sha256: registration,
          ...{ vintage_sha256: registration, history_sha256: registration },
          ...{ code_sha256: registration, exploratory: false, result_sha256: null },
        }))
      }
    },
    /** readings: one of some registration, which the next freeze names. */
    readings: () => {
      this.run('read a')
      this.run('freeze named')
    },
    /** edit VERSION MEMBER VALUE: a top-level text or number, the digest left alone. */
    edit: (version = '', member = '', value = '') =>
      this.#change(version, (protocol) => ({ ...protocol, [member]: JSON.parse(value) })),
    /** floor VERSION NUMBER: a number deeper down. */
    floor: (version = '', value = '') =>
      this.#change(version, (protocol) => {
        const design = { ...(protocol.design as object), practical_effect_floor: Number(value) }
        return { ...protocol, design }
      }),
    /** forge VERSION PURPOSE: changed, with a digest that is right again. */
    forge: (version = '', purpose = '') =>
      this.#change(version, (protocol) => {
        const forged = { ...protocol, purpose }
        return { ...forged, protocol_sha256: digestWithout(forged, 'protocol_sha256') }
      }),
    /** rewrite VERSION HOW: another spelling of the same content. */
    rewrite: (version = '', how = '') => {
      const path = this.#path(version)
      const text = readFileSync(path, 'utf8')
      const value = JSON.parse(text)
      const spellings: Record<string, string> = {
        minified: JSON.stringify(value),
        tabs: JSON.stringify(value, null, '\t'),
        reversed: JSON.stringify(Object.fromEntries(Object.entries(value).reverse()), null, 2),
        crlf: text.replaceAll('\n', '\r\n'),
        number: text.replace('200000', '2.0e5'),
        bom: `\uFEFF${text}`,
        cut: text.slice(0, 2000),
      }
      writeFileSync(path, spellings[how] as string)
    },
    /** ledger edit|remove|repeat|forge N, ledger swap N M, ledger space N */
    ledger: (how = '', at = '', other = '') => {
      const lines = this.#lines()
      const i = Number(at) - 1
      const entry = JSON.parse(lines[i] ?? 'null') as LedgerEntry
      if (how === 'edit') lines[i] = JSON.stringify({ ...entry, frozen_at: '2000-01-01T00:00:00Z' })
      else if (how === 'remove') lines.splice(i, 1)
      else if (how === 'repeat') lines.push(lines[i] as string)
      else if (how === 'space') lines[i] = JSON.stringify(entry).replaceAll(',', ', ')
      else if (how === 'swap') {
        const j = Number(other) - 1
        ;[lines[i], lines[j]] = [lines[j] as string, lines[i] as string]
      } else if (how === 'forge') {
        // Every line from here on is chained anew: the chain alone shows nothing.
        const entries = lines.map((line) => JSON.parse(line) as LedgerEntry)
        const forged: LedgerEntry[] = entries.slice(0, i)
        for (const each of entries.slice(i)) {
          const fields = {
            ...withoutPosition(each),
            ...(each === entries[i] && { frozen_at: '2000-01-01T00:00:00Z' }),
          }
          forged.push(chain(fields as never, forged.at(-1)))
        }
        lines.splice(0, lines.length, ...forged.map((each) => JSON.stringify(each)))
      } else if (how === 'insert') {
        const before = i > 0 ? (JSON.parse(lines[i - 1] as string) as LedgerEntry) : undefined
        const fields = { ...withoutPosition(entry), protocol_version: 'x', file: 'x.json' }
        lines.splice(i, 0, JSON.stringify(chain(fields as never, before)))
      } else throw new Error(how)
      this.#writeLines(lines)
    },
    /** unmark: a conflict resolved by keeping both sides, as a hurried person would. */
    unmark: () => this.#writeLines(this.#lines().filter((line) => !/^(<{7}|={7}|>{7})/.test(line))),
    rebaseLedger: (base) => {
      rebaseLedger({ cwd: this.root, dir: FOLDER, base, env: {} })
    },
    crlfLedger: () => writeFileSync(join(this.root, LEDGER), this.#lines().join('\r\n') + '\r\n'),
    rm: (path = '') => rmSync(join(this.root, path), { recursive: true }),
    mv: (from = '', to = '') => renameSync(join(this.root, from), join(this.root, to)),
    cp: (from = '', to = '') =>
      cpSync(join(this.root, from), join(this.root, to), { recursive: true }),
    link: (path = '', to = '') => symlinkSync(to, join(this.root, path)),
    executable: (path = '') => chmodSync(join(this.root, path), 0o755),
    write: (path = '', ...words) => {
      put(join(this.root, path), `${words.join(' ')}\n`)
    },
    append: (path = '', ...words) => appendFileSync(join(this.root, path), `${words.join(' ')}\n`),
    /** clone ARGUMENTS: goes on in a clone of the repository, as a CI system would. */
    clone: (...args) => {
      const origin = `${this.root}.origin`
      renameSync(this.root, origin)
      execFileSync('git', ['-C', origin, 'config', 'uploadpack.allowFilter', 'true'])
      const words = ['clone', '-q', ...args, `file://${origin}`, this.root]
      for (const name of ['AnySHA1InWant', 'Filter'])
        words.unshift('-c', `uploadpack.allow${name}=true`)
      execFileSync('git', words, { env: GIT_ENVIRONMENT, stdio: 'pipe' })
    },
    commit: (...words) => {
      this.git('add', '-A')
      this.git('commit', '-q', '--allow-empty', '-m', words.join(' ') || 'step')
    },
    /** at MINUTE: the time of the commits that follow; git takes the later of two ancestors first. */
    at: (minute = '') => {
      const date = `2026-01-01T00:${minute}:00Z`
      this.#environment = { ...GIT_ENVIRONMENT, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
    },
    /** cross A B: the commits of two branches are merged into each other as they are; on B then. */
    cross: (a = '', b = '') => {
      const [ofA = '', ofB = ''] = [a, b].map((name) => this.git('rev-parse', name).trim())
      for (const [branch, other] of [
        [a, ofB],
        [b, ofA],
      ] as const) {
        this.git('checkout', '-q', branch)
        this.git('merge', '-q', '--no-ff', '-m', 'cross', other)
      }
    },
    /** base: what comes from here on is what the gate looks at. */
    base: () => void this.git('tag', '-f', 'base'),
    git: (...args) => void this.git(...args),
    /** conflict GIT...: a git command that has to stop with a conflict. */
    conflict: (...args) => {
      try {
        this.git(...args)
      } catch {
        return
      }
      throw new Error(`git ${args.join(' ')} was expected to conflict`)
    },
  }

  #path(version: string): string {
    return join(this.root, FOLDER, `${version}.json`)
  }

  #change(version: string, change: (protocol: Record<string, unknown>) => object): void {
    const path = this.#path(version)
    const protocol = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    writeFileSync(path, `${JSON.stringify(change(protocol), null, 2)}\n`)
  }

  #lines(): string[] {
    return readFileSync(join(this.root, LEDGER), 'utf8').split(/\r?\n/).filter(Boolean)
  }

  #writeLines(lines: readonly string[]): void {
    writeFileSync(join(this.root, LEDGER), lines.map((line) => `${line}\n`).join(''))
  }
}
