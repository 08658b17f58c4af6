import type { Spread } from '../compare/statistics.ts';

export function format(value: number, digits = 0): string {
  return value.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

export function formatSpread(spread: Spread | undefined, digits = 0): string {
  if (!spread) return '-';
  const [median, min, max] = [spread.median, spread.min, spread.max].map((value) =>
    format(value, digits),
  );
  return `${median} (${min}..${max})`;
}

export function formatShare(spread: Spread | undefined): string {
  if (!spread) return '-';
  const [median, min, max] = [spread.median, spread.min, spread.max].map((share) =>
    format(share * 100),
  );
  return `${median} % (${min}..${max})`;
}
