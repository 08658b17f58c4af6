/** Node's and OpenSSL's name of an error, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
}
