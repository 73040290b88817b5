import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { EXIT, type ExitCode, ForeproofError } from '../../contract/error.js'
import { formatUtc, MICROS_PER_SECOND } from '../../contract/instant.js'
import { createFileAtomic } from '../../files/atomic.js'
import { readRegular } from '../../files/regular.js'
import { isKeyName, KEY_TYPE, toVerifierKey } from '../../log/verifier-key.js'
import { jsonLogger } from '../../service/log.js'
import { serveWitness } from '../../witness/server.js'
import { WitnessState } from '../../witness/state.js'
import { type KnownLog, LARGEST_LOG_LIST, parseKnownLogs, Witness } from '../../witness/witness.js'
import { type Context, command, type Terminal } from '../command.js'
import { signingKey } from '../keys.js'
import { flag, needed, textOr, usage } from '../options.js'

export default command({
  examples: {
    'foreproof witness --init --name w1.example.org --key witness.pem --state witness.sqlite --logs logs.txt':
      'Run once, and again when the list has a new log; prints the key for policies',
    'foreproof witness --name w1.example.org --key witness.pem --state witness.sqlite --logs logs.txt':
      'Cosign for the logs of the list, until a signal stops it',
  },
  options: {
    init: flag('Make a missing key and state, add new logs, and exit'),
    'clock-was-ahead': flag(
      'Record that the clock was ahead, so that cosigning can continue, and exit',
    ),
    name: needed('Name of the witness, as in its key; it cannot be changed'),
    key: needed('Ed25519 private key (PEM)'),
    state: needed('SQLite file of its cosignatures; never restore it from a copy'),
    logs: needed('List of logs to cosign: logs/v0, then vkey, qpd and contact of each'),
    listen: { ...textOr('127.0.0.1:8090', 'Address and port to listen on'), read: addressIn },
  },
  run: async (args, context) => {
    const { init, name, key: file, state, logs: list, listen } = args
    if (!isKeyName(name)) {
      throw usage(
        `--name ${name}: not a name for a witness`,
        'A name has no white space and no +, such as w1.example.org.',
      )
    }
    const logs = parseKnownLogs(readRegular(list, LARGEST_LOG_LIST).toString('utf8'), list)
    if (init && !existsSync(file) && !existsSync(state)) createKeyFile(file)
    const key = signingKey(file)
    const vkey = toVerifierKey(name, key, KEY_TYPE.cosignature).text
    if (args['clock-was-ahead']) return resetClock(state, vkey, context)
    if (!init) return await serve({ name, key, logs, file: state, vkey }, listen, context)
    const origins = logs.map(({ origin }) => origin)
    const added = WitnessState.init(state, vkey, origins)
    context.stdout.write(`${vkey}\n${added.map((origin) => `added: ${origin}\n`).join('')}`)
    return EXIT.holds
  },
})

/** @throws {ForeproofError} `refused` unless the clock is behind the last cosignature. */
function resetClock(file: string, vkey: string, { stdout, now: clock }: Context): ExitCode {
  const state = WitnessState.open(file, vkey)
  try {
    const [ahead, now] = [state.lastTime(), Math.floor(clock() / MICROS_PER_SECOND)]
    if (now >= ahead) {
      throw new ForeproofError('refused', `${file}: the clock is not behind its last cosignature`, {
        file,
        help: 'Use this only if the clock was ahead when the witness cosigned, and is right now.',
      })
    }
    state.transaction(() => state.clockWasAhead(ahead, now))
    const [from, to] = [now, ahead].map((time) => formatUtc(time * MICROS_PER_SECOND))
    stdout.write(`cosigns again from ${from} on; its clock had reached ${to}\n`)
    return EXIT.holds
  } finally {
    state.close()
  }
}

interface Served {
  readonly name: string
  readonly key: KeyObject
  readonly logs: readonly KnownLog[]
  readonly file: string
  readonly vkey: string
}

/** Serves until a stop signal; running requests are answered. */
async function serve(
  { name, key, logs, file, vkey }: Served,
  at: ReturnType<typeof addressIn>,
  { stdout, stderr }: Terminal,
): Promise<ExitCode> {
  const logger = jsonLogger(stderr, () => new Date().toISOString())
  const state = WitnessState.open(file, vkey)
  try {
    const missing = logs.find(({ origin }) => !state.has(origin))
    if (missing !== undefined) {
      throw new ForeproofError('refused', `${file}: the state does not know ${missing.origin}`, {
        file,
        help: 'If the log is new to this witness, add it with --init. Otherwise this is another or an older state: do not use it.',
      })
    }
    const now = () => Math.floor(Date.now() / 1000)
    const alarm = (message: string) => logger.log('error', 'witness-alarm', message)
    const witness = new Witness({ name, key, logs, state, now, alarm })
    const asked = new Promise<void>((resolve) => {
      for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve())
    })
    const { url, close } = await serveWitness(witness, at, (cause) => alarm(String(cause)))
    stdout.write(`${vkey}\n`)
    for (const { origin } of logs) {
      const from = state.firstSize(origin)
      const start = from === undefined ? 'the first size that it cosigns' : `size ${from}`
      stdout.write(`${origin}: vouches from ${start} on\n`)
    }
    stdout.write(`listening on ${url}\n`)
    await asked
    await close()
    return EXIT.holds
  } finally {
    state.close()
  }
}

/** Readable by its owner only. */
function createKeyFile(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  createFileAtomic(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
  })
}

function addressIn(text: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^\[?([^\]]+?)\]?:(\d{1,5})$/.exec(text) ?? []
  if (host !== '' && Number(port) <= 65_535) return { host, port: Number(port) }
  throw usage(`--listen ${text}: not an address`, 'Give a host and a port, such as 127.0.0.1:8090.')
}
