import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as later } from 'node:timers/promises'
import { afterUse } from '../support/at-end.js'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'

const FIREFOX = '/usr/bin/firefox-esr'
const WEBKIT = '/usr/bin/WebKitWebDriver'
const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'
const SCREEN = '/usr/bin/Xvfb'

export const hasFirefox = existsSync(FIREFOX)
export const hasWebKit = [WEBKIT, MINI_BROWSER, SCREEN].every(existsSync)

/** A browser of Debian with one page, driven as W3C WebDriver says. */
export interface Driven {
  open(url: string): Promise<void>
  /** The body of a function that gets the arguments; what it returns is JSON. */
  run<T>(script: string, ...args: unknown[]): Promise<T>
}

function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...env } })
  afterUse(async () => {
    if (child.exitCode !== null || !child.kill()) return
    await once(child, 'exit')
  })
}

/** Asks again until there is an answer: a program that was started takes its time. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask()
    } catch (cause) {
      if (tries === 300) throw cause
      await later(100)
    }
  }
}

/** WebKitGTK, on a screen of its own that is not there. */
export async function openWebKit(): Promise<Driven> {
  const port = await freePort()
  const display = `:${port}`
  start(SCREEN, [display, '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'])
  start(WEBKIT, [`--port=${port}`], { DISPLAY: display })
  const ask = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    const { value } = (await answer.json()) as { value: { error?: string } | null }
    if (!answer.ok) throw new Error(JSON.stringify(value))
    return value
  }
  const options = { binary: MINI_BROWSER, args: ['--automation'] }
  const alwaysMatch = { 'webkitgtk:browserOptions': options }
  const made = await patiently(() => ask('session', { capabilities: { alwaysMatch } }))
  const { sessionId } = made as { sessionId: string }
  const session = `session/${sessionId}`
  afterUse(() => fetch(`http://127.0.0.1:${port}/${session}`, { method: 'DELETE' }))
  return {
    open: async (url) => void (await ask(`${session}/url`, { url })),
    run: async <T>(script: string, ...args: unknown[]) =>
      (await ask(`${session}/execute/sync`, { script, args })) as T,
  }
}

/** Firefox, over its own protocol: Debian has no geckodriver. */
export async function openFirefox(): Promise<Driven> {
  const port = await freePort()
  const profile = temporaryFolder()
  writeFileSync(`${profile}/user.js`, `user_pref('marionette.port', ${port});\n`)
  start(FIREFOX, ['--headless', '--marionette', '--no-remote', '--profile', profile])
  const socket = await patiently(async () => {
    const made = connect(port, '127.0.0.1')
    await once(made, 'connect')
    return made
  })
  afterUse(() => socket.destroy())
  const answers = marionette(socket)
  await answers.hello
  await answers.ask('WebDriver:NewSession', {})
  return {
    open: async (url) => void (await answers.ask('WebDriver:Navigate', { url })),
    run: async <T>(script: string, ...args: unknown[]) => {
      const said = await answers.ask('WebDriver:ExecuteScript', { script, args })
      return (said as { value: T }).value
    },
  }
}

/** Messages of Marionette: their length in bytes, a colon, and JSON `[kind, id, error, result]`. */
function marionette(socket: Socket) {
  const waiting = new Map<number, (answer: [unknown, unknown]) => void>()
  let rest = Buffer.alloc(0)
  let last = 0
  let greet: () => void = () => undefined
  const hello = new Promise<void>((resolve) => {
    greet = resolve
  })
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const colon = rest.indexOf(':')
      const end = colon + 1 + Number(rest.subarray(0, colon).toString())
      if (colon < 0 || rest.length < end) return
      const message: unknown = JSON.parse(rest.subarray(colon + 1, end).toString())
      rest = rest.subarray(end)
      if (!Array.isArray(message)) greet()
      else waiting.get(message[1])?.([message[2], message[3]])
    }
  })
  const ask = async (name: string, parameters: object): Promise<unknown> => {
    const id = ++last
    const answered = new Promise<[unknown, unknown]>((resolve) => waiting.set(id, resolve))
    const text = JSON.stringify([0, id, name, parameters])
    socket.write(`${Buffer.byteLength(text)}:${text}`)
    const [error, result] = await answered
    if (error !== null) throw new Error(JSON.stringify(error))
    return result
  }
  return { hello, ask }
}
