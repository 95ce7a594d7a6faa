package dev.kubeinformer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.test.ScriptedApiServer;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Text that an API server, or an impostor, can write into the log and the last error. */
class HostileTextTests {

	private static final String FORGED = "a\\nWARN forged \\u202e\\u2028\\r" + "x".repeat(10_000);

	private final ScriptedApiServer api = ScriptedApiServer.start();

	private final Informers informers = EngineTestSupport.informers(this.api.url());

	private final Informer<V1Pod> pods = this.informers.informer(V1Pod.class);

	private final Logger logger = (Logger) LoggerFactory.getLogger("dev.kubeinformer");

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logger.setAdditive(false);
		this.logger.setLevel(Level.DEBUG);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void close() {
		this.informers.close();
		this.api.close();
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
	}

	@Test
	void namesAndMessagesAreEscapedAndBounded() {
		String unreadable = """
				{"metadata":{"name":"%s","namespace":"%s","uid":"u","resourceVersion":"7"},"spec":{"containers":[%s]}}"""
			.formatted(FORGED, FORGED, "{\"resources\":{\"limits\":{\"%s\":\"?\"}}}".formatted(FORGED));
		this.api.onList((reply) -> reply.json(500, status(500)));
		this.api.onList((reply) -> reply.json(409, status(409)));
		this.api.onList((reply) -> reply.json(200, "{\"kind\":\"%s\",\"items\":[]}".formatted(FORGED)));
		this.api.onList((reply) -> reply.json(200,
				"{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"%s\"},\"items\":[%s]}".formatted(FORGED,
						unreadable)));
		this.api.onEvery((request) -> true, (reply) -> reply.json(503, status(503)));
		this.informers.start();
		await().until(() -> this.pods.status().lastError() != null
				&& Integer.valueOf(503).equals(this.pods.status().lastError().httpStatus()));
		this.informers.stop();
		assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
			.anyMatch((line) -> line.contains("cannot be read") && line.contains("a\\nWARN forged \\u202E"))
			.anyMatch((line) -> line.contains("its kind is"))
			.anyMatch((line) -> line.contains("HTTP 409"))
			.allSatisfy(
					(line) -> assertThat(line).doesNotContain("\n", "\r", "\u2028", "\u202e").hasSizeLessThan(5_000));
		InformerError last = this.pods.status().lastError();
		assertThat(last.message()).contains("WARN forged").hasSizeLessThanOrEqualTo(1_000).doesNotContain("\u202e");
		assertThat(last.reason()).hasSizeLessThanOrEqualTo(200);
	}

	private static String status(int code) {
		return """
				{"kind":"Status","code":%d,"reason":"%s","message":"%s"}""".formatted(code, FORGED, FORGED);
	}

}
