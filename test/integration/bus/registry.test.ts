import { randomUUID } from 'node:crypto';
import { type Bus, hashToken, Registry } from '@relay/bus';
import { agentIdSchema } from '@relay/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

async function startRegistry(bus: Bus): Promise<Registry> {
  const registry = new Registry(bus);
  await registry.start();
  onTestFinished(() => registry.stop());
  return registry;
}

/** A session of a good token, and when it was ended. */
async function openSession(registry: Registry) {
  const tokenHash = hashToken(randomUUID());
  await registry.tokens.create(tokenHash, { agentId: agentIdSchema.parse(randomUUID()) });
  const session = { tokenHash, isOpen: true };
  registry.onRevoked(tokenHash, () => {
    session.isOpen = false;
  });
  return session;
}

it('a token that is revoked elsewhere ends its sessions within a second', async () => {
  const nats = await natsForTest();
  const [here, there] = [
    await startRegistry(await busForTest(nats)),
    await startRegistry(await busForTest(nats)),
  ];
  const [revoked, kept] = [await openSession(here), await openSession(here)];
  await there.tokens.delete(revoked.tokenHash);
  await expect.poll(() => revoked.isOpen, { timeout: 1_000 }).toBe(false);
  expect(kept.isOpen).toBe(true);
});

it('revocation is heard of also after NATS was killed, and of what happened meanwhile', async () => {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const here = await startRegistry(bus);
  const there = await startRegistry(await busForTest(nats));
  for (let round = 0; round < 2; round += 1) {
    const [early, late] = [await openSession(here), await openSession(here)];
    await nats.kill();
    await nats.restart();
    await expect
      .poll(() =>
        there.tokens.delete(early.tokenHash).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await expect.poll(() => early.isOpen, { timeout: 2_000 }).toBe(false);
    await there.tokens.delete(late.tokenHash);
    await expect.poll(() => late.isOpen, { timeout: 1_000 }).toBe(false);
  }
});

it('a token is not good again because somebody showed it after it was revoked', async () => {
  const nats = await natsForTest();
  const [here, there] = [
    await startRegistry(await busForTest(nats)),
    await startRegistry(await busForTest(nats)),
  ];
  const [token, other] = [randomUUID(), randomUUID()];
  for (const each of [token, other]) {
    await here.tokens.create(hashToken(each), { agentId: agentIdSchema.parse(randomUUID()) });
  }
  await here.authenticate(token);
  expect(await here.isStillGood(hashToken(token))).toBe(true);
  let wasHeard = false;
  here.onRevoked(hashToken(token), () => {
    wasHeard = true;
  });
  await there.tokens.delete(hashToken(token));
  await expect.poll(() => wasHeard).toBe(true);
  await here.authenticate(token);
  expect(await here.isStillGood(hashToken(token))).toBe(false);
  expect(await here.isStillGood(hashToken(other))).toBe(true);
});
