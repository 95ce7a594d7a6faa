package dev.kubeinformer;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.FAST;
import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Log messages about an API server without streaming lists, if these are only used when
 * supported.
 */
class StreamingFallbackTests {

	/** The answer of kube-apiserver 1.31 without the feature WatchList. */
	private static final String FORBIDDEN = "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":"
			+ "\"ListOptions.meta.k8s.io \\\"\\\" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled\","
			+ "\"reason\":\"Invalid\",\"details\":{\"group\":\"meta.k8s.io\",\"kind\":\"ListOptions\",\"causes\":[{\"reason\":\"FieldValueForbidden\","
			+ "\"message\":\"Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled\",\"field\":\"sendInitialEvents\"}]},\"code\":422}";

	private static final String EMPTY = "{\"kind\":\"%s\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[]}";

	private final Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final ScriptedApiServer api = ScriptedApiServer.start();

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.INFO);
		this.lines.start();
		this.logger.addAppender(this.lines);
		this.api.onEvery(ScriptedPods::isResumedWatch, ScriptedReply::hold);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
		this.api.close();
	}

	@Test
	void listInPagesInsteadOfAStreamIsNoFailureAndSaidOnceForAResource() {
		this.api.onEvery(ScriptedPods::isStream, (reply) -> reply.json(422, FORBIDDEN));
		this.api.onEvery((request) -> ScriptedPods.isListOrPage(request) && request.path().endsWith("/configmaps"),
				(reply) -> reply.json(200, EMPTY.formatted("ConfigMapList")));
		this.api.onEvery((request) -> ScriptedPods.isListOrPage(request) && request.path().endsWith("/pods"),
				(reply) -> reply.json(200, EMPTY.formatted("PodList")));
		try (Informers informers = Informers
			.builder(EngineTestSupport.client(this.api.url(), Protocol.HTTP_1_1, WireEncoding.JSON))
			.timings(FAST)
			.listMode(ListMode.AUTO)
			.build()) {
			List<Informer<?>> all = List.of(informers.informer(InformerSpec.of(V1Pod.class)),
					informers.informer(InformerSpec.of(V1Pod.class).withNamespaces("a", "b", "c")),
					informers.informer(InformerSpec.of(V1ConfigMap.class)));
			informers.start();
			await().until(() -> all.stream().allMatch(Informer::hasSynced));
			assertThat(all).allSatisfy((each) -> assertThat(each.status().lastError()).isNull());
			assertThat(this.lines.list).noneMatch((line) -> line.getLevel() == Level.WARN);
			assertThat(this.lines.list).filteredOn((line) -> line.getFormattedMessage().contains("streaming lists"))
				.hasSize(2)
				.allSatisfy((line) -> assertThat(line.getFormattedMessage()).contains("HTTP 422", "in pages"));
		}
	}

	@Test
	void streamWithoutAnEndInTimeIsNotTakenForAServerWithoutStreamingLists() {
		this.api.onEvery(ScriptedPods::isStream, ScriptedReply::hold);
		this.api.onEvery(ScriptedPods::isListOrPage, (reply) -> reply.json(200, EMPTY.formatted("PodList")));
		try (Informers informers = Informers
			.builder(EngineTestSupport.client(this.api.url(), Protocol.HTTP_1_1, WireEncoding.JSON))
			.timings(FAST.withSyncDeadline(Duration.ofMillis(250)))
			.listMode(ListMode.AUTO)
			.build()) {
			Informer<V1Pod> pods = informers.informer(InformerSpec.of(V1Pod.class));
			informers.start();
			await().until(pods::hasSynced);
			assertThat(this.lines.list).extracting(ILoggingEvent::getFormattedMessage)
				.filteredOn((line) -> line.contains("in pages"))
				.singleElement()
				.asString()
				.contains("pods are listed in pages", "did not finish its initial events in time", "overloaded")
				.doesNotContain("does not support", "HTTP");
		}
	}

}
