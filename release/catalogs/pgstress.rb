class Pgstress < Formula
  desc "Load tester for PostgreSQL, Citus and Postgres-XL"
  homepage "@URL@"
  url "@URL@/stress-@VERSION@-slim.jar"
  version "@VERSION@"
  sha256 "@SHA256_SLIM@"
  license "Apache-2.0"

  depends_on "openjdk"

  conflicts_with "stress", because: "both install a `stress` command"

  # The embedded server of other platforms is built on them: see docs/installing.md.
  on_linux do
    on_intel do
      resource "embedded" do
        url "@URL@/stress-@VERSION@-@PLATFORM@-embedded.jar"
        sha256 "@SHA256_EMBEDDED@"
      end
    end
  end

  def install
    libexec.install Dir["*.jar"].first => "stress-slim.jar"
    if OS.linux? && Hardware::CPU.intel?
      resource("embedded").stage { libexec.install Dir["*.jar"].first => "stress-embedded.jar" }
    end
    bin.write_jar_script libexec/"stress-slim.jar", "stress", "-XX:+UseParallelGC -XX:MaxRAMPercentage=25"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/stress --version")
    assert_match "unknown option", shell_output("#{bin}/stress --no-such-option 2>&1", 2).downcase
  end
end
