/** No container engine and no cluster is at hand: what can be known of these files without is known here. */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import t, { type Test } from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { engineOrSkip } from '../../shared/testing/engines.ts'
import { houseFaults as composeHouseFaults, type Compose } from './deploy/compose.ts'
import {
  addressFaults, envOf, houseFaults as clusterFaults, readCluster, type Cluster, type Manifest
} from './deploy/kubernetes.ts'
import { natsRefusals } from './deploy/nats.ts'
import { composeFaults, kubernetesFaults, type Faults } from './deploy/schemas.ts'
import { isSetting, twin } from './deploy/ours.ts'

const text = (path: string): string => readFileSync(path, 'utf8')

t.test('docker-compose.yml', async t => {
  const compose: Compose = parse(text('docker-compose.yml'), { merge: true })
  const bySchema = composeFaults()
  t.same(bySchema(compose), [], 'is as the compose specification says')
  t.same(composeHouseFaults(compose), [], 'names what there is, and bounds every container')

  const wrongForSchema: Array<[string, (compose: Compose) => void]> = [
    ['a misspelt key', ({ services }) => { services.nats!.mem_limitt = '1g' }],
    ['ports that are no list', ({ services }) => { services['front-door']!.ports = { 80: 8080 } as never }],
    ['a command that is a number', ({ services }) => { services.viva!.command = 7 as never }],
    ['a misspelt section', compose => { (compose as any).volume = {} }],
    ['a number of replicas in words', ({ services }) => { services.parsing!.deploy = { replicas: 'two' } }]
  ]
  for (const [what, change] of wrongForSchema) t.not(bySchema(twin(compose, change)).length, 0, `${what} is refused`)

  const wrongForUs: Array<[RegExp, (compose: Compose) => void]> = [
    [/no script/, ({ services }) => { services.parsing!.command = ['scripts/run.mjs', 'services/parser/main.ts'] }],
    [/no script/, ({ services }) => { delete services.scoring!.command }],
    [/no setting/, ({ services }) => { services.viva!.environment!.UPSTREAM = 'x' }],
    [/nobody sets/, ({ services }) => { services.viva!.environment!.LOG_LEVEL = '${LOGLEVEL:-info}' }], // eslint-disable-line no-template-curly-in-string
    [/does not listen/, ({ services }) => { services.parsing!.environment!.SCORING_URL = 'http://scoring:4105' }],
    [/no service/, ({ services }) => { services.parsing!.environment!.MONGO_URL = 'mongodb://u:p@mango:27017/viva' }],
    [/not pinned/, ({ services }) => { services.nats!.image = 'nats:latest' }],
    [/not pinned/, ({ services }) => { services.mongo!.image = 'mongo' }],
    [/beyond this machine/, ({ services }) => { services['front-door']!.ports = ['8080:8080'] }],
    [/beyond this machine/, ({ services }) => { services.viva!.ports = ['0.0.0.0:8080:8080'] }],
    [/publishes/, ({ services }) => { services.mongo!.ports = ['127.0.0.1:27017:27017'] }],
    [/no mem_limit/, ({ services }) => { delete services.vllm!.mem_limit }],
    [/no healthcheck/, ({ services }) => { delete services.grafana!.healthcheck }],
    [/no user/, ({ services }) => { delete services.prometheus!.user }],
    [/is root/, ({ services }) => { services.nats!.user = '0:0' }],
    [/write to its root/, ({ services }) => { services.inference!.read_only = false }],
    [/not there/, ({ services }) => { services.nats!.volumes![0] = './deploy/nats.cnf:/etc/nats/nats.conf:ro' }],
    [/no secret/, ({ services }) => { services.grafana!.secrets = ['other'] }],
    [/limits the front door/, ({ services }) => { delete services.scoring!.environment!.RATE_PER_MINUTE }],
    [/as many parsers/, ({ services }) => { delete services.viva!.environment!.PARSING_PROCESSES }],
    [/stage/, ({ services }) => { services.nats!.build!.target = 'natz' }]
  ]
  for (const [fault, change] of wrongForUs) {
    t.match(composeHouseFaults(twin(compose, change)).join('\n'), fault, String(change).slice(0, 90))
  }
  const stages = text('deploy/Dockerfile').split('\n').filter(line => line.startsWith('FROM '))
  t.same(stages.filter(line => !/^FROM \S+:\d+\.\d+\.\d+\S* AS \w+$/.test(line)), [], 'the images that ours builds on are pinned')
  t.match(text('deploy/Dockerfile'), /^USER 1000:1000$/m)
})

t.test('deploy/kubernetes', async t => {
  const [base, vllm] = [readCluster('deploy/kubernetes'), readCluster('deploy/kubernetes/vllm')]
  t.same([...clusterFaults(base), ...clusterFaults(vllm)], [], 'names what there is, and bounds every pod')
  for (const file of ['settings.env', 'keys.env']) {
    t.same(addressFaults(envOf(`deploy/kubernetes/base/${file}`), base), [], `${file} leads to Services`)
  }
  t.match(addressFaults({ NATS_URL: 'nats://a:b@nats:4223' }, base), ['NATS_URL leads to nats:4223, which is no Service'])
  for (const [path, copy] of [['deploy/nats.conf', 'nats.conf'], ['deploy/mongo/init.js', 'mongo-init.js']]) {
    t.equal(text(`deploy/kubernetes/base/${copy}`), text(path as string), 'kustomize reads only its own folder: a copy that is one')
  }
  clusterTwins(t, base)
  await againstSchemas(t, vllm.manifests)
})

function clusterTwins (t: Test, base: Cluster): void {
  const pod = ({ manifests }: Cluster, name: string): Manifest => manifests
    .find(({ metadata, spec }) => metadata.name === name && spec.template !== undefined).spec.template
  const container = (cluster: Cluster, name: string): Manifest => pod(cluster, name).spec.containers[0]
  const one = (cluster: Cluster, wanted: string): Manifest =>
    cluster.manifests.find(({ kind }) => kind === wanted)
  const wrong: Array<[RegExp, (cluster: Cluster) => void]> = [
    [/no script/, c => { container(c, 'parsing').args[1] = 'services/parsing/start.ts' }],
    [/no setting/, c => { container(c, 'scoring').env.push({ name: 'SCORINGS', value: '1' }) }],
    [/limits the front door/, c => { container(c, 'scoring').env.pop() }],
    [/no setting/, c => { c.generated['viva-settings']!.push('LOGLEVEL') }],
    [/which nobody makes/, c => { container(c, 'scoring').envFrom[0].configMapRef.name = 'settings' }],
    [/which nobody makes/, c => { container(c, 'nats').env[0].valueFrom.secretKeyRef.key = 'PASSWORD' }],
    [/not pinned/, c => { container(c, 'mongo').image = 'mongo:8' }],
    [/no limits of memory/, c => { delete container(c, 'nats').resources.limits.memory }],
    [/no readinessProbe/, c => { delete container(c, 'inference').readinessProbe }],
    [/not asked for its health/, c => { container(c, 'inference').livenessProbe.httpGet.path = '/health/ready' }],
    [/at no port/, c => { container(c, 'inference').livenessProbe.httpGet.port = 'web' }],
    [/may be root/, c => { pod(c, 'mongo').spec.securityContext.runAsUser = 0 }],
    [/write to its root/, c => { delete container(c, 'front-door').securityContext.readOnlyRootFilesystem }],
    [/no volume/, c => { container(c, 'nats').volumeMounts[0].name = 'store' }],
    [/30 s/, c => { pod(c, 'scoring').spec.terminationGracePeriodSeconds = 10 }],
    [/does not make/, c => { pod(c, 'scoring').metadata.labels['app.kubernetes.io/name'] = 'score' }],
    [/leads nowhere/, c => { one(c, 'Service').spec.ports[0].targetPort = 'web' }],
    [/guards nothing/, c => { one(c, 'PodDisruptionBudget').spec.selector.matchLabels = { a: 'b' } }],
    [/another's queue/, c => { one(c, 'HorizontalPodAutoscaler').spec.scaleTargetRef.name = 'inference' }],
    [/from two, or from none/, c => { c.manifests = c.manifests.filter(({ kind }) => kind !== 'HorizontalPodAutoscaler') }],
    [/names pasring/, c => { c.manifests = JSON.parse(JSON.stringify(c.manifests).replaceAll('"values":["parsing"', '"values":["pasring"')) }]
  ]
  for (const [fault, change] of wrong) {
    t.match(clusterFaults(twin(base, change)).join('\n'), fault, String(change).slice(0, 90))
  }
}

/** Skipped where they can neither be found nor fetched; a fault where everything must be tested. */
async function againstSchemas (t: Test, manifests: Manifest[]): Promise<void> {
  let faults: Faults
  try {
    faults = await kubernetesFaults()
  } catch (cause) {
    if (process.env.CI === 'true') throw cause
    t.comment(`SKIP Kubernetes' schemas cannot be fetched: ${String(cause)}`)
    return
  }
  for (const manifest of manifests) {
    const name = `${manifest.kind} ${manifest.metadata.name}`
    t.same(faults(manifest), [], `${name} is as Kubernetes' schema says`)
    for (const [what, change] of [
      ['a misspelt field', (copy: Manifest) => { copy.spec = { ...copy.spec, replica: 1 } }],
      ['a field of another type', (copy: Manifest) => { copy.metadata.name = 7 }],
      ['another version', (copy: Manifest) => { copy.apiVersion = 'apps/v1beta1' }]
    ] as const) {
      t.not(faults(twin(manifest, change)).length, 0, `${name} with ${what} is refused`)
    }
  }
}

t.test('what Prometheus and Grafana read', async t => {
  const sources = ['shared/app/metrics.ts', 'services/inference/handlers/observe-metrics.ts']
  const names = new Set([...sources.map(text).join('').matchAll(/'(viva_\w+)'/g)]
    .flatMap(([, name = '']) => name.endsWith('_duration_seconds') ? [`${name}_count`, `${name}_bucket`] : name))
  const files = ['deploy/prometheus/alerts.yml', 'deploy/grafana/dashboards/viva.json',
    'deploy/kubernetes/prometheus-adapter-values.yaml', 'deploy/kubernetes/base/parsing.yaml']
  for (const file of files) {
    const asked = [...text(file).matchAll(/\bviva_[a-z_]+/g)].map(([name]) => name)
    t.not(asked.length, 0)
    t.same(asked.filter(name => !names.has(name)), [], `${file} asks for metrics that there are`)
    t.equal(parseAllDocuments(text(file)).flatMap(({ errors }) => errors).length, 0)
  }
})

t.test('settings in the documentation of deployment are settings', async t => {
  const named = [...text('deploy/README.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)`/gm)].map(([, name = '']) => name)
  t.not(named.length, 0)
  const ofServers = ['MONGO_PASSWORD', 'MONGO_ROOT_PASSWORD', 'NATS_PASSWORD']
  t.same(named.filter(name => !isSetting(name) && !ofServers.includes(name)), [])
})

t.test('deploy/mongo/init.js gives one user the five databases, and again when run again', async t => {
  const calls: unknown[] = []
  let there: object | null = null
  const admin = {
    getUser: () => there,
    createUser: (user: object) => { calls.push('create', user); there = user },
    updateUser: (name: string, user: object) => { calls.push('update', name, user) }
  }
  const start = (MONGO_PASSWORD: string): void => {
    runInNewContext(text('deploy/mongo/init.js'), { process: { env: { MONGO_PASSWORD } }, db: { getSiblingDB: () => admin } })
  }
  t.throws(() => { start('') }, { message: /Set MONGO_PASSWORD/ })
  start('one')
  start('two')
  const roles = ['parsing', 'generation', 'reviewing', 'inference', 'scoring']
    .map(service => ({ role: 'readWrite', db: `viva-${service}` }))
  const mechanisms = ['SCRAM-SHA-256']
  t.strictSame(JSON.parse(JSON.stringify(calls)), ['create', { user: 'viva', pwd: 'one', roles, mechanisms },
    'update', 'viva', { pwd: 'two', roles, mechanisms }])
})

t.test('deploy/nats.conf', async t => {
  const path = await engineOrSkip(t, 'nats-server')
  if (path !== undefined) await natsRefusals(t, path)
})
