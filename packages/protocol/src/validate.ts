import type { z } from 'zod';
import { RelayError } from './errors.ts';

/** More would help nobody and could be as long as the input. */
const maximumViolations = 20;

/**
 * Reads a value from outside by its schema.
 * @throws RelayError invalidParams with a violation for each field that is wrong
 */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const violations = result.error.issues.slice(0, maximumViolations).map((issue) => ({
    field: issue.path.map(String).join('.').slice(0, 255),
    description: issue.message,
  }));
  const [first] = violations;
  throw new RelayError({
    error: 'invalidParams',
    message: first && (first.field ? `${first.field}: ${first.description}` : first.description),
    violations,
  });
}
