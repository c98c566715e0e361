// Drives the API server of $KUBECONFIG with the official JavaScript client. Prints a line per story;
// ends with 1 at the first that fails. Asks whoever started it to restart the server by the line
// `restart`, and goes on when it is answered with a line.

import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';

import * as k8s from '@kubernetes/client-node';

const NAMESPACE = 'js';
const TIMEOUT_MS = 20_000;

const config = new k8s.KubeConfig();
config.loadFromFile(process.env.KUBECONFIG);
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);

const patchAs = (strategy) => k8s.setHeaderOptions('Content-Type', strategy);

/** What `promise` gives, or an error that says what did not come in time. */
async function soon(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not come`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A list of events on which one can wait. */
class Recorder {
  events = [];
  #waiters = [];

  add(event) {
    this.events.push(event);
    this.#waiters = this.#waiters.filter((tryNow) => !tryNow());
  }

  /** Until some event is `wanted`, or was. */
  until(wanted) {
    return this.untilHolds(() => this.events.includes(wanted), wanted);
  }

  untilHolds(holds, what) {
    if (holds()) return Promise.resolve();
    const come = new Promise((resolve) => {
      this.#waiters.push(() => holds() && (resolve(), true));
    });
    return soon(come, `${what} among ${JSON.stringify(this.events)}`);
  }
}

/** Asserts that the server answers `code` with a Status, and returns that. */
async function refused(call, code, reason) {
  const error = await call.then(
    () => assert.fail(`wanted ${code} ${reason}, it was accepted`), (thrown) => thrown);
  assert.ok(error instanceof k8s.ApiException, String(error));
  const status = typeof error.body === 'string' ? JSON.parse(error.body) : error.body;
  assert.equal(error.code, code);
  assert.deepEqual(
    [status.kind, status.apiVersion, status.status, status.reason, status.code],
    ['Status', 'v1', 'Failure', reason, code]);
  return status;
}

const names = (list) => list.items.map((item) => item.metadata.name);

const configMap = (name, data, labels = {}) => ({ metadata: { name, labels }, data });

const pod = (name, spec = {}, labels = {}) => ({
  metadata: { name, labels },
  spec: {
    containers: [{ name: 'main', image: 'registry.example.com/web:1' }],
    terminationGracePeriodSeconds: 0,
    ...spec,
  },
});

const deployment = (name) => ({
  metadata: { name },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'main', image: 'nginx:1' }] },
    },
  },
});

async function configMaps() {
  const at = { namespace: NAMESPACE, name: 'settings' };
  const made = await core.createNamespacedConfigMap(
    { namespace: NAMESPACE, body: configMap('settings', { color: 'red' }) });
  assert.ok(made.metadata.uid);
  assert.ok(made.metadata.creationTimestamp instanceof Date);

  const read = await core.readNamespacedConfigMap(at);
  assert.deepEqual(read.data, { color: 'red' });

  const stale = read.metadata.resourceVersion;
  read.data.color = 'blue';
  const replaced = await core.replaceNamespacedConfigMap({ ...at, body: read });
  assert.notEqual(replaced.metadata.resourceVersion, stale);

  await core.patchNamespacedConfigMap(
    { ...at, body: { data: { size: 'xl' } } }, patchAs(k8s.PatchStrategy.MergePatch));
  await core.patchNamespacedConfigMap(
    { ...at, body: [{ op: 'replace', path: '/data/color', value: 'green' }] },
    patchAs(k8s.PatchStrategy.JsonPatch));
  const applied = await core.patchNamespacedConfigMap(
    {
      ...at,
      fieldManager: 'js',
      body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' },
        data: { shape: 'round' } },
    },
    patchAs(k8s.PatchStrategy.ServerSideApply));
  assert.deepEqual(applied.data, { color: 'green', shape: 'round', size: 'xl' });
  assert.ok(applied.metadata.managedFields.some(
    (entry) => entry.manager === 'js' && entry.operation === 'Apply'));

  const deleted = await core.deleteNamespacedConfigMap(at);
  assert.equal(deleted.status, 'Success');
  await refused(core.readNamespacedConfigMap(at), 404, 'NotFound');
}

async function pods() {
  const at = { namespace: NAMESPACE, name: 'web' };
  const tolerations = [
    { key: 'sla', operator: 'Gt', value: '949', effect: 'NoSchedule' },
    { key: 'driver', operator: 'SemverLt', value: '2.0.0', effect: 'NoSchedule' },
  ];
  const made = await core.createNamespacedPod(
    { namespace: NAMESPACE, body: pod('web', { tolerations }, { app: 'web' }) });
  assert.equal(made.status.phase, 'Pending');
  assert.deepEqual(made.spec.tolerations.slice(0, 2).map((t) => t.operator), ['Gt', 'SemverLt']);

  const read = await core.readNamespacedPod(at);
  read.spec.containers[0].image = 'registry.example.com/web:2';
  const replaced = await core.replaceNamespacedPod({ ...at, body: read });
  assert.equal(replaced.spec.containers[0].image, 'registry.example.com/web:2');

  const patched = await core.patchNamespacedPod(
    { ...at, body: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:3' }] } } },
    patchAs(k8s.PatchStrategy.StrategicMergePatch));
  assert.equal(patched.spec.containers.length, 1);
  assert.equal(patched.spec.containers[0].image, 'registry.example.com/web:3');

  const condition = { type: 'Ready', status: 'True' };
  const running = await core.patchNamespacedPodStatus(
    { ...at, body: { status: { phase: 'Running', conditions: [condition] } } },
    patchAs(k8s.PatchStrategy.StrategicMergePatch));
  assert.equal(running.status.phase, 'Running');

  const list = { namespace: NAMESPACE };
  assert.deepEqual(names(await core.listNamespacedPod(
    { ...list, fieldSelector: 'status.phase=Running' })), ['web']);
  await core.deleteNamespacedPod(at);
  assert.deepEqual(names(await core.listNamespacedPod(list)), []);
}

async function deployments() {
  const at = { namespace: NAMESPACE, name: 'shop' };
  const made = await apps.createNamespacedDeployment(
    { namespace: NAMESPACE, body: deployment('shop') });
  assert.equal(made.metadata.generation, 1);
  assert.equal(made.spec.strategy.type, 'RollingUpdate');

  const read = await apps.readNamespacedDeployment(at);
  read.spec.template.spec.containers[0].image = 'nginx:2';
  const replaced = await apps.replaceNamespacedDeployment({ ...at, body: read });
  assert.equal(replaced.metadata.generation, 2);

  const patched = await apps.patchNamespacedDeployment(
    { ...at, body: { spec: { template: { spec: { containers: [{ name: 'side', image: 'proxy:1' }] } } } } },
    patchAs(k8s.PatchStrategy.StrategicMergePatch));
  assert.deepEqual(patched.spec.template.spec.containers.map((c) => c.name).sort(), ['main', 'side']);

  const scale = await apps.readNamespacedDeploymentScale(at);
  assert.equal(scale.spec.replicas, 2);
  scale.spec.replicas = 5;
  await apps.replaceNamespacedDeploymentScale({ ...at, body: scale });
  assert.equal((await apps.readNamespacedDeployment(at)).spec.replicas, 5);

  await apps.deleteNamespacedDeployment({ ...at, propagationPolicy: 'Background' });
  assert.deepEqual(names(await apps.listNamespacedDeployment({ namespace: NAMESPACE })), []);
}

async function lists() {
  for (let i = 0; i < 7; ++i) {
    const labels = { series: 'list', parity: i % 2 ? 'odd' : 'even' };
    await core.createNamespacedConfigMap(
      { namespace: NAMESPACE, body: configMap(`item-${i}`, { i: String(i) }, labels) });
  }
  const series = { namespace: NAMESPACE, labelSelector: 'series=list' };
  const odd = await core.listNamespacedConfigMap(
    { ...series, labelSelector: 'series=list,parity notin (even)' });
  assert.deepEqual(names(odd), ['item-1', 'item-3', 'item-5']);
  const one = await core.listNamespacedConfigMap({ ...series, fieldSelector: 'metadata.name=item-4' });
  assert.deepEqual(names(one), ['item-4']);

  const pages = [];
  let token;
  do {
    const page = await core.listNamespacedConfigMap({ ...series, limit: 3, _continue: token });
    pages.push(names(page));
    token = page.metadata._continue;
    // What comes between two pages is not of their snapshot.
    if (pages.length === 1) {
      await core.createNamespacedConfigMap(
        { namespace: NAMESPACE, body: configMap('item-9', {}, { series: 'list' }) });
    }
  } while (token);
  assert.deepEqual(pages, [
    ['item-0', 'item-1', 'item-2'], ['item-3', 'item-4', 'item-5'], ['item-6']]);

  await core.deleteCollectionNamespacedConfigMap(series);
  assert.deepEqual(names(await core.listNamespacedConfigMap(series)), []);
}

async function errors() {
  const missing = await refused(
    core.readNamespacedPod({ namespace: NAMESPACE, name: 'nobody' }), 404, 'NotFound');
  assert.equal(missing.message, 'pods "nobody" not found');
  assert.deepEqual(missing.details, { name: 'nobody', kind: 'pods' });

  const noDeployment = await refused(
    apps.readNamespacedDeployment({ namespace: NAMESPACE, name: 'nobody' }), 404, 'NotFound');
  assert.equal(noDeployment.message, 'deployments.apps "nobody" not found');
  assert.deepEqual(noDeployment.details, { name: 'nobody', group: 'apps', kind: 'deployments' });

  const request = { namespace: NAMESPACE, body: configMap('twice', { a: '1' }) };
  const first = await core.createNamespacedConfigMap(request);
  const exists = await refused(core.createNamespacedConfigMap(request), 409, 'AlreadyExists');
  assert.equal(exists.message, 'configmaps "twice" already exists');

  const at = { namespace: NAMESPACE, name: 'twice' };
  await core.replaceNamespacedConfigMap({ ...at, body: { ...first, data: { a: '2' } } });
  const conflict = await refused(
    core.replaceNamespacedConfigMap({ ...at, body: { ...first, data: { a: '3' } } }), 409, 'Conflict');
  assert.equal(conflict.message,
    'Operation cannot be fulfilled on configmaps "twice": the object has been modified; ' +
    'please apply your changes to the latest version and try again');
  await core.deleteNamespacedConfigMap(at);

  const toleration = { key: 'sla', operator: 'Gt', value: '0950' };
  const invalid = await refused(
    core.createNamespacedPod(
      { namespace: NAMESPACE, body: pod('bad', { tolerations: [toleration] }) }), 422, 'Invalid');
  const text = 'Invalid value: "0950": must be a valid decimal integer in canonical form';
  assert.equal(invalid.message, `Pod "bad" is invalid: spec.tolerations[0].value: ${text}`);
  assert.deepEqual(invalid.details, {
    name: 'bad', kind: 'Pod',
    causes: [{ reason: 'FieldValueInvalid', message: text, field: 'spec.tolerations[0].value' }],
  });
}

/** Raw watch: events from a resource version on; and the end that the server makes of it in time. */
async function watches() {
  const start = (await core.listNamespacedConfigMap({ namespace: NAMESPACE })).metadata.resourceVersion;
  const at = { namespace: NAMESPACE, name: 'seen' };
  await core.createNamespacedConfigMap(
    { namespace: NAMESPACE, body: configMap('seen', { step: '1' }, { watched: 'yes' }) });
  await core.createNamespacedConfigMap({ namespace: NAMESPACE, body: configMap('unseen', {}) });

  const seen = new Recorder();
  const path = `/api/v1/namespaces/${NAMESPACE}/configmaps`;
  const watch = new k8s.Watch(config);
  const query = { resourceVersion: start, labelSelector: 'watched=yes' };
  const running = await watch.watch(path, query,
    (type, object) => seen.add(`${type} ${object.metadata.name} ${object.data?.step}`), () => {});
  await seen.until('ADDED seen 1');
  await core.patchNamespacedConfigMap(
    { ...at, body: { data: { step: '2' } } }, patchAs(k8s.PatchStrategy.MergePatch));
  await seen.until('MODIFIED seen 2');
  // Out of the selector is out of the watch.
  await core.patchNamespacedConfigMap(
    { ...at, body: { data: { step: '3' }, metadata: { labels: { watched: null } } } },
    patchAs(k8s.PatchStrategy.MergePatch));
  await seen.untilHolds(() => seen.events.length === 3, 'DELETED');
  assert.match(seen.events[2], /^DELETED seen /);
  running.abort();

  const brief = new Recorder();
  await watch.watch(path, { ...query, timeoutSeconds: 1 }, (type) => brief.add(type),
    (error) => brief.add(error ? String(error) : 'end'));
  await brief.until('end');
  assert.deepEqual(brief.events, ['ADDED', 'MODIFIED', 'DELETED', 'end']);

  await core.deleteNamespacedConfigMap(at);
  await core.deleteNamespacedConfigMap({ ...at, name: 'unseen' });
}

/** An informer with a recorder of what it tells; each of its watches lasts `timeoutSeconds`. */
function informerOf(labelSelector, timeoutSeconds) {
  const recorder = new Recorder();
  const plain = new k8s.Watch(config);
  const watch = {
    watch: (path, query, onEvent, onDone) =>
      plain.watch(path, { ...query, timeoutSeconds }, onEvent, onDone),
  };
  const list = () => {
    recorder.add('list');
    return core.listNamespacedConfigMap({ namespace: NAMESPACE, labelSelector });
  };
  const informer = new k8s.ListWatch(
    `/api/v1/namespaces/${NAMESPACE}/configmaps`, watch, list, false, labelSelector);
  for (const verb of [k8s.ADD, k8s.UPDATE, k8s.DELETE]) {
    informer.on(verb, (object) => recorder.add(`${verb} ${object.metadata.name}`));
  }
  informer.on(k8s.CONNECT, () => recorder.add('connect'));
  return { informer, recorder };
}

const count = (recorder, event) => recorder.events.filter((one) => one === event).length;

/** The server ends the watch again and again; the informer goes on where it was, without a list. */
async function informers() {
  const labels = { informed: 'yes' };
  const create = (name) => core.createNamespacedConfigMap(
    { namespace: NAMESPACE, body: configMap(name, {}, labels) });
  await create('before');

  const { informer, recorder } = informerOf('informed=yes', 1);
  informer.on(k8s.ERROR, (error) => recorder.add(`error ${error}`));
  await informer.start();
  await recorder.until('add before');
  await create('during');
  await recorder.until('add during');
  await core.patchNamespacedConfigMap(
    { namespace: NAMESPACE, name: 'during', body: { data: { a: 'b' } } },
    patchAs(k8s.PatchStrategy.MergePatch));
  await recorder.until('update during');
  assert.deepEqual(informer.get('during', NAMESPACE).data, { a: 'b' });

  const connects = count(recorder, 'connect');
  await recorder.untilHolds(() => count(recorder, 'connect') > connects, 'reconnect');
  await create('after');
  await recorder.until('add after');
  await core.deleteNamespacedConfigMap({ namespace: NAMESPACE, name: 'before' });
  await recorder.until('delete before');

  assert.deepEqual(recorder.events.filter((event) => event !== 'connect'),
    ['list', 'add before', 'add during', 'update during', 'add after', 'delete before']);
  assert.deepEqual(informer.list(NAMESPACE).map((one) => one.metadata.name), ['during', 'after']);
  await informer.stop();
}

/** The server goes away and comes back; the informer has missed nothing, and lists nothing anew. */
async function restarts() {
  const { informer, recorder } = informerOf('informed=yes', 60);
  informer.on(k8s.ERROR, (error) => {
    // While the server is away nobody answers, and it is the user of an informer who tries again.
    if (['ECONNREFUSED', 'ECONNRESET'].includes(error.code)) {
      setTimeout(() => informer.start(), 100);
    } else {
      recorder.add(`error ${error}`);
    }
  });
  await informer.start();
  await recorder.until('add after');

  const answers = createInterface({ input: process.stdin });
  const answer = new Promise((resolve) => answers.once('line', resolve));
  console.log('restart');
  await soon(answer, 'the restart');
  answers.close();

  await core.createNamespacedConfigMap(
    { namespace: NAMESPACE, body: configMap('reborn', {}, { informed: 'yes' }) });
  await recorder.until('add reborn');
  assert.deepEqual(recorder.events.filter((event) => event !== 'connect'),
    ['list', 'add after', 'add during', 'add reborn']);
  await informer.stop();
}

const STORIES = [
  configMaps, pods, deployments, lists, errors, watches, informers, restarts];

await core.createNamespace({ body: { metadata: { name: NAMESPACE } } });
for (const story of STORIES) {
  try {
    await story();
    console.log(`${story.name}: good`);
  } catch (failure) {
    console.log(`${story.name}: FAILED\n${failure.stack}`);
    process.exit(1);
  }
}
// Kept-alive connections would hold the process for a while.
process.exit(0);
