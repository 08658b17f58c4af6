/** One refusal in the words of each wire. */
export interface ErrorDefinition {
  readonly code: number;
  readonly status: number;
  readonly rpc: number;
  readonly reason: string;
  readonly message: string;
  /** HTTP status at the A2A address where JSON-RPC errors do not answer 200. */
  readonly rpcStatus?: number;
}

export const define = <const Key extends string>(
  definitions: Readonly<Record<Key, ErrorDefinition>>,
) => definitions;
