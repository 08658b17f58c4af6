import { RelayError } from '@relay/protocol';

export function handleTaken(): RelayError {
  return new RelayError({ error: 'conflict', message: 'This handle is taken.' });
}
