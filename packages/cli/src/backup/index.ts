export { readManifest } from './manifest.ts';
export { restoreBackup } from './restore-backup.ts';
export { checkSealingKeys } from './sealing-keys.ts';
export { takeBackup } from './take-backup.ts';
export { withNats } from './with-nats.ts';
