// The image has no other HTTP client than node.
const { status } = await fetch(`http://127.0.0.1:${process.env.RELAY_PORT}/readyz`);
process.exit(status === 200 ? 0 : 1);
