/** Whether a client would rather have HTML than JSON, as a browser says. A wildcard is no wish. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = qualityOf(accept, 'text/html');
  return html > 0 && html >= qualityOf(accept, 'application/json');
}

function qualityOf(accept: string | undefined, mediaType: string): number {
  for (const range of accept?.split(',') ?? []) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (type !== mediaType) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return Number(quality) || 0;
  }
  return 0;
}
