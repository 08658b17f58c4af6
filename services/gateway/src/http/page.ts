import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';

const style = `
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
.text { max-width: 54rem; }
.text p { white-space: normal; }
.text h2 { font-size: 1.2rem; letter-spacing: 0; text-transform: none; color: inherit; }
.text h3 { margin: 1.75rem 0 0; font: 600 1rem/1.5 ui-monospace, monospace; }
.text ul, .text ol { margin: 1rem 0 0; padding-left: 1.25rem; list-style: revert; }
.text li { padding: .15rem 0; border: 0; }
.text pre { margin: 1rem 0 0; padding: .75rem 1rem; overflow-x: auto; border-radius: 8px; background: var(--back); }
.text table { width: 100%; margin: 1rem 0 0; border-collapse: collapse; font-size: .9rem; }
.text th, .text td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

export interface Page {
  /** HTML, as is `main`. */
  readonly title: string;
  readonly main: string;
  /** What a text is laid out as, other than a card. */
  readonly isText?: boolean;
  /** Where its images may come from, as a Content-Security-Policy has it; none unless said. */
  readonly imageSources?: string;
}

/** Answers with a page for people. Nothing but its own style and its images is loaded, and nothing runs. */
export function answerPage(reply: FastifyReply, page: Page): FastifyReply {
  const { imageSources = "'none'" } = page;
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `img-src ${imageSources}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return reply
    .headers({
      'content-security-policy': policy.join('; '),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
    })
    .type('text/html; charset=utf-8')
    .send(render(page));
}

function render({ title, main, isText = false }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main${isText ? ' class="text"' : ''}>
${main}
</main>
</body>
</html>
`;
}
