import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECRETS, SETTINGS } from '../../src/service/config/settings.js'
import { temporaryFolder } from '../support/folder.js'
import { foreproof, ROOT } from '../support/run.js'
import { healthReport } from '../support/service/history.js'

const LOADS = `
import json, sys, yaml
with open(sys.argv[1]) as file: print(json.dumps(list(yaml.safe_load_all(file))))
`
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

const folder = temporaryFolder()

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
    expect([portOf('http'), portOf('probes')]).toEqual([
      numberOf('--port'),
      numberOf('--probe-port'),
    ])
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
    const secret = [
      SECRETS.fingerprintSecret,
      SETTINGS.historyPath.variable,
      SETTINGS.limiter.variable,
    ] as string[]
    for (const { name, value, valueFrom } of env) {
      if (value?.startsWith('/') && !value.startsWith('/dev/')) {
        expect(
          mounts.some((mount: string) => value.startsWith(`${mount}/`)),
          name,
        ).toBe(true)
      }
      const { name: from, key } = valueFrom?.secretKeyRef ?? {}
      expect([name, from, key in SECRET]).toEqual(
        secret.includes(name) ? [name, 'forecast-api', true] : [name, undefined, false],
      )
    }
  })

  it('are a command line and variables that the program takes', async () => {
    const keys = join(folder, 'keys.json')
    const made = await foreproof(['keys', 'new', 'alice', '--keys', keys])
    expect(made.code).toBe(0)
    writeFileSync(join(folder, 'pipeline_health.json'), healthReport())
    const variables: Record<string, string> = {}
    for (const { name, value, valueFrom } of env) {
      variables[name] = value ?? SECRET[valueFrom.secretKeyRef.key]
    }
    variables[SETTINGS.keysFile.variable] = keys
    variables[SETTINGS.healthPath.variable] = join(folder, 'pipeline_health.json')
    const { code, stdout, stderr } = await foreproof(['serve', ...args, '--check'], {
      env: variables,
    })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).not.toContain('hidden')
    const taken = stdout.split('\n').map((line) => line.split(/ {2,}/))
    for (const name of Object.keys(variables)) {
      if (name === SECRETS.fingerprintSecret) continue
      expect(taken.find(([variable]) => variable === name)?.[2], name).toBe('environment')
    }
  })
})
