import { z } from 'zod';

/** One line of what an agent or an owner says of itself. */
export const lineSchema = z.string().trim().min(1).max(255);

export const webUrlSchema = z.url({ protocol: /^https?$/ }).max(2048);
