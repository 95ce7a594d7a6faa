package dev.kubeinformer.publication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that everything that a build downloads, apart from artifacts that Maven checks
 * itself, is pinned by its content.
 */
class SupplyChainTests {

	private static final Pattern COMMIT = Pattern.compile(".*uses: [\\w./-]+@[0-9a-f]{40} # v[\\d.]+");

	private static final Pattern DIGEST = Pattern.compile("FROM \\S+@sha256:[0-9a-f]{64}( AS \\w+)?");

	@Test
	void actionsShouldBePinnedByCommit() throws IOException {
		List<String> uses = lines(".github/workflows/ci.yml").filter((line) -> line.contains("uses:")).toList();
		assertThat(uses).isNotEmpty().allMatch(COMMIT.asMatchPredicate());
	}

	@Test
	void baseImagesShouldBePinnedByDigest() throws IOException {
		List<String> images = lines("sample-app/Dockerfile").filter((line) -> line.startsWith("FROM")).toList();
		assertThat(images).isNotEmpty().allMatch(DIGEST.asMatchPredicate());
	}

	@Test
	void toolsOfTheSiteShouldBePinnedByHash() throws IOException {
		assertThat(lines("build/site"))
			.anyMatch((line) -> line.contains("pip\" ") && line.contains("--require-hashes"));
		String requirements = Files.readString(Modules.ROOT.resolve("build/site-requirements.txt"));
		assertThat(requirements.split("\\n(?=\\w)")).hasSizeGreaterThan(2)
			.filteredOn((entry) -> !entry.startsWith("#"))
			.allMatch((entry) -> entry.matches("(?s)[\\w.-]+==\\S+ \\\\\\n.*--hash=sha256:[0-9a-f]{64}.*"));
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void mavenOfAnotherChecksumShouldNotBeUnpacked(@TempDir Path directory) throws IOException, InterruptedException {
		Path tools = Files.createDirectory(directory.resolve("tools"));
		for (String tool : List.of("sed", "basename", "dirname", "tr", "mktemp", "rm", "sha256sum", "shasum", "perl")) {
			Path installed = installed(tool);
			if (installed != null) {
				script(tools.resolve(tool), "exec " + installed + " \"$@\"");
			}
		}
		script(tools.resolve("curl"), "echo something else >\"$3\"");
		ProcessBuilder builder = new ProcessBuilder("/bin/sh", Modules.ROOT.resolve("mvnw").toString(), "-v")
			.redirectErrorStream(true);
		builder.environment().putAll(Map.of("PATH", tools.toString(), "MAVEN_USER_HOME", directory.toString()));
		Process process = builder.start();
		String output = new String(process.getInputStream().readAllBytes());
		assertThat(process.waitFor()).isEqualTo(1);
		assertThat(output).contains("downloading https://", "the download has the SHA-256", "nothing was unpacked");
		assertThat(directory.resolve("wrapper")).doesNotExist();
	}

	private static void script(Path file, String command) throws IOException {
		Files.writeString(file, "#!/bin/sh\n" + command + "\n");
		assertThat(file.toFile().setExecutable(true)).isTrue();
	}

	private static @Nullable Path installed(String tool) {
		return Stream.of(System.getenv("PATH").split(":"))
			.map((directory) -> Path.of(directory, tool))
			.filter(Files::isExecutable)
			.findFirst()
			.orElse(null);
	}

	private static Stream<String> lines(String file) throws IOException {
		return Files.readAllLines(Modules.ROOT.resolve(file)).stream();
	}

}
