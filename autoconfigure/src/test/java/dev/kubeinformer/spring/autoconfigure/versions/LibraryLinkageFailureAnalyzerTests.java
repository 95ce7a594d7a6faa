package dev.kubeinformer.spring.autoconfigure.versions;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the analysis of classes and methods that a library lacks.
 */
class LibraryLinkageFailureAnalyzerTests {

	@Test
	void methodThatClientJavaLacksShouldBeAnalyzed() {
		FailureAnalysis analysis = analyze(new NoSuchMethodError(
				"'io.kubernetes.client.util.ClientBuilder io.kubernetes.client.util.ClientBuilder.setApiClient(io.kubernetes.client.openapi.ApiClient)'"),
				"dev.kubeinformer.client.Kubeconfig");
		assertThat(analysis).isNotNull();
		assertThat(analysis.getDescription()).contains("dev.kubeinformer.client.Kubeconfig.call", "setApiClient",
				"client-java %s ('client-java-%1$s.jar')".formatted(Library.CLIENT_JAVA.version()),
				"client-java-api " + Library.CLIENT_JAVA_API.version(), "OkHttp " + Library.OKHTTP.version(),
				"Okio " + Library.OKIO.version(), "Spring Boot " + Library.SPRING_BOOT.version());
		assertThat(analysis.getAction()).contains("spring-cloud-dependencies", "<groupId>io.kubernetes</groupId>",
				"<artifactId>client-java</artifactId>", "<artifactId>client-java-api</artifactId>",
				"dependency(\"io.kubernetes:client-java:");
	}

	@ParameterizedTest
	@MethodSource
	void classesThatOkHttpLacksShouldBeAnalyzed(LinkageError error, String caller) {
		FailureAnalysis analysis = analyze(error, caller);
		assertThat(analysis).isNotNull();
		assertThat(analysis.getAction()).contains("<artifactId>okhttp</artifactId>");
	}

	static Stream<Object[]> classesThatOkHttpLacksShouldBeAnalyzed() {
		return Stream.of(new Object[] { new NoClassDefFoundError("okio/Socket"), "okhttp3.internal.http2.Http2Stream" },
				new Object[] { new NoSuchMethodError("'okio.Socket okio.Okio.socket(java.net.Socket)'"),
						"okhttp3.internal.connection.ConnectPlan" },
				new Object[] { new NoSuchFieldError("okhttp3.Protocol.H3"), "io.kubernetes.client.util.Watch" });
	}

	@ParameterizedTest
	@MethodSource
	void otherErrorsShouldBeLeftToOthers(LinkageError error, String caller) {
		assertThat(analyze(error, caller)).isNull();
	}

	static Stream<Object[]> otherErrorsShouldBeLeftToOthers() {
		return Stream.of(new Object[] { new NoSuchMethodError("com.example.Shop.open()"), "dev.kubeinformer.A" },
				new Object[] { new NoSuchMethodError("okhttp3.Call.x()"), "com.example.Shop" },
				new Object[] { new NoClassDefFoundError("Could not initialize class okhttp3.Call"), "okhttp3.A" },
				new Object[] { new ExceptionInInitializerError("okhttp3.Call"), "okhttp3.A" });
	}

	private static @Nullable FailureAnalysis analyze(LinkageError error, String caller) {
		error.setStackTrace(new StackTraceElement[] { new StackTraceElement(caller, "call", "A.java", 1) });
		return new LibraryLinkageFailureAnalyzer().analyze(new BeanCreationException("informers", "failed", error));
	}

}
