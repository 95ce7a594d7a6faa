package dev.kubeinformer;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of an HTTP client whose libraries do not fit together.
 */
class BrokenLibraryScenarioTests {

	private static final String MISSING = "'okio.Socket okio.Okio.socket(java.net.Socket)'";

	private final AtomicInteger requests = new AtomicInteger();

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.log.start();
		((Logger) LoggerFactory.getLogger("dev.kubeinformer.informer.Informer")).addAppender(this.log);
	}

	@AfterEach
	void leave() {
		((Logger) LoggerFactory.getLogger("dev.kubeinformer.informer.Informer")).detachAppender(this.log);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void librariesThatDoNotFitShouldBeReportedOnceAndNotTriedAgain(boolean hidden) {
		try (Informers informers = Informers.builder(client((builder) -> builder.addInterceptor((chain) -> {
			this.requests.incrementAndGet();
			NoSuchMethodError error = new NoSuchMethodError(MISSING);
			if (!hidden) {
				throw error;
			}
			IOException hiding = new IOException("canceled due to " + error);
			hiding.addSuppressed(error);
			throw hiding;
		}))).build()) {
			Informer<V1Pod> pods = informers.informer(V1Pod.class);
			informers.start();
			await().until(() -> pods.status().lastError() != null);
			// Without a time: it does not wait for another try.
			await().until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.anyMatch((thread) -> thread.getName().contains("pods") && thread.getState() == Thread.State.WAITING));
			assertThat(this.requests).hasValue(1);
			assertThat(pods.state()).isEqualTo(InformerState.SYNCING);
			assertThat(pods.status().lastError().message()).contains(MISSING, "okio.Okio is in 'okio-jvm-");
			assertThat(pods.status().lastError().advice()).contains("okhttp");
			assertThat(this.log.list).singleElement()
				.extracting(ILoggingEvent::getFormattedMessage)
				.asString()
				.contains("Informer 'pods' cannot list pods", MISSING, "it will not try again in this JVM");
			informers.stop();
			assertThat(pods.state()).isEqualTo(InformerState.STOPPED);
		}
	}

	@Test
	void librariesThatFitShouldBeUsed() {
		try (Informers informers = Informers.builder(client((builder) -> {
			// As it is.
		})).build()) {
			assertThat(informers.hooks().clientMisfit()).isNull();
		}
	}

	private static ApiClient client(Consumer<OkHttpClient.Builder> change) {
		ApiClient client = new ApiClient().setBasePath("http://127.0.0.1:1");
		OkHttpClient.Builder builder = client.getHttpClient().newBuilder();
		change.accept(builder);
		return client.setHttpClient(builder.build());
	}

}
