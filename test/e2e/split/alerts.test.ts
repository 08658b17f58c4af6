import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { useCluster } from '../../support/cluster-fixture.ts';
import { Prometheus } from '../../support/prometheus.ts';

const relay = useCluster();
const infra = resolve(import.meta.dirname, '../../../infra');

const targets = () =>
  Object.fromEntries(
    Object.entries(relay.cluster.services).map(([name, services]) => [
      name,
      services.map(({ url }) => url),
    ]),
  );

it('each alert fires when it should, and not before', async () => {
  const rules = resolve(infra, 'prometheus/alerts.test.yaml');
  const { stdout } = await promisify(execFile)('promtool', ['test', 'rules', rules]);
  expect(stdout).toContain('SUCCESS');
});

it.each(['prometheus/alerts.yaml', 'grafana/boards/relay.json'])(
  'a running relay tells every metric that %s asks for',
  async (file) => {
    const text = await readFile(resolve(infra, file), 'utf8');
    const asked = text.match(/\b(?:relay|nodejs|process)_[a-z0-9_]+/g) ?? [];
    const names = new Set(asked.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')));
    const answers = await Promise.all(
      Object.values(targets())
        .flat()
        .map(async (url) => (await fetch(`${url}/metrics`)).text()),
    );
    const told = new Set(answers.join('\n').match(/(?<=^# TYPE )\S+/gm));
    expect(names.size).toBeGreaterThan(10);
    expect([...names].filter((name) => !told.has(name))).toEqual([]);
  },
);

it('an operator is alerted that NATS is away, and that it is back', {
  timeout: 180_000,
}, async () => {
  const prometheus = await Prometheus.start(targets());
  onTestFinished(() => prometheus.stop());
  const { nats } = relay.cluster;
  await nats.kill();
  await expect
    .poll(() => prometheus.firing(), { timeout: 90_000, interval: 500 })
    .toContain('RelayNatsUnreachable');
  await nats.restart();
  await expect
    .poll(() => prometheus.firing(), { timeout: 60_000, interval: 500 })
    .not.toContain('RelayNatsUnreachable');
});
