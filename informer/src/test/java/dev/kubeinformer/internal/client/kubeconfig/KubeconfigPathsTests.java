package dev.kubeinformer.internal.client.kubeconfig;

import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Names of kubeconfigs.
 */
@DisabledOnOs(OS.WINDOWS)
class KubeconfigPathsTests {

	private static final Path HOME = Path.of("/home/me");

	@ParameterizedTest
	@CsvSource({ "/a/b, /a/b", "a/b, a/b", "~, /home/me", "~/x, /home/me/x", "~x/y, ~x/y", "/a/~, /a/~",
			"file:/a/b, /a/b", "file:///a/b, /a/b", "file://localhost/a/b, /a/b", "FILE:/a, /a", "file:a/b, a/b",
			"file:~/x, /home/me/x", "file:/a%20b, /a b", "file:/a b, /a b", "file:/a%zz, /a%zz", "file:////a, /a",
			"filed, filed" })
	void textShouldNameAFile(String text, String path) {
		assertThat(Kubeconfigs.path(text, HOME)).isEqualTo(Path.of(path));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a\0b", "file:/a?b", "file:/a#b", "file://host/a", "file:/a%00b" })
	void textThatNamesNoFileShouldBeRefused(String text) {
		assertThatExceptionOfType(InvalidPathException.class).isThrownBy(() -> Kubeconfigs.path(text, HOME));
	}

	@ParameterizedTest
	@CsvSource({ "a:b, a;b", "a::b:, a;b", ": a : a :b, a;b", "a:b:a, a;b", ":, :", "~/a:b, /home/me/a;b" })
	void variableShouldNameFiles(String variable, String files) {
		assertThat(Kubeconfigs.paths(variable.replace(":", File.pathSeparator), HOME).stream().map(Path::toString))
			.containsExactly(files.replace(":", File.pathSeparator).split(";"));
	}

	@Test
	void homeShouldBeResolvedInEachElement() {
		assertThat(Kubeconfigs.paths("~/a:b:~/c:/home/me/a", HOME)).containsExactly(HOME.resolve("a"), Path.of("b"),
				HOME.resolve("c"));
	}

}
