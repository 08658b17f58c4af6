import { a2uiMediaType, type ChatPart, type Part, type Refusal } from '@relay/protocol';

const refused: Refusal = {
  error: 'contentTypeNotSupported',
  message: `A chat takes text, files by URL, and data of type ${a2uiMediaType}.`,
};

/** The parts of an A2A message as a chat holds them (contract §3.7), or why it cannot. */
export function toChatParts(parts: readonly Part[]): readonly ChatPart[] | Refusal {
  const converted: ChatPart[] = [];
  for (const part of parts) {
    const next = toChatPart(part);
    if (!next) return refused;
    const last = converted.at(-1);
    if (next.type === 'text' && last?.type === 'text') {
      converted.splice(-1, 1, { type: 'text', value: `${last.value}\n${next.value}` });
    } else {
      converted.push(next);
    }
  }
  return converted;
}

function toChatPart(part: Part): ChatPart | undefined {
  const mediaType = part.mediaType?.split(';', 1)[0]?.trim().toLowerCase();
  if ('text' in part) {
    const isPlain = mediaType === undefined || mediaType === 'text/plain';
    return isPlain ? { type: 'text', value: part.text } : undefined;
  }
  if ('url' in part) {
    const { url, filename, mediaType: media_type } = part;
    return { type: 'media', url, filename, media_type };
  }
  if ('data' in part && mediaType === a2uiMediaType) {
    return { type: 'data', media_type: a2uiMediaType, data: part.data };
  }
  return undefined;
}

/** The parts of a chat message as A2A has them. */
export function toA2aParts(parts: readonly ChatPart[]): readonly Part[] {
  return parts.map((part) => {
    switch (part.type) {
      case 'text':
      case 'link':
        return { text: part.value };
      case 'media': {
        const { url, filename, media_type: mediaType } = part;
        return { url, filename, mediaType };
      }
      case 'data':
        return { data: part.data, mediaType: part.media_type };
    }
  });
}
