import { createOutbound } from '@relay/outbound';

/**
 * Posts twice to each URL given, every name being this machine, and prints the outcomes as one line of
 * JSON. Which certificates a process trusts is settled when it starts, by NODE_EXTRA_CA_CERTS.
 */
const outbound = createOutbound({
  allowedNetworks: ['127.0.0.0/8'],
  ownListeners: [],
  resolve: () => Promise.resolve(['127.0.0.1']),
});
const limits = { milliseconds: 10_000, answerBytes: 1_024 };
const outcomes = [];
for (const url of process.argv.slice(2)) {
  await outbound.post({ url, headers: {}, body: '{}', limits });
  outcomes.push(await outbound.post({ url, headers: {}, body: '{}', limits }));
}
outbound.close();
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
