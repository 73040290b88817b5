import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { BIN, foreproof } from '../support/run.js'

/** A witness that runs in a process of its own. */
export class RunningWitness {
  url = ''
  process: ChildProcess | undefined
  /** What policies name it by. */
  vkey = ''

  /**
   * @param folder - of its key, state and list of logs, `logs.txt`, which is there.
   * @param through - the words of a program that starts it in its own place.
   */
  constructor(
    readonly name: string,
    readonly folder: string,
    readonly through: readonly string[] = [],
  ) {}

  get #options(): string[] {
    const { name, folder } = this
    const files = ['key', 'state', 'logs'].flatMap((each) => [
      `--${each}`,
      each === 'logs' ? `${folder}/logs.txt` : `${folder}/${name}.${each}`,
    ])
    return ['witness', '--name', `${name}.example`, ...files]
  }

  async init(): Promise<this> {
    const { code, stdout, stderr } = await foreproof([...this.#options, '--init'])
    if (code !== 0) throw new Error(stderr)
    this.vkey = stdout.split('\n')[0]!
    return this
  }

  /** @returns what it prints until it listens. */
  async start(port = 0): Promise<string> {
    const options = [...this.#options, '--listen', `127.0.0.1:${port}`]
    const [program = '', ...words] = [...this.through, process.execPath, BIN, ...options]
    this.process = spawn(program, words)
    let out = ''
    let err = ''
    this.process.stderr!.on('data', (chunk) => (err += chunk))
    for await (const chunk of this.process.stdout!) {
      out += chunk
      const [, url] = /listening on (\S+)\n/.exec(out) ?? []
      if (url === undefined) continue
      this.url = url
      return out
    }
    throw new Error(err)
  }

  /** @returns its exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const { process } = this
    if (process === undefined || (process.exitCode ?? process.signalCode) !== null) return null
    const ended = once(process, 'exit')
    process.kill(signal)
    return (await ended)[0] as number | null
  }

  /** The status and body of an answer; undefined where none came. */
  async ask(body: string): Promise<{ status: number; body: string } | undefined> {
    try {
      const answer = await fetch(`${this.url}/add-checkpoint`, { method: 'POST', body })
      return { status: answer.status, body: await answer.text() }
    } catch {
      return undefined
    }
  }
}
