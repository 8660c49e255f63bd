/** The programs that exports are made for, installed once into the cache folder for their test. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pythonWith } from './python.ts'

/**
 * datasets, lm-eval and inspect-ai, and what those load when they read: no torch, no cloud clients.
 * Versions that Python 3.11 and later have.
 */
const requirements = [
  'datasets==5.2.0', 'lm_eval==0.4.13', 'inspect_ai==0.3.285',
  'agent-client-protocol==0.12.1', 'annotated-doc==0.0.7', 'annotated-types==0.8.0', 'anyio==4.16.0',
  'attrs==26.1.0', 'botocore==1.43.117', 'certifi==2026.10.19.post1', 'chardet==6.0.0.post1',
  'charset-normalizer==3.5.3', 'click==8.5.1', 'cloudpickle==3.1.3', 'colorama==0.4.6', 'dill==0.4.1',
  'docstring_parser==0.18.0', 'fastapi==0.165.0', 'filelock==4.3.1', 'fsspec==2026.6.0', 'h11==0.16.0',
  'httpcore==1.0.9', 'httpcore2==2.16.2', 'httpx==0.28.1', 'httpx2==2.16.2', 'huggingface_hub==2.4.0',
  'idna==3.20', 'ijson==3.6.0', 'Jinja2==3.1.6', 'jsonlines==4.0.0', 'jsonpatch==1.48', 'jsonpointer==3.12',
  'linkify-it-py==2.2.0', 'lxml==6.1.3', 'markdown-it-py==4.3.0', 'MarkupSafe==3.0.4', 'mdurl==0.1.2',
  'mmh3==5.3.1', 'multiprocess==0.70.19', 'nest-asyncio2==1.7.4', 'numpy==2.4.6',
  'opentelemetry-api==1.45.2', 'packaging==26.4', 'pandas==3.1.1', 'pillow==13.0.0', 'platformdirs==4.14.9',
  'portalocker==4.4.2', 'psutil==7.2.2', 'pyarrow==26.0.1', 'pydantic==2.14.4', 'pydantic_core==2.50.5',
  'Pygments==2.21.0', 'python-dateutil==2.9.0.post0', 'python-dotenv==1.2.4', 'pytz==2026.6',
  'PyYAML==6.0.4', 'requests==2.34.2', 'rich==15.0.0', 'sacrebleu==2.6.0', 'scipy==1.17.1', 'semver==3.1.2',
  'shortuuid==1.0.13', 'six==1.17.0', 'sniffio==1.3.1', 'starlette==1.10.0', 'tabulate==0.10.0',
  'tenacity==9.2.1', 'textual==8.2.8', 'threadpoolctl==3.8.0', 'tqdm==4.70.1', 'truststore==0.10.5',
  'typing-inspection==0.4.5', 'typing_extensions==4.16.0', 'urllib3==2.8.0', 'uvicorn==0.54.0',
  'xxhash==4.1.0', 'zipfile-zstd==0.0.4', 'zstandard==0.25.0'
]
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'viva', 'engines')

/** A `python` that has them, or why there is none. The first time takes some minutes and 840 MB. */
export async function findLoadersPython (
  say: (line: string) => void = () => {}
): Promise<{ path: string } | { reason: string }> {
  return await pythonWith({ folder: join(cache, 'loaders-python'), requirements, leastMinor: 11, say })
    .then(path => ({ path }), (cause: unknown) => ({ reason: (cause as Error).message }))
}
