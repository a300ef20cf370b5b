# Homebrew formula; the release fills in the names between @ signs. Not run in the project's own tests: they check it as data.
class Guard < Formula
  desc "Stands between AI coding agents and the machine they work on"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    on_arm do
      url "@BASE_URL@/guard-macos-arm64"
      sha256 "@SHA256:guard-macos-arm64@"
    end
    on_intel do
      url "@BASE_URL@/guard-macos-x64"
      sha256 "@SHA256:guard-macos-x64@"
    end
  end
  on_linux do
    on_arm do
      url "@BASE_URL@/guard-linux-arm64"
      sha256 "@SHA256:guard-linux-arm64@"
    end
    on_intel do
      url "@BASE_URL@/guard-linux-x64"
      sha256 "@SHA256:guard-linux-x64@"
    end
  end

  def install
    bin.install Dir["guard-*"].first => "guard"
  end

  def caveats
    <<~TEXT
      To connect guard to your agents:
        guard install --all
      Before you remove it, take it out of them again:
        guard uninstall --all
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/guard version")
  end
end
