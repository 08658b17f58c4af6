import { expect, it } from 'vitest';
import { signedTexts } from './signed-texts.ts';

/** The example of A2A 1.0 §8.4.1. */
const example = {
  name: 'Example Agent',
  description: '',
  capabilities: { streaming: false, pushNotifications: false, extensions: [] },
  skills: [],
};

it('a card is signed as it is served, as A2A 1.0 says, and as the SDKs have it', () => {
  expect(signedTexts(example, { ...example, url: 'x' })).toEqual([
    '{"capabilities":{"extensions":[],"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[],"url":"x"}',
    '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}',
    '{"capabilities":{"pushNotifications":false,"streaming":false},"name":"Example Agent"}',
  ]);
});

it('a card is signed once where all read it alike', () => {
  const card = { name: 'A', skills: [{ id: 's', tags: ['é'] }] };
  expect(signedTexts(card, card)).toEqual(['{"name":"A","skills":[{"id":"s","tags":["é"]}]}']);
});
