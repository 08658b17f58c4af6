import { runCli } from './index.ts';

const { argv, env, stdout, stderr } = process;

process.exitCode = await runCli(argv.slice(2), { environment: env, stdout, stderr });
