package dev.kubeinformer.spring.test;

import java.nio.file.Path;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the arguments of the program that writes manifests.
 */
@Tag("once")
class ManifestArgumentsTests {

	@Test
	void valuesSwitchesAndPropertiesShouldBeTold() {
		ManifestArguments arguments = ManifestArguments.parse("--application=com.example.App", "--output=k8s",
				"--profiles=a, b", "--replicas=3", "--check", "--service=false", "--server.port=1", "--debug.x");
		assertThat(arguments.get("application")).isEqualTo("com.example.App");
		assertThat(arguments.output()).isEqualTo(Path.of("k8s"));
		assertThat(arguments.list("profiles")).containsExactly("a", "b");
		assertThat(arguments.replicas()).isEqualTo(3);
		assertThat(arguments.isSet("check")).isTrue();
		assertThat(arguments.isSet("service")).isFalse();
		assertThat(arguments.properties()).containsExactly("--server.port=1", "--debug.x");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					--output=k8s                                   | The application is missing; use '--application=com.example.App'
					--application=App                              | The argument '--output=…' is missing; use '--output=src/main/k8s'
					--application=App --output=                    | The argument '--output=' has no value; use '--output=VALUE'
					--application=App --output=k8s --replica=2     | Unknown argument '--replica=2'. There are --accept-breaking-changes, --application=…,
					--application=App --output=k8s src             | Unknown argument 'src'. There are
					--application=App --output=k8s --check=no      | The argument '--check=no' is a switch; use '--check' or leave it out
					--application=App --output=k8s --replicas=many | The argument '--replicas=many' is not a number; use '--replicas=2'
					""")
	void wrongArgumentsShouldBeRefusedWithTheMend(String arguments, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> ManifestArguments.parse(arguments.split(" +")))
			.withMessageStartingWith(message);
	}

}
