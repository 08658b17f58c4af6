import ipaddr from 'ipaddr.js';

/** Texts that the URL parser reads as the address. */
export function spellIpv4(address: string): string[] {
  const bytes = ipaddr.IPv4.parse(address).octets;
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    address,
    `${address}.`,
    String(number),
    `0x${number.toString(16)}`,
    `0${number.toString(8)}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    bytes.map((byte) => `0x${byte.toString(16).toUpperCase()}`).join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
    Array.from(address, (letter) => (letter === '.' ? '。' : fullWidth(letter))).join(''),
    Array.from(address, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
  ];
}

const fullWidth = (digit: string) => String.fromCodePoint(0xff10 + Number(digit));

/** Hosts, in brackets. */
export function spellIpv6(address: string): string[] {
  const parsed = ipaddr.IPv6.parse(address);
  const groups = parsed.toNormalizedString().split(':');
  const full = groups.map((group) => group.padStart(4, '0')).join(':');
  const [high = '0', low = '0'] = groups.slice(6);
  const tail = [Number.parseInt(high, 16), Number.parseInt(low, 16)].flatMap((group) => [
    group >> 8,
    group & 255,
  ]);
  return [
    parsed.toNormalizedString(),
    parsed.toRFC5952String(),
    full,
    full.toUpperCase(),
    `${groups.slice(0, 6).join(':')}:${tail.join('.')}`,
  ].map((text) => `[${text}]`);
}
