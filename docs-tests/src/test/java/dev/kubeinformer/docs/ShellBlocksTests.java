package dev.kubeinformer.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests that a shell can read the commands of each page, and that the modules, profiles,
 * goals, classes and files that they name exist.
 */
@Tag("once")
@TestInstance(Lifecycle.PER_CLASS)
class ShellBlocksTests {

	private final ShellCommands commands;

	ShellBlocksTests() throws IOException {
		this.commands = new ShellCommands();
	}

	static List<Page> pagesWithBlocks() throws IOException {
		return Page.with("shell", "bash", "sh");
	}

	static List<Page> pages() throws IOException {
		return Page.all();
	}

	@ParameterizedTest
	@MethodSource("pagesWithBlocks")
	void shellShouldReadTheCommands(Page page) throws Exception {
		assumeThat(Files.isExecutable(Path.of("/bin/bash"))).as("there is a bash").isTrue();
		for (Block block : page.blocks("shell", "bash", "sh")) {
			Process bash = new ProcessBuilder("/bin/bash", "-n").redirectErrorStream(true).start();
			bash.getOutputStream().write(block.code().getBytes(StandardCharsets.UTF_8));
			bash.getOutputStream().close();
			String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(bash.waitFor(30, TimeUnit.SECONDS)).isTrue();
			assertThat(said).as("%s", block).isEmpty();
		}
	}

	@Test
	void mistakesShouldBeFound() {
		Path page = Path.of("README.md");
		assertThat(this.commands.missing("./mvnw -pl missing,starter verify -Pnone", page))
			.containsExactly("there is no module 'missing'", "there is no profile 'none'");
		assertThat(this.commands.missing("./mvnw -q instal -Dtest=NoneTests", page))
			.containsExactly("there is no phase 'instal'", "there is no test 'NoneTests'");
		assertThat(this.commands.missing("mvn sprung-boot:run", page))
			.containsExactly("there is no plugin 'sprung-boot'");
		assertThat(this.commands.missing("kubectl apply -f no/such.yaml", page))
			.containsExactly("there is no file 'no/such.yaml'");
		assertThat(this.commands.missing("SPRING_PROFILES_ACTIVE=none ./mvnw -pl sample-app spring-boot:run", page))
			.containsExactly("there is no profile 'none'");
	}

	@ParameterizedTest
	@MethodSource("pages")
	void whatCommandsNameShouldExist(Page page) throws IOException {
		List<String> wrong = new ArrayList<>();
		for (Block block : Stream.concat(page.blocks("shell", "bash", "sh").stream(), page.inlineCode().stream())
			.toList()) {
			this.commands.missing(block.code(), page.path()).forEach((missing) -> wrong.add(block + ": " + missing));
		}
		assertThat(wrong).isEmpty();
	}

}
