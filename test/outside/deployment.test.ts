import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECRETS, SETTINGS } from '../../src/service/config/settings.js'
import { temporaryFolder } from '../support/folder.js'
import { freePort } from '../support/free-port.js'
import { inProcess } from '../support/in-process.js'
import { ROOT } from '../support/run.js'
import { healthReport, makeHistory } from '../support/service/history.js'
import { keysCommand, serve } from '../support/service/serve.js'

/** What a service needs, in files that a container may read. */
const folder = temporaryFolder()
makeHistory(join(folder, 'history.sqlite'))
writeFileSync(join(folder, 'pipeline_health.json'), healthReport())
keysCommand(folder, ['new', 'alice'])
chmodSync(folder, 0o755)
for (const name of ['history.sqlite', 'pipeline_health.json', 'keys.json']) {
  chmodSync(join(folder, name), 0o644)
}

/** The settings that `serve --check` shows, by the columns of its lines. */
async function checked(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, stdout, stderr } = await inProcess(['serve', ...args, '--check'], env)
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).not.toContain('hidden')
  return stdout.split('\n').map((line) => line.split(/ {2,}/))
}

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
const variables = said('ENV').flatMap((text) => text.trim().split(/ +/))
/** The words of an instruction that runs a program without a shell. */
const wordsOf = (text: string): string[] => JSON.parse(text.replace(/^[^[]*/, ''))

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
      expect(['npm', 'rm', 'node']).toContain(wordsOf(text)[0])
    }
    expect(said('ADD', steps)).toEqual([])
    const copied = said('COPY', steps.slice(0, -last.length))
    const taken = copied.flatMap((text) => text.split(' ').slice(0, -1))
    for (const path of taken) expect([path, existsSync(join(ROOT, path))]).toEqual([path, true])
    const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const folders = files.filter((name: string) => !/\.md$|LICENSE|docs|dist/.test(name))
    expect(taken).toEqual(expect.arrayContaining(folders))
  })

  it('names variables that the service takes', async () => {
    const here: Record<string, string> = {}
    for (const [name = '', value = ''] of variables.map((each) => each.split('='))) {
      here[name] = value.replace(/^\/(?:data|run\/secrets)\/(?:.*\/)?/, `${folder}/`)
    }
    const shown = await checked(here)
    for (const [name, value] of Object.entries(here)) {
      if (name !== 'NODE_ENV') expect(shown).toContainEqual([name, value, 'environment'])
    }
  })

  it('knows whether the service lives', async () => {
    const [program = '', ...args] = wordsOf(said('HEALTHCHECK').join(''))
    const statusAt = (port: number) => {
      const env = { PATH: process.env.PATH, BTC_FORECAST_API_PORT: String(port) }
      return spawnSync(program, args, { env }).status
    }
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

const LOADS =
  'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))'
// biome-ignore lint/suspicious/noExplicitAny: documents are looked into member by member
const documents: any[] = JSON.parse(
  String(
    spawnSync('/usr/bin/python3', ['-c', LOADS, join(ROOT, 'docs/operating/kubernetes.yaml')])
      .stdout,
  ),
)
const kindOf = (kind: string) => documents.find((each) => each.kind === kind)
const deployment = kindOf('Deployment')
const pod = deployment.spec.template
const [container] = pod.spec.containers
const args: string[] = container.args
// biome-ignore lint/suspicious/noExplicitAny: as above
const env: any[] = container.env
const numberOf = (flag: string) => Number(args[args.indexOf(flag) + 1])
const portOf = (name: string) =>
  container.ports.find((each: { name: string }) => each.name === name)?.containerPort

/** What the Secret holds. */
const SECRET: Readonly<Record<string, string>> = {
  history: 'postgres://reader:hidden-1@postgres.example.org/forecasts?sslmode=verify-full',
  limiter: 'rediss://:hidden-2@redis.example.org:6379',
  'fingerprint-secret': 'hidden-3',
}

describe('the manifests', () => {
  it('are of one kind each, and find each other by their labels', () => {
    const kinds = documents.map((each) => each.kind)
    expect(kinds).toEqual(['Deployment', 'Service', 'PodDisruptionBudget'])
    const labels = pod.metadata.labels
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(kindOf('Service').spec.selector).toEqual(labels)
    expect(kindOf('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
    expect(kindOf('PodDisruptionBudget').spec.maxUnavailable).toBeLessThan(deployment.spec.replicas)
    expect(deployment.spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
  })

  it('name ports that the container listens on', () => {
    const ports = [numberOf('--port'), numberOf('--probe-port')]
    expect([portOf('http'), portOf('probes')]).toEqual(ports)
    const [exposed] = kindOf('Service').spec.ports
    expect([kindOf('Service').spec.ports.length, exposed.targetPort]).toEqual([1, 'http'])
    // Readiness as well: stale data must not leave the Service without a pod.
    for (const probe of ['livenessProbe', 'readinessProbe']) {
      expect(container[probe].httpGet).toEqual({ path: '/livez', port: 'probes' })
    }
    expect(Number(pod.metadata.annotations['prometheus.io/port'])).toBe(portOf('probes'))
  })

  it('give a stopping pod the time that it needs', () => {
    const drain = numberOf('--drain-seconds')
    const { periodSeconds, failureThreshold } = container.readinessProbe
    expect(drain).toBeGreaterThan(periodSeconds * failureThreshold)
    // Ten seconds for answers that peers do not take, five for the audit log.
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain + 15)
    expect(container.lifecycle).toBeUndefined()
  })

  it('mount what the variables name, and take every secret from a Secret', () => {
    const mounts = container.volumeMounts.map((each: { mountPath: string }) => each.mountPath)
    const volumes = pod.spec.volumes.map((each: { name: string }) => each.name)
    expect(container.volumeMounts.map((each: { name: string }) => each.name)).toEqual(volumes)
    const { historyPath, limiter } = SETTINGS
    const secret: string[] = [SECRETS.fingerprintSecret, historyPath.variable, limiter.variable]
    for (const { name, value, valueFrom } of env) {
      if (value?.startsWith('/') && !value.startsWith('/dev/')) {
        const isMounted = mounts.some((mount: string) => value.startsWith(`${mount}/`))
        expect([name, isMounted]).toEqual([name, true])
      }
      const { name: from, key } = valueFrom?.secretKeyRef ?? {}
      expect([name, from, key in SECRET]).toEqual(
        secret.includes(name) ? [name, 'forecast-api', true] : [name, undefined, false],
      )
    }
  })

  it('are a command line and variables that the program takes', async () => {
    const given: Record<string, string> = {}
    for (const { name, value, valueFrom } of env) {
      given[name] = value ?? SECRET[valueFrom.secretKeyRef.key]
    }
    given[SETTINGS.keysFile.variable] = join(folder, 'keys.json')
    given[SETTINGS.healthPath.variable] = join(folder, 'pipeline_health.json')
    const taken = await checked(given, ...args)
    for (const name of Object.keys(given)) {
      if (name === SECRETS.fingerprintSecret) continue
      expect(taken.find(([variable]) => variable === name)?.[2], name).toBe('environment')
    }
  })
})
