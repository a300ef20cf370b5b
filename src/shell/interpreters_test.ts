import assert from "node:assert/strict";
import { listInvocation, understood } from "./listing.ts";

const files: Readonly<Record<string, string>> = {
  "/home/u/p/clean.py": "import shutil, sys\nshutil.rmtree('/srv/data')\nshutil.rmtree(sys.argv[1])\n",
  "/home/u/p/tidy.py": "import shutil\nfor d in find():\n    shutil.rmtree(d)\n",
  "/home/u/p/clean.mjs":
    "import { rmSync } from 'node:fs';\nimport path from 'node:path';\nrmSync(path.join(import.meta.dirname, 'dist'), { recursive: true });\nrmSync(where());\n",
  "/home/u/p/tool": "#!/usr/bin/env python3\nimport os\nos.remove('/srv/x')\n",
};
const readFile = (path: string) => files[path];

type Case = readonly [command: string, ...effects: string[]];

/** What the code does, without the interpreter itself. */
const groups: Readonly<Record<string, readonly Case[]>> = {
  python: [
    [`python3 -c "import shutil; shutil.rmtree('/')"`, "rm -rf /"],
    [`python3 -c 'import os; os.system("rm -rf x")'`, "rm -rf x"],
    [`python -c "__import__('os').system('rm x')"`, "rm x"],
    [`python3 -c "from os import system as s; s('rm x')"`, "rm x"],
    [`python3 -c "import os as o; o.remove('a'); o.rmdir('b')"`, "rm a", "rmdir b"],
    [`python3 -c "import subprocess; subprocess.run(['rm', '-rf', 'x'])"`, "rm -rf x"],
    [`python3 -c "import subprocess as s; s.check_call('rm x', shell=True)"`, "rm x"],
    [`python3 -c "import subprocess; subprocess.Popen(args=['rm','x'])"`, "rm x"],
    [`python3 -c "import os; os.execvp('rm', ['rm', '-rf', 'x'])"`, "rm -rf x"],
    [`python3 -c "import os; os.execlp('rm', 'rm', '-rf', 'x')"`, "rm -rf x"],
    [`python3 -c "import os,shutil; shutil.rmtree(os.path.expanduser('~'))"`, "rm -rf /home/u"],
    [`python3 -c "import os,shutil; shutil.rmtree(os.environ['HOME'])"`, "rm -rf /home/u"],
    [`python3 -c "import os; os.remove(os.path.join(os.getenv('HOME'), 'x'))"`, "rm /home/u/x"],
    [`python3 -c "from pathlib import Path; (Path.home() / 'x').unlink()"`, "rm /home/u/x"],
    [`python3 -c "from pathlib import Path; Path('a').write_text('b')"`, "tee a"],
    [`python3 -c "from pathlib import Path; p = Path('a') / 'b'; p.unlink()"`, "rm a/b"],
    [`python3 -c "from pathlib import Path; print(Path('~/.x').expanduser().read_text())"`, "cat /home/u/.x"],
    [
      `python3 -c "open('a','w').write('b'); open('c').read(); open('d', mode='a')"`,
      "tee a",
      "cat c",
      "tee -a d",
    ],
    [`python3 -c "d='/srv'; import shutil; shutil.rmtree(d + '/x')"`, "rm -rf /srv/x"],
    [`python3 -c "d='x'; import shutil; shutil.rmtree(f'/srv/{d}')"`, "rm -rf /srv/x"],
    [`python3 -c "import os; os.system('rm %s' % 'x')"`, "rm x"],
    [`python3 -c "exec('import os; os.remove(\\"x\\")')"`, "rm x"],
    [`python3 -c "getattr(__import__('os'), 'system')('rm x')"`, "rm x"],
    [`python3 -c "import os,base64; os.system(base64.b64decode('cm0geA==').decode())"`, "rm x"],
    [`python3 -c "import os; os.chdir('/srv'); os.remove('x')"`, "rm x"],
    [`python3 -c "import shutil,sys; shutil.rmtree(sys.argv[1])" /srv`, "rm -rf /srv"],
    [`python3 -c "import shutil; shutil.rmtree(where())"`, "rm -rf «where(…)»"],
    [`python3 -c "import shutil; shutil.move('a', 'b'); shutil.copy('c', 'd')"`, "mv a b", "cp c d"],
    ["python3 <<'E'\nimport os\nos.system('''rm\n-rf x''')\nE", "rm", "-rf x"],
    ["python3 - <<E\nimport os; os.remove('x')\nE", "rm x"],
    [`echo "import os; os.remove('x')" | python3`, "rm x"],
    [`X=/srv; python3 -c "import shutil; shutil.rmtree('$X')"`, "rm -rf /srv"],
    [`python3 -c "import shutil; shutil.rmtree('$X')"`, "rm -rf «$X»"],
    ["python3 clean.py /opt/x", "rm -rf /srv/data", "rm -rf /opt/x"],
    ["python3 tidy.py"],
    [`python3 -c "import os; os.remove(path='x')"`, "rm x"],
    [`python3 -c "from subprocess import *; run('rm x', shell=True)"`, "rm x"],
    [`python3 -c "import os,sys; os.system(' '.join(sys.argv[1:]))" rm x`, "rm x"],
    [`python3 -c "exec(compile('import os; os.remove(1)','','exec'))"`, "rm 1"],
    ["./tool", "rm /srv/x"],
    [`echo "import os; os.remove('x')" > t.py; python3 t.py`, "rm x"],
    [`python3 -c "print('rm -rf /')"`],
    [`python3 -c "x = 'os.system(1)'; y = 'rm -rf /'"`],
    [`python3 -c "# os.remove('x')"`],
    ["python3 -m pytest -k 'os.system'"],
    [`python3 -c "import json; json.load(open('a.json'))"`, "cat a.json"],
    [`python3 -c "import os; [os.remove(f) for f in ['a']]"`, "rm «f»"],
    [`python3 -c "import glob,os; [os.remove(f) for f in glob.glob('*.pyc')]"`, "rm «f»"],
    [
      `python3 -c "from pathlib import Path
for p in Path('src').rglob('*.pyc'): p.unlink()"`,
      "rm src/*.pyc",
    ],
    [`$(python3 -c "print('rm')") x`, "rm x"],
    [`python3 -c "print('rm x')" | sh`, "sh", "rm x"],
  ],
  javascript: [
    [`node -e "require('fs').rmSync('/srv', {recursive: true, force: true})"`, "rm -rf /srv"],
    [`node -e "const fs = require('node:fs'); fs.rmSync('a'); fs.unlinkSync('b')"`, "rm a", "rm b"],
    [`node -e "const {rmSync: r} = require('fs'); r('a')"`, "rm a"],
    [`node -e "require('child_process').execSync('rm -rf x')"`, "rm -rf x"],
    [
      `node -e "const cp = require('child_process'); cp.exec('rm x'); cp.spawn('rm', ['-rf', 'y'])"`,
      "rm x",
      "rm -rf y",
    ],
    [`node --eval="require('fs').writeFileSync('a', 'b')"`, "tee a"],
    [`node -p "require('fs').readFileSync('a', 'utf8')"`, "cat a"],
    [`node -e "fs.rmSync(os.homedir(), {recursive:true})"`, "rm -rf /home/u"],
    [`node -e "fs.rmSync(process.env.HOME + '/x', {recursive:true})"`, "rm -rf /home/u/x"],
    ["node -e 'fs.rmSync(`${process.env.HOME}/x`)'", "rm /home/u/x"],
    [`node -e "fs.rmSync(require('path').join(require('os').homedir(), 'x'))"`, "rm /home/u/x"],
    [`node -e "fs.promises.rm('a', {recursive: true})"`, "rm -rf a"],
    [`node -e "['a'].forEach(f => fs.unlinkSync('b'))"`, "rm b"],
    [`node -e "if (/x'/.test(a)) { fs.unlinkSync('b') }"`, "rm b"],
    [`node -e "eval('fs.unlinkSync(\\"b\\")')"`, "rm b"],
    [`deno eval "Deno.removeSync('a', {recursive: true})"`, "rm -rf a"],
    [`deno eval "new Deno.Command('rm', {args: ['-rf', 'x']}).outputSync()"`, "rm -rf x"],
    ["bun -e 'await Bun.$`rm -rf x`'", "rm -rf x"],
    [`bun -e "Bun.spawnSync(['rm', 'x'])"`, "rm x"],
    ["node clean.mjs", "rm -rf /home/u/p/dist"],
    [`node -e "console.log('rm -rf /')"`],
    [`node -e "/rm/.exec('rm -rf /')"`],
    [`node -e "// fs.rmSync('/')"`],
    ["node --test"],
    ["node server.js"],
    ["node <<'E'\nconst { execSync } = require('child_process')\nexecSync('rm x')\nE", "rm x"],
  ],
  ruby: [
    [`ruby -e 'system("rm -rf x")'`, "rm -rf x"],
    [`ruby -e 'system "rm", "-rf", "x"'`, "rm -rf x"],
    ["ruby -e '`rm x`; %x(rm y)'", "rm x", "rm y"],
    [`ruby -rfileutils -e 'FileUtils.rm_rf(Dir.home)'`, "rm -rf /home/u"],
    [`ruby -rfileutils -e 'FileUtils.rm_rf "/srv"'`, "rm -rf /srv"],
    [`ruby -e 'File.delete(ENV["HOME"] + "/x")'`, "rm /home/u/x"],
    [`ruby -e 'File.delete("#{ENV["HOME"]}/x")'`, "rm /home/u/x"],
    [`ruby -e 'File.write("a", "b"); puts File.read("c")'`, "tee a", "cat c"],
    [`ruby -e 'puts "rm -rf /"'`],
    [`ruby -e 'exec("rm x")'`, "rm x"],
  ],
  perl: [
    [`perl -e 'system("rm -rf x")'`, "rm -rf x"],
    [`perl -e 'system "rm", "-rf", "x"'`, "rm -rf x"],
    [`perl -e 'unlink "a", "b"'`, "rm a b"],
    ["perl -e '`rm x`; qx{rm y}'", "rm x", "rm y"],
    [`perl -MFile::Path -e 'rmtree("/srv")'`, "rm -rf /srv"],
    [`perl -MFile::Path=remove_tree -e 'remove_tree("/srv")'`, "rm -rf /srv"],
    [`perl -e 'unlink "$ENV{HOME}/x"'`, "rm /home/u/x"],
    [`perl -e 'my $d = "/srv"; system("rm -rf $d")'`, "rm -rf /srv"],
    [`perl -e 'unlink $ENV{HOME} . "/x"'`, "rm /home/u/x"],
    [`perl -e 'exec q(rm x)'`, "rm x"],
    [`perl -e 'open(F, ">", "a"); open(G, "<b"); open(H, "rm x|")'`, "tee a", "cat b", "rm x"],
    [`perl -pi -e 's/rm/ls/' f`],
    ["perl -0pi -e 's/`rm x`/y/g; tr/`/q/; s{`a`}{`b`}' f"],
    [`perl -pi -e 's/x/system("rm y")/e' f`, "rm y"],
    [`perl -e 'if ($x =~ m{\`y\`}) { unlink "z" }'`, "rm z"],
    [`perl -lne 'print if /system/' f`],
  ],
  others: [
    [`php -r 'unlink("a"); shell_exec("rm x");'`, "rm a", "rm x"],
    [`php -r 'unlink(getenv("HOME") . "/x");'`, "rm /home/u/x"],
    ["php -r 'echo `rm x`;'", "rm x"],
    [`php -r 'file_put_contents("a", "b"); echo "rm -rf /";'`, "tee a"],
    [`lua -e 'os.execute("rm x")'`, "rm x"],
    [`lua -e 'os.remove(os.getenv("HOME") .. "/x")'`, "rm /home/u/x"],
    [`osascript -e 'do shell script "rm -rf x"'`, "rm -rf x"],
    [`osascript -e 'display dialog "rm -rf /"'`],
    [`Rscript -e 'system("rm x"); unlink("a", recursive = TRUE)'`, "rm x", "rm -r a"],
    [`awk 'BEGIN { system("rm x") }'`, "rm x"],
    [`awk '{ system("rm " $1) }' f`, "rm «$1»"],
    [`awk 'BEGIN { print "rm x" | "sh" }'`, "sh", "rm x"],
    [`awk 'BEGIN { "rm x" | getline }'`, "rm x"],
    [`awk '/rm/ { print $1, "rm -rf /" }' f`],
    [`awk '{ print $1 > "out" }' f`, "tee out"],
    [`awk 'BEGIN { while ((getline l < "in") > 0) print l }'`, "cat in"],
    [`awk '$1 > "m" { n++ }' f`],
    [`emacs --batch --eval '(shell-command "rm x")'`, "rm x"],
    [`emacs --batch --eval='(progn (delete-directory "~/a" t))'`, "rm -r /home/u/a"],
    [`emacs --batch --eval '(message "rm -rf /")'`],
    [`awk -F: '{print $1}' f`],
    [`sed 's/a/b/' f`],
    [`sed -n '1e rm x' f`, "rm x"],
    [`sed 's/.*/rm x/e' f`, "rm x"],
    [`sed -i 's/exec/e w/g; /x/d' f`],
    [`sed -n 'w out' f`, "tee out"],
    [`vim -c '!rm x' f`, "rm x"],
    [`vim +'!rm x' f`, "rm x"],
    [`ex -sc '!rm x' f`, "rm x"],
    [`vim -c ':%s/a/b/' -c wq f`],
    [`tar cf a.tar --checkpoint=1 --checkpoint-action=exec='rm x' d`, "rm x"],
    [`tar cf - d -I 'rm x'`, "rm x …"],
    [`rsync -e 'ssh -p 22' a b:`, "ssh -p 22 …"],
    [`psql -c '\\! rm x'`, "rm x"],
    [`psql -c 'select 1'`],
    [`sqlite3 a.db '.shell rm x'`, "rm x"],
    [`sqlite3 a.db 'select 1'`],
    [`ssh -o ProxyCommand='rm x' h`, "rm x", 'ssh -o "ProxyCommand=rm x" h'],
  ],
};

for (const [group, cases] of Object.entries(groups)) {
  Deno.test(`understand code: ${group}`, () => {
    const wrong: unknown[] = [];
    for (const [command, ...expected] of cases) {
      const { invocations } = understood(command, { readFile });
      const listed = invocations.map(listInvocation);
      // Those before the first inner one are the line itself.
      const inner = group === "others" && expected.length > 0
        ? listed.slice(listed.indexOf(expected[0]!))
        : invocations.filter((one) =>
          one.provenance === "interpreter" || one.provenance === "script-file" || one.program === "sh" ||
          one.via.length > 0 || (one.provenance === "line" && one.program === "rm")
        ).map(listInvocation);
      const got = group === "others" && expected.length > 0 ? inner.slice(0, expected.length) : inner;
      if (JSON.stringify(got) !== JSON.stringify(expected)) wrong.push({ command, got, listed, expected });
    }
    assert.deepEqual(wrong, []);
  });
}

Deno.test("code that is not known is a doubt, a script of the project is not", () => {
  const reasons = (command: string) => understood(command, { readFile }).doubts.map((doubt) => doubt.reason);
  assert.deepEqual(reasons(`python3 -c "$X"`), ["unknown-code"]);
  assert.deepEqual(reasons(`python3 -c "import os; os.system(cmd())"`), ["unknown-code"]);
  assert.deepEqual(reasons("python3 tidy.py"), []);
  assert.deepEqual(reasons("python3 make.py | sh"), ["encoded-code"]);
  assert.deepEqual(reasons(`python3 -c "print(1)"`), []);
  assert.deepEqual(reasons("node -e 'console.log(process.version)'"), []);
});
