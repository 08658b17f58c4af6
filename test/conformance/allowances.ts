import type { Options } from './options.ts';

/** What may fail or be skipped, and why. CONTRIBUTING.md tells the same. */
export interface Allowances {
  /** `test` is a part of the test's name. */
  readonly failures: readonly { readonly test: string; readonly reason: string }[];
  /** `told` is what the kit says. */
  readonly skips: readonly { readonly told: RegExp; readonly reason: string }[];
}

const mediaType =
  'HTTP_JSON-ERR-001: A2A 1.0.1 has application/a2a+json where 1.0.0, which the kit grades, had application/json.';

const seedMedia =
  'CORE-SEND-003: a part of an unknown media type gets -32005. The kit has no error there and wants it taken, against the name of the requirement.';

export const allowances: Readonly<Record<Options['version'], Allowances>> = {
  '1.0': {
    failures: [
      { test: 'TestRestErrorStructure::test_error_uses_aip193_format', reason: mediaType },
      { test: 'TestAIP193ErrorFormat::test_error_content_type', reason: mediaType },
      {
        test: 'test_content_type_not_supported_returns_415',
        reason:
          'HTTP_JSON-STATUS-001: A2A 1.0.1 answers ContentTypeNotSupported with 400; 1.0.0, which the kit grades, with 415.',
      },
      { test: 'test_must_requirement[CORE-SEND-003-jsonrpc]', reason: seedMedia },
      { test: 'test_must_requirement[CORE-SEND-003-http_json]', reason: seedMedia },
      {
        test: 'TestCamelCaseFieldNames::test_no_snake_case_keys',
        reason:
          'DM-SERIAL-001: metadata.relay.requester is a contact card of Relay with its names; metadata holds any JSON.',
      },
    ],
    skips: [
      { told: /^(Transport 'grpc'|gRPC transport) not configured/, reason: 'Relay has no gRPC.' },
      {
        told: /^Agent supports (streaming|extended agent card|push notifications)/,
        reason: 'It is declared, so what an agent without it answers cannot be seen.',
      },
      {
        told: /^Agent card does not declare urn:a2a:tck:required-extension as required$/,
        reason: 'Relay declares no extension.',
      },
      {
        told: /^No requirements at this level$/,
        reason: 'A placeholder of the kit: no test of this kind has this level.',
      },
    ],
  },
  '0.3': {
    failures: [],
    skips: [
      {
        told: /^Multi-transport method mapping requires 2\+ transports$/,
        reason: 'Each binding has a run of its own, so that it is sure which one is used.',
      },
      {
        told: /^SUT does not support authenticated extended card$/,
        reason: 'The card does not declare one.',
      },
    ],
  },
};
