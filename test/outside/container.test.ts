import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { foreproof, ROOT } from '../support/run.js'
import { healthReport, makeHistory } from '../support/service/history.js'
import { serve } from '../support/service/serve.js'

const RECIPE = join(ROOT, 'docs/operating/Containerfile')
/** Every instruction with what it says, continued lines as one. */
const steps = readFileSync(RECIPE, 'utf8')
  .replaceAll('\\\n', '')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => /^(\w+) +(.*)$/.exec(line)?.slice(1) as [string, string])
const last = steps.slice(steps.findLastIndex(([name]) => name === 'FROM'))
const said = (name: string, among = last) =>
  among.filter(([each]) => each === name).map(([, text]) => text)
const variables: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...said('ENV')
      .join(' ')
      .matchAll(/(\w+)=(\S+)/g),
  ].map(([, name, value]) => [name ?? '', value ?? '']),
)

const folder = temporaryFolder()
beforeAll(async () => {
  makeHistory(join(folder, 'history.sqlite'))
  writeFileSync(join(folder, 'pipeline_health.json'), healthReport())
  const keys = join(folder, 'keys.json')
  expect((await foreproof(['keys', 'new', 'alice', '--keys', keys])).code).toBe(0)
  for (const name of ['', 'history.sqlite', 'pipeline_health.json', 'keys.json']) {
    chmodSync(join(folder, name), name === '' ? 0o755 : 0o644)
  }
})

describe('the recipe of the image', () => {
  it('runs no shell and no root, needs Node alone, and takes what is there', () => {
    const [user = ''] = said('USER')
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/)
    expect(last.findIndex(([name]) => name === 'USER')).toBeLessThan(
      last.findIndex(([name]) => name === 'ENTRYPOINT'),
    )
    for (const text of said('FROM', steps)) {
      expect(text).toMatch(/^docker\.io\/library\/node:\d+-slim(?: AS build)?$/)
    }
    const programs = [...said('RUN', steps), ...said('ENTRYPOINT'), ...said('HEALTHCHECK')]
    expect(programs.length).toBeGreaterThan(3)
    for (const text of programs) {
      const [program] = JSON.parse(text.replace(/^[^[]*/, ''))
      expect(['npm', 'rm', 'node']).toContain(program)
    }
    expect(said('ADD', steps)).toEqual([])
    const taken = said('COPY', steps.slice(0, -last.length)).flatMap((text) =>
      text.split(' ').slice(0, -1),
    )
    for (const path of taken) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const folders = files.filter((name: string) => !/\.md$|LICENSE|docs|dist/.test(name))
    expect(taken).toEqual(expect.arrayContaining(folders))
  })

  it('names variables that the service takes', async () => {
    const here: Record<string, string> = { ...variables }
    for (const [name, value] of Object.entries(variables)) {
      if (/^\/(?:data|run\/secrets)\//.test(value))
        here[name] = value.replace(/^.*\//, `${folder}/`)
    }
    const { code, stdout, stderr } = await foreproof(['serve', '--check'], { env: here })
    expect([code, stderr]).toEqual([0, ''])
    for (const [name, value] of Object.entries(here)) {
      if (name !== 'NODE_ENV') expect(stdout).toMatch(new RegExp(`^${name} +${value} `, 'm'))
    }
  })

  it('knows whether the service lives', async () => {
    const [program, ...args] = JSON.parse(
      said('HEALTHCHECK')
        .join('')
        .replace(/^[^[]*/, ''),
    )
    const statusAt = (port: number) =>
      spawnSync(program, args, {
        env: { PATH: process.env.PATH, BTC_FORECAST_API_PORT: String(port) },
      }).status
    const served = await serve()
    expect(statusAt(served.port)).toBe(0)
    expect(statusAt(await freePort())).toBe(1)
  })

  it('is built, and its service starts with a read-only file system, where there is a builder', () => {
    const run = (program: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: ROOT })
      return { code: status, said: `${stdout}${stderr}` }
    }
    const builder = ['podman', 'docker'].find((each) => run(each, 'info').code === 0)
    if (builder === undefined) return console.warn('container: NOT BUILT, no podman or docker runs')
    const built = run(builder, 'build', '-f', RECIPE, '-t', 'foreproof-test', '.')
    if (built.code !== 0 && /docker\.io|registry|pull/i.test(built.said.slice(-600))) {
      return console.warn(`container: NOT BUILT, the base image cannot be had: ${built.said}`)
    }
    expect(built.code, built.said).toBe(0)
    const mounts = ['/data', '/run/secrets'].map((place) => `--volume=${folder}:${place}:ro`)
    const shut = ['--read-only', '--cap-drop=all', '--network=none', '--memory=512m']
    const checked = run(builder, 'run', '--rm', ...shut, ...mounts, 'foreproof-test', '--check')
    expect(checked.said).toMatch(/^history +newest origin/m)
    expect(checked.code, checked.said).toBe(0)
    run(builder, 'rmi', 'foreproof-test')
  })
})
