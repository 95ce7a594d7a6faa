package dev.kubeinformer.publication;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.tree.ClassNode;

import dev.kubeinformer.publication.Modules.Module;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that the public types of published modules are as recorded in
 * {@code src/signatures}, so that nothing disappears by the way. {@code build/signatures}
 * records them anew.
 */
class SignaturesTests {

	/**
	 * Packages that are public in Java because others of this project need them, but
	 * without a promise of stability.
	 */
	private static final List<String> UNSTABLE_PACKAGES = List.of("dev.kubeinformer.internal",
			"dev.kubeinformer.test.internal", "dev.kubeinformer.spi");

	private static final String UNSTABLE_TYPE = "Internal to the";

	static List<Module> modules() {
		return Modules.publishedWithCode();
	}

	@ParameterizedTest
	@MethodSource("modules")
	void publicTypesShouldBeAsRecorded(Module module) throws IOException {
		String signatures = Signatures.of(module.directory().resolve("target/classes"), UNSTABLE_PACKAGES,
				unstableTypes(module));
		Path record = Path.of("src/signatures", module.artifact() + ".api");
		if (Boolean.getBoolean("signatures.record")) {
			Files.writeString(record, signatures);
		}
		assertRecorded(signatures, record);
	}

	@Test
	void methodThatIsRemovedShouldBeMissed(@TempDir Path directory) throws IOException {
		Path record = Files.writeString(directory.resolve("open.api"), signatures(Open.class));
		assertRecorded(signatures(Open.class), record);
		ClassNode type = new ClassNode();
		new ClassReader(bytes(Open.class)).accept(type, 0);
		type.methods.removeIf((method) -> method.name.equals("everyone"));
		ClassWriter without = new ClassWriter(0);
		type.accept(without);
		String signatures = Signatures.of(List.of(without.toByteArray()), Set.of(), Set.of());
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertRecorded(signatures, record))
			.withMessageContaining("everyone")
			.withMessageContaining("build/signatures");
	}

	@Test
	void recordsShouldBeOfPublishedModulesOnly() throws IOException {
		try (Stream<Path> records = Files.list(Path.of("src/signatures"))) {
			assertThat(records.map((record) -> record.getFileName().toString())).containsExactlyInAnyOrderElementsOf(
					modules().stream().map((module) -> module.artifact() + ".api").toList());
		}
	}

	@Test
	void whatIsPublicOrProtectedShouldBeInTheSignatures() throws IOException {
		assertThat(signatures(Open.class)).contains("class dev/kubeinformer/publication/SignaturesTests$Open ")
			.contains("public fun everyone ()V")
			.contains("protected fun heirs (Ljava/lang/String;)I")
			.doesNotContain("ours")
			.doesNotContain("mine");
	}

	@Test
	void whatIsNotPublicShouldNotBeInTheSignatures() throws IOException {
		assertThat(signatures(Closed.class)).isBlank();
	}

	@Test
	void whatIsPublicForThisProjectOnlyShouldNotBeInTheSignatures() throws IOException {
		List<byte[]> type = List.of(bytes(Open.class));
		assertThat(Signatures.of(type, Set.of(), Set.of(Open.class.getName()))).isBlank();
		assertThat(Signatures.of(type, Set.of("dev.kubeinformer.publication"), Set.of())).isBlank();
	}

	private static void assertRecorded(String signatures, Path record) {
		assertThat(record).as("Signatures that are published; if they change on purpose, build/signatures records them")
			.exists()
			.hasContent(signatures);
	}

	private static String signatures(Class<?> type) throws IOException {
		return Signatures.of(List.of(bytes(type)), Set.of(), Set.of());
	}

	private static byte[] bytes(Class<?> type) throws IOException {
		return type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class").readAllBytes();
	}

	/**
	 * The types whose Javadoc says that they are there for this project only.
	 */
	private static Set<String> unstableTypes(Module module) throws IOException {
		Path sources = module.directory().resolve("src/main/java");
		try (Stream<Path> files = Files.walk(sources)) {
			return files.filter((file) -> file.toString().endsWith(".java") && isUnstable(file))
				.map((file) -> sources.relativize(file).toString().replaceFirst("\\.java$", "").replace('/', '.'))
				.collect(Collectors.toSet());
		}
	}

	private static boolean isUnstable(Path source) {
		try {
			return Files.readString(source).replaceAll("\\s+(\\* )?", " ").contains(UNSTABLE_TYPE);
		}
		catch (IOException ex) {
			throw new IllegalStateException("Cannot read " + source, ex);
		}
	}

	public static class Open {

		public void everyone() {
		}

		protected int heirs(String name) {
			return name.length();
		}

		void ours() {
		}

		private void mine() {
		}

	}

	static class Closed implements Runnable {

		@Override
		public void run() {
		}

	}

}
