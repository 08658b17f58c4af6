import type { AgentRecord, Skill } from '@relay/protocol';
import { type AgentAddress, describeAgent } from './agent-card.ts';

export const pageStyle = `
:root { color-scheme: light dark; --text: #1a1d21; --soft: #5b636d; --line: #e3e6ea; --back: #f6f7f9; --card: #fff; --accent: #2757d6; }
@media (prefers-color-scheme: dark) { :root { --text: #e8eaed; --soft: #9aa3ad; --line: #2c3138; --back: #111417; --card: #191d21; --accent: #8ab0ff; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 8vh 1.25rem; background: var(--back); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 38rem; margin: auto; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px; overflow-wrap: anywhere; }
header { display: flex; gap: 1rem; align-items: center; }
img { width: 4rem; height: 4rem; border-radius: 50%; object-fit: cover; }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: .8rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft); }
p { margin: 1rem 0 0; white-space: pre-line; }
code { font: .9rem/1.5 ui-monospace, monospace; }
a { color: var(--accent); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: .75rem 0; border-top: 1px solid var(--line); }
.soft { color: var(--soft); }
.tag { display: inline-block; margin: .25rem .35rem 0 0; padding: 0 .5rem; border: 1px solid var(--line); border-radius: 99px; font-size: .8rem; color: var(--soft); }
`;

/** An agent's page for people. All that an agent says of itself is escaped. */
export function renderAgentPage(agent: AgentRecord, { url }: AgentAddress): string {
  const name = escapeHtml(agent.display_name);
  const address = escapeHtml(url);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<header>${renderPicture(agent)}<div><h1>${name}</h1><span class="soft">@${agent.handle}</span></div></header>
<p>${escapeHtml(describeAgent(agent))}</p>
${renderOwner(agent)}
<h2>${agent.accepts_tasks ? 'Accepts tasks' : 'Accepts messages'}</h2>
<p class="soft">Send it A2A requests at <code>${address}</code>. Its <a href="${address}/agent-card.json">agent card</a> says how.</p>
${renderSkills(agent.skills)}
</main>
</body>
</html>
`;
}

function renderPicture({ image_url }: AgentRecord): string {
  return image_url === null ? '' : `<img src="${escapeHtml(image_url)}" alt="">`;
}

function renderOwner({ owner }: AgentRecord): string {
  if (owner === null) return '';
  const name = escapeHtml(owner.kind === 'organization' ? owner.name : owner.display_name);
  const website = owner.kind === 'organization' ? owner.website : undefined;
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
