// Makes the secrets that are missing, once, and says what is not safe as it is. Run before the services.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const directory = '/run/relay';
const ownerOnly = 0o400;
// Grafana runs as a user of its own; only the services that mount this volume see it at all.
const everyUser = 0o444;

const secrets = {
  admin_token: { text: () => randomBytes(32).toString('base64url'), mode: ownerOnly },
  secret_key: { text: () => randomBytes(32).toString('base64'), mode: ownerOnly },
  grafana_password: { text: () => randomBytes(18).toString('base64url'), mode: everyUser },
};

for (const [name, { text, mode }] of Object.entries(secrets)) {
  try {
    writeFileSync(`${directory}/${name}`, text(), { flag: 'wx', mode });
    tell(`made ${name}`);
  } catch (error) {
    // There since an earlier start, or given.
    if (error.code !== 'EEXIST') throw error;
  }
}

const domain = process.env.STACK_DOMAIN ?? '';
const address = process.env.STACK_HTTP || '127.0.0.1:8080';
if (domain === '' && !/^(127\.|localhost:|\[::1\])/.test(address)) {
  warn(
    `plain HTTP is published on ${address}, where tokens can be read on the way: set STACK_DOMAIN`,
  );
}
if (process.env.STACK_NATS_SYNC !== 'always') {
  warn('a loss of power can lose the last 2 minutes of one NATS server: see STACK_NATS_SYNC');
}
tell(`will answer at ${domain === '' ? `http://${address}` : `https://${domain}`}`);
tell(`the admin token: docker compose exec in a gateway: cat ${directory}/admin_token`);
tell(`Grafana's password for "admin" is beside it: ${directory}/grafana_password`);

function tell(line) {
  console.log(`relay: ${line}`);
}

function warn(line) {
  console.warn(`relay: WARNING: ${line}`);
}
