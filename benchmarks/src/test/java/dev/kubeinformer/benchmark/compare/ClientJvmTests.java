package dev.kubeinformer.benchmark.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ClientJvm}.
 */
class ClientJvmTests {

	private static final Path CACHE = Path.of("cache");

	@TempDir
	private Path home;

	@ParameterizedTest
	@CsvSource({ "17.0.15, 17", "1.8.0_392, 8", "25, 25", "25.0.1, 25" })
	void jdkShouldBeInTheNameOfTheRow(String version, String named) throws IOException {
		jdk(version);
		assertThat(ClientJvm.ofJdk("ours=" + this.home))
			.isEqualTo(new ClientJvm("ours, JDK " + named, "ours", this.home, List.of()));
	}

	@Test
	void flagsShouldBeInTheNameOfTheRow() {
		ClientJvm jvm = ClientJvm.ofFlags("ours=-XX:+UseSerialGC  -Dkey=value");
		assertThat(jvm.name()).isEqualTo("ours, -XX:+UseSerialGC  -Dkey=value");
		assertThat(jvm.flags()).containsExactly("-XX:+UseSerialGC", "-Dkey=value");
		assertThat(jvm.home()).isEqualTo(Path.of(System.getProperty("java.home")));
	}

	@Test
	void jdkWithAotCacheShouldMakeOneAndRefuseToStartWithout() throws IOException {
		jdk("25.0.1");
		ClientJvm jvm = new ClientJvm("ours, JDK 25", "ours", this.home, List.of("-Xss1m"));
		assertThat(jvm.training(CACHE)).containsExactly("-Xss1m", "-XX:AOTCacheOutput=cache");
		assertThat(jvm.trained(CACHE)).isEqualTo(new ClientJvm("ours, JDK 25, AOT cache", "ours", this.home,
				List.of("-Xss1m", "-XX:AOTMode=on", "-XX:AOTCache=cache")));
	}

	@Test
	void jdkBeforeThatShouldMakeAnArchiveOfClasses() throws IOException {
		jdk("17.0.15");
		ClientJvm jvm = new ClientJvm("ours", "ours", this.home, List.of());
		assertThat(jvm.training(CACHE)).containsExactly("-XX:ArchiveClassesAtExit=cache");
		assertThat(jvm.trained(CACHE)).isEqualTo(new ClientJvm("ours, CDS archive", "ours", this.home,
				List.of("-Xshare:on", "-XX:SharedArchiveFile=cache")));
	}

	@Test
	void directoryWithoutJdkShouldBeRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> ClientJvm.ofJdk("ours=" + this.home))
			.withMessageContaining(this.home.toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "ours", "=x", "ours=", "ours= " })
	void optionWithoutClientOrValueShouldBeRefused(String text) {
		assertThatIllegalArgumentException().isThrownBy(() -> ClientJvm.ofJdk(text))
			.withMessageContaining("--jvm \"" + text + "\"");
		assertThatIllegalArgumentException().isThrownBy(() -> ClientJvm.ofFlags(text))
			.withMessageContaining("--flags \"" + text + "\"");
	}

	private void jdk(String version) throws IOException {
		Files.writeString(this.home.resolve("release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
	}

}
