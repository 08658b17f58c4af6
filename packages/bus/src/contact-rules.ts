import {
  type AgentRecord,
  type ContactId,
  type ContactRule,
  contactIdSchema,
  contactRuleSchema,
} from '@relay/protocol';
import type { Bucket } from './bucket.ts';
import type { Bus } from './bus.ts';
import { RegistryCache } from './registry-cache.ts';

const readAtOnce = 100;

/**
 * What agents say of contacts, one key for each two. Nothing is read for an agent whose record says that it
 * never said anything, which is nearly every one.
 */
export class ContactRules {
  readonly #rules: Bucket<ContactRule>;
  readonly #cache: RegistryCache<ContactRule>;

  constructor(bus: Bus) {
    this.#rules = bus.bucket('registry', 'contact-rule.', contactRuleSchema);
    this.#cache = new RegistryCache(async (key) => (await this.#rules.get(key))?.value);
  }

  async find(agent: AgentRecord, contactId: ContactId): Promise<ContactRule | undefined> {
    return agent.has_contact_rules ? this.#cache.get(keyOf(agent, contactId)) : undefined;
  }

  /** All that an agent says. It reads each: not for the path of messages. */
  async allOf({ id }: AgentRecord): Promise<ReadonlyMap<ContactId, ContactRule>> {
    const keys = await this.#rules.keys(`${id}.`);
    const rules = new Map<ContactId, ContactRule>();
    for (let at = 0; at < keys.length; at += readAtOnce) {
      const batch = keys.slice(at, at + readAtOnce).map(async (key) => {
        const entry = await this.#rules.get(key);
        if (entry) rules.set(contactIdSchema.parse(key.slice(id.length + 1)), entry.value);
      });
      await Promise.all(batch);
    }
    return rules;
  }

  /**
   * Changes what an agent, whose record says that it has rules, says of a contact.
   * @param change gives the new rule, or undefined to leave it
   * @returns the new rule, or undefined where it was left
   */
  async change(
    agent: AgentRecord,
    contactId: ContactId,
    change: (rule: ContactRule) => ContactRule | undefined,
  ): Promise<ContactRule | undefined> {
    const key = keyOf(agent, contactId);
    const entry = await this.#rules.change(key, (rule) => change(rule ?? nothing));
    this.#cache.forget(key);
    return entry?.value;
  }

  /** Removes for good what a contact that is gone has said, and what was said of it. Ids are never given again. */
  async forgetAllOf(id: ContactId): Promise<void> {
    await this.#rules.purge(`${id}.*`);
    await this.#rules.purge(`*.${id}`);
  }

  /** Whatever was read before is not believed any longer. */
  clear(): void {
    this.#cache.clear();
  }
}

const nothing: ContactRule = { access: null, block: null };

function keyOf({ id }: AgentRecord, contactId: ContactId): string {
  return `${id}.${contactId}`;
}
