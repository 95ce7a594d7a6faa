package dev.kubeinformer.internal.failure;

import java.io.IOException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the messages about incompatible libraries. */
class LinkageProblemTests {

	private static final String SOCKET = "'okio.Socket okio.Okio.socket(java.net.Socket)'";

	@Test
	void problemShouldNameWhatIsMissingTheJarsAndTheMend() {
		LinkageProblem problem = LinkageProblem.of(new NoSuchMethodError(SOCKET));
		assertThat(problem).isNotNull();
		assertThat(problem.message()).contains("NoSuchMethodError", SOCKET, "okio.Okio is in 'okio-jvm-")
			.doesNotContain("in each of");
		assertThat(problem.advice()).contains("okhttp", "dependency:tree");
	}

	@ParameterizedTest
	@MethodSource("ofLibraries")
	void problemShouldBeFoundWhereverItHides(Throwable failure) {
		assertThat(LinkageProblem.of(failure)).isNotNull();
	}

	static Stream<Throwable> ofLibraries() {
		NoSuchMethodError missing = new NoSuchMethodError(SOCKET);
		IOException hiding = new IOException("canceled due to " + missing);
		hiding.addSuppressed(missing);
		NoClassDefFoundError slashes = new NoClassDefFoundError("okhttp3/internal/http2/Http2Connection");
		NoClassDefFoundError caller = new NoClassDefFoundError();
		caller.setStackTrace(new StackTraceElement[] {
				new StackTraceElement("io.kubernetes.client.util.ClientBuilder", "build", "ClientBuilder.java", 1) });
		return Stream.of(missing, hiding, new IOException(missing), slashes, caller);
	}

	@ParameterizedTest
	@MethodSource("ofOthers")
	void otherFailuresShouldBeNone(Throwable failure) {
		assertThat(LinkageProblem.of(failure)).isNull();
	}

	static Stream<Throwable> ofOthers() {
		Throwable loop = new IOException("a");
		loop.initCause(new IOException("b", loop));
		return Stream.of(new IOException("okio.Okio"), new OutOfMemoryError(), loop,
				new NoClassDefFoundError("com/example/Transform"));
	}

	@Test
	void librariesOfTheBuildShouldFitTogether() {
		assertThat(LinkageProblem.probe()).isNull();
	}

	@Test
	void probeShouldReadAnAnswer() throws IOException {
		HttpStackProbe.run();
	}

}
