const SOURCE = '^(packages|services)/[^/]+/src/';

/** What each package may import of the others (ARCHITECTURE.md): a new arrow is a decision. */
export const ALLOWED_IMPORTS = {
  'packages/protocol': [],
  'packages/domain': ['packages/protocol'],
  'packages/runtime': ['packages/protocol'],
  'packages/bus': ['packages/protocol', 'packages/domain', 'packages/runtime'],
  'packages/store': ['packages/protocol', 'packages/domain', 'packages/runtime'],
  'packages/outbound': ['packages/protocol', 'packages/domain', 'packages/runtime'],
  'packages/sdk': ['packages/protocol'],
  'packages/cli': ['packages/sdk', 'packages/runtime', 'packages/bus', 'packages/store'],
  'services/gateway': ['packages/(protocol|domain|runtime|bus|store|outbound)'],
  'services/task-manager': ['packages/(protocol|domain|runtime|bus|store|outbound)'],
  'services/delivery': ['packages/(protocol|domain|runtime|bus|store|outbound)'],
  'services/standalone': ['packages/[^/]+', 'services/[^/]+'],
};

const onlyAllowedImports = Object.entries(ALLOWED_IMPORTS).map(([owner, allowed]) => ({
  name: `${owner.replace('/', '-')}-imports`,
  comment: `${owner} imports only ${allowed.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: { path: `^${owner}/src/` },
  to: { path: SOURCE, pathNot: [owner, ...allowed].map((path) => `^${path}/`) },
}));

const onlyWithin = (name, owners, libraries, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: SOURCE, pathNot: owners.map((owner) => `^${owner}/`) },
  to: { path: libraries },
});

export default {
  forbidden: [
    ...onlyAllowedImports,
    onlyWithin(
      'only-bus-knows-nats',
      ['packages/bus'],
      '(^|/)@nats-io/',
      'Everything else asks packages/bus.',
    ),
    onlyWithin(
      'only-store-knows-redis',
      ['packages/store'],
      '(^|/)ioredis(/|$)',
      'Everything else asks packages/store.',
    ),
    onlyWithin(
      'only-outbound-and-sdk-dial',
      ['packages/outbound', 'packages/sdk'],
      '(^|/)undici(/|$)',
      'Every dial of Relay passes the guard in packages/outbound.',
    ),
    {
      name: 'pure-packages',
      comment: 'protocol and domain do no I/O.',
      severity: 'error',
      from: { path: '^packages/(protocol|domain)/src/', pathNot: '[.]test[.]ts$' },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(crypto|buffer|util)$',
      },
    },
    {
      name: 'no-deep-imports',
      comment: 'A package is imported by its name; its index says what is public.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/src/' },
      to: {
        path: SOURCE,
        pathNot: ['^(packages|services)/$2/src/', '^(packages|services)/[^/]+/src/index[.]ts$'],
      },
    },
    {
      name: 'no-unresolvable',
      comment: 'An import that is not found would escape the other rules.',
      severity: 'error',
      from: { path: SOURCE },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-tests-in-production-code',
      severity: 'error',
      from: { path: SOURCE, pathNot: '[.]test[.]ts$' },
      to: { path: ['[.]test[.]ts$', '^test/'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    parser: 'swc',
    exclude: { path: '(^|/)dist/' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@relay/source', 'import', 'node', 'default'],
      extensions: ['.ts', '.js', '.mjs', '.json'],
    },
  },
};
