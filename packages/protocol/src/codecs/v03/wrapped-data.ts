import type { Metadata } from '../../a2a.ts';

/** How the A2A SDKs mark data that had to be put into an object. */
const mark = 'data_part_compat';

interface WrappedData {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata?: Metadata | undefined;
}

/** Data parts before 1.0 hold an object; anything else travels as its `value`, and the metadata says so. */
export const notAnObject = {
  wrap: (data: unknown, metadata: Metadata | undefined) => ({
    data: { value: data },
    metadata: { ...metadata, [mark]: true },
  }),

  unwrap: ({ data, metadata }: WrappedData): { data: unknown; metadata?: Metadata } => {
    const { [mark]: isMarked, ...rest } = metadata ?? {};
    if (isMarked === true && Object.hasOwn(data, 'value') && Object.keys(data).length === 1) {
      return { data: data['value'], ...(Object.keys(rest).length > 0 ? { metadata: rest } : {}) };
    }
    return { data, ...(metadata ? { metadata } : {}) };
  },
};
