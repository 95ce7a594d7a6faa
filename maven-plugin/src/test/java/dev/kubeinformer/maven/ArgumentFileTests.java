package dev.kubeinformer.maven;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the file of arguments.
 */
@Tag("once")
class ArgumentFileTests {

	@Test
	void argumentsShouldReachTheProgramAsTheyAre() throws Exception {
		List<String> arguments = List.of("C:\\Users\\me", "a b", "say \"x\"", "two\nlines", "#no comment", "", "'");
		List<String> command = List.of("-XX:TieredStopAtLevel=1", "-cp",
				Path.of(Echo.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString(),
				Echo.class.getName());
		Path file = ArgumentFile.write(Stream.concat(command.stream(), arguments.stream()).toList());
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"@" + file)
			.redirectErrorStream(true)
			.start();
		assertThat(new String(process.getInputStream().readAllBytes())).isEqualTo(String.join("|", arguments));
		Files.delete(file);
	}

}
