package dev.kubeinformer.client;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what an informer logs when the TLS of its client is exchanged.
 */
class TlsRenewalTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			TlsRenewalTests.this.lines.add(event.getLevel() + " " + event.getFormattedMessage());
		}

	};

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.appender.start();
		this.logger.addAppender(this.appender);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
	}

	@ParameterizedTest
	@EnumSource(names = { "HTTP_1_1", "HTTP_2" })
	void connectionsThatAreCutAreNoFailure(Protocol http) {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().tls().start();
				ManagedApiClient client = Clients.of(kubernetes.url())
					.certificateAuthority(kubernetes.caCertificate())
					.build()) {
			client.setHttpClient(client.getHttpClient()
				.newBuilder()
				.protocols((http == Protocol.HTTP_2) ? List.of(http, Protocol.HTTP_1_1) : List.of(http))
				.build());
			try (Informers informers = Informers.builder(client).build()) {
				Informer<V1Pod> pods = informers.informer(V1Pod.class);
				informers.start();
				await().until(() -> pods.state() == InformerState.LIVE);
				await().until(() -> watches(kubernetes) == 1);
				client.renewTls(null, null, "TLS");
				await().until(() -> watches(kubernetes) == 2 && pods.state() == InformerState.LIVE);
			}
		}
		assertThat(this.lines).singleElement().asString().startsWith("INFO Informer 'pods' is LIVE");
	}

	private static long watches(EmbeddedKubernetes kubernetes) {
		return kubernetes.requests()
			.stream()
			.filter((request) -> request.isWatch() && request.status() == 200)
			.map(RecordedRequest::path)
			.count();
	}

}
