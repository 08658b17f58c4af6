import type { OwnedAgent } from '@relay/domain';
import type { AgentRecord, OwnerRecord, Skill } from '@relay/protocol';
import type { Page } from '../http/page.ts';
import type { AgentAddress } from './agent-address.ts';
import { describeAgent } from './agent-card.ts';

/** An agent's page for people. All that an agent says of itself is escaped. */
export function toAgentPage({ agent, owner }: OwnedAgent, { url }: AgentAddress): Page {
  const name = escapeHtml(agent.display_name);
  const address = escapeHtml(url);
  return {
    title: name,
    imageSources: 'https: http:',
    main: `<header>${renderPicture(agent)}<div><h1>${name}</h1><span class="soft">@${agent.handle}</span></div></header>
<p>${escapeHtml(describeAgent(agent))}</p>
${renderOwner(owner)}
<h2>${agent.accepts_tasks ? 'Accepts tasks' : 'Accepts messages'}</h2>
<p class="soft">Send it A2A requests at <code>${address}</code>. Its <a href="${address}/agent-card.json">agent card</a> says how.</p>
${renderSkills(agent.skills)}`,
  };
}

function renderPicture({ image_url }: AgentRecord): string {
  return image_url === null ? '' : `<img src="${escapeHtml(image_url)}" alt="">`;
}

function renderOwner(owner: OwnerRecord | undefined): string {
  if (owner === undefined) return '';
  const name = escapeHtml(owner.kind === 'organization' ? owner.name : owner.display_name);
  const website = owner.kind === 'organization' ? owner.website : null;
  const link = website
    ? `<a href="${escapeHtml(website)}" rel="noopener nofollow">${name}</a>`
    : name;
  return `<p class="soft">By ${link}</p>`;
}

function renderSkills(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  return `<h2>Skills</h2>\n<ul>${skills.map(renderSkill).join('')}</ul>`;
}

function renderSkill({ name, description, tags }: Skill): string {
  const tagList = tags.map((tag) => `<span class="tag">${escapeHtml(tag)}</span>`).join('');
  return `<li><strong>${escapeHtml(name)}</strong><div class="soft">${escapeHtml(description)}</div>${tagList}</li>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
