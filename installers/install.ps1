# Installs guard on Windows: downloads the executable and its checksum, verifies it, puts it in place.
# Not run in the project's own tests: they check it as data.
#
# GUARD_INSTALL_DIR  where the executable goes (default: %LOCALAPPDATA%\guard\bin)
# GUARD_BASE_URL     where the release's files are (default: the release that this script belongs to)
function Install-Guard {
  $ErrorActionPreference = 'Stop'
  $ProgressPreference = 'SilentlyContinue'
  [Net.ServicePointManager]::SecurityProtocol = [Net.SecurityProtocolType]::Tls12
  $asset = 'guard-windows-x64.exe'
  # The release puts its own address here.
  $base = if ($env:GUARD_BASE_URL) { $env:GUARD_BASE_URL } else { '@BASE_URL@' }
  if ($base.StartsWith('@')) { throw 'This copy of install.ps1 does not know its release: take it from a release, or set GUARD_BASE_URL.' }
  if (-not $base.StartsWith('https://')) { throw "Expected an https address, got $base" }
  $directory = if ($env:GUARD_INSTALL_DIR) { $env:GUARD_INSTALL_DIR } else { Join-Path $env:LOCALAPPDATA 'guard\bin' }
  New-Item -ItemType Directory -Force -Path $directory | Out-Null
  $work = Join-Path $directory ('.guard-install.' + [Guid]::NewGuid().ToString('N'))
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    Invoke-WebRequest -UseBasicParsing -Uri "$base/SHA256SUMS" -OutFile (Join-Path $work 'SHA256SUMS')
    Invoke-WebRequest -UseBasicParsing -Uri "$base/$asset" -OutFile (Join-Path $work 'guard.exe')
    $line = Get-Content -LiteralPath (Join-Path $work 'SHA256SUMS') | Where-Object { ($_ -split '\s+\*?')[1] -eq $asset } | Select-Object -First 1
    if (-not $line) { throw "SHA256SUMS has no line for $asset; the release is incomplete." }
    $expected = ($line -split '\s+')[0]
    $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $work 'guard.exe')).Hash
    if ($actual -ne $expected) { throw "The checksum of $asset differs: expected $expected, got $actual. Nothing was installed." }
    Move-Item -Force -LiteralPath (Join-Path $work 'guard.exe') -Destination (Join-Path $directory 'guard.exe')
  } finally {
    Remove-Item -Recurse -Force -LiteralPath $work
  }
  $command = Join-Path $directory 'guard.exe'
  Write-Output "Installed guard $(& $command --version) as $command"
  if (($env:PATH -split ';') -notcontains $directory) { Write-Output "$directory is not on your PATH; add it in the system's settings." }
  Write-Output "Next, connect it to your agents:"
  Write-Output "  & '$command' install --all"
}

Install-Guard
