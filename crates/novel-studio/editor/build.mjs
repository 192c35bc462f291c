// Builds ../assets/editor.js and the notice beside it. `node build.mjs`; with `--check` it writes nothing
// and fails where the committed files are not, byte for byte, what would be built.
import { build } from 'esbuild';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const assets = join(here, '../assets');
const built = await build({
  absWorkingDir: here,
  entryPoints: ['editor.js'],
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  charset: 'utf8',
  legalComments: 'none',
  metafile: true,
  write: false,
  banner: { js: '/* CodeMirror and what it is made of, MIT licence: the notices are in editor.LICENSES.txt. */' },
});

const packages = new Set(Object.entries(built.metafile.outputs)
  .flatMap(([, output]) => Object.entries(output.inputs))
  .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  .flatMap(([path]) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []));
const texts = new Map();
for (const name of [...packages].toSorted()) {
  const place = join(here, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
  if (license !== 'MIT') throw new Error(`${name} ${version} is under ${license}`);
  const text = readFileSync(join(place, 'LICENSE'), 'utf8').replaceAll('\r\n', '\n').trim();
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version}`]);
}
const notice = `editor.js holds these packages, each under the licence below it.\n\n${
  [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`).join(`\n${'-'.repeat(72)}\n\n`)}`;

const files = { 'editor.js': built.outputFiles[0].text, 'editor.LICENSES.txt': notice };
for (const [name, text] of Object.entries(files)) {
  const path = join(assets, name);
  if (!process.argv.includes('--check')) { writeFileSync(path, text); continue; }
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) {
    console.error(`${name} is not what its sources make: run \`node build.mjs\` in crates/novel-studio/editor`);
    process.exitCode = 1;
  }
}
