#!/bin/sh
# The plugin folders, by the clients' own validators (from npm, see clients/common.py).
set -e
root="$(cd "$(dirname "$0")/.." && pwd)"
"${PYTHON:-python}" - "$root" <<'END'
import subprocess
import sys
from pathlib import Path

root = Path(sys.argv[1])
sys.path.insert(0, str(root / "acceptance/clients"))
from common import installed

checks = [
    ("@anthropic-ai/claude-code@2.1.332", ["claude", "plugin", "validate", "--strict", "plugins"]),
    ("@anthropic-ai/claude-code@2.1.332", ["claude", "plugin", "validate", "--strict", "plugins/engraphy"]),
    ("@anthropic-ai/mcpb@2.1.2", ["mcpb", "validate", "plugins/mcpb/manifest.json"]),
]
failed = 0
for package, (program, *words) in checks:
    found = installed(package) / "node_modules/.bin" / program
    done = subprocess.run([found, *words], cwd=root, capture_output=True, text=True, timeout=120)
    failed += done.returncode != 0
    print("ok  " if done.returncode == 0 else "FAIL", program, *words)
    if done.returncode:
        print(done.stdout, done.stderr)
raise SystemExit(failed)
END
