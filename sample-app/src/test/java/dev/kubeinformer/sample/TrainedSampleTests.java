package dev.kubeinformer.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.kubeinformer.test.ApiUser;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the sample starts from the archive which the profile {@code train} of the
 * build has made of it.
 */
class TrainedSampleTests {

	private static final String APPLICATION = System.getProperty("training.app", "");

	// The option by which it was written; without the application it is of another run.
	private static final String ARCHIVE = APPLICATION.isEmpty() ? "" : System.getProperty("training.archive", "");

	private static final String AOT_CACHE = "-XX:AOTCacheOutput=";

	private static final String CDS_ARCHIVE = "-XX:ArchiveClassesAtExit=";

	@TempDir
	private Path folder;

	@Test
	void archiveShouldBeOfAKindThatIsTested() {
		assumeThat(APPLICATION).as("made by './mvnw -Ptrain -pl sample-app -am verify'").isNotEmpty();
		assertThat(ARCHIVE).satisfiesAnyOf((option) -> assertThat(option).startsWith(AOT_CACHE),
				(option) -> assertThat(option).startsWith(CDS_ARCHIVE));
	}

	@Test
	void sampleShouldStartFromTheAotCache() throws Exception {
		assumeThat(ARCHIVE)
			.as("made by './mvnw -Ptrain -pl sample-app -am verify' on a JDK from 25 on, which makes an AOT cache")
			.startsWith(AOT_CACHE);
		start("-XX:AOTMode=on", "-XX:AOTCache=" + ARCHIVE.substring(AOT_CACHE.length()));
	}

	@Test
	void sampleShouldStartFromTheCdsArchive() throws Exception {
		assumeThat(ARCHIVE)
			.as("made by './mvnw -Ptrain -pl sample-app -am verify' on a JDK before 25, which makes a CDS archive")
			.startsWith(CDS_ARCHIVE);
		start("-Xshare:on", "-XX:SharedArchiveFile=" + ARCHIVE.substring(CDS_ARCHIVE.length()));
	}

	private void start(String... archive) throws Exception {
		Path loaded = this.folder.resolve("loaded.txt");
		Path output = this.folder.resolve("output.txt");
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder()
			.tls()
			.protobuf(true)
			.user("admin", "secret", ApiUser::allowAll)
			.start()) {
			DemoCluster.fill(kubernetes);
			List<String> command = new ArrayList<>(List.of(System.getProperty("training.java")));
			command.addAll(List.of(archive));
			command.addAll(List.of("-Xmx256m", "-Xlog:class+load:file=" + loaded + "::filecount=0", "-jar", APPLICATION,
					"--spring.profiles.active=cluster", "--server.port=0"));
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(output.toFile());
			builder.environment()
				.put("KUBECONFIG", kubernetes.writeKubeconfig(this.folder.resolve("kubeconfig")).toString());
			Process process = builder.start();
			try {
				await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
					assertThat(process.isAlive()).as(() -> read(output)).isTrue();
					assertThat(read(output)).contains("FOUND   shop/redis-0", "in zone zone-b");
				});
			}
			finally {
				process.destroy();
				process.waitFor(20, TimeUnit.SECONDS);
				process.destroyForcibly();
			}
		}
		assertCameFromTheArchive(Files.readAllLines(loaded));
	}

	private static void assertCameFromTheArchive(List<String> loaded) {
		assertThat(loaded).as("classes of TLS, of the HTTP client and of the decoders")
			.anyMatch((line) -> isShared(line, "sun.security.ssl.SSLSocketImpl "))
			.anyMatch((line) -> isShared(line, "okhttp3.internal.connection.RealConnection "))
			.anyMatch((line) -> isShared(line, "dev.kubeinformer.internal.codec.protobuf.ProtobufReader "));
		List<String> own = loaded.stream()
			.filter((line) -> line.contains("dev.kubeinformer.") && !line.contains("$$"))
			.toList();
		List<String> others = own.stream().filter((line) -> !isShared(line, "")).toList();
		assertThat(others.size()).as(() -> String.join("\n", others)).isLessThan(own.size() / 20);
		assertThat(loaded).as("the API server is another process")
			.noneMatch((line) -> line.contains("org.eclipse.jetty."));
	}

	private static boolean isShared(String line, String name) {
		return line.contains(name) && line.contains("source: shared objects file");
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

}
