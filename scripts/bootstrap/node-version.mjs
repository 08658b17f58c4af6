import { giveUp } from './run.mjs';

const OLDEST = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (!isNewEnough) {
    giveUp(`Node ${OLDEST.join('.')} or newer is needed, this is ${process.versions.node}`);
  }
}
