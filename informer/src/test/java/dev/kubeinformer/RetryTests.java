package dev.kubeinformer;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.handler.HandlerStatus;
import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.handler.RetryBackoff;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.RecordedRequest;
import dev.kubeinformer.test.ScriptedApiServer;
import dev.kubeinformer.test.ScriptedReply;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static dev.kubeinformer.EngineTestSupport.relabelled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that fail on objects of the embedded API server, over real HTTP. What is
 * delivered to them is written down as {@code +a} and so on, with {@code #2} behind a
 * second attempt.
 */
class RetryTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final RetryBackoff SOON = (failures, cause) -> Duration.ofMillis(5);

	private static final RetryBackoff LATE = (failures, cause) -> Duration.ofHours(1);

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url());

	private final List<String> delivered = new CopyOnWriteArrayList<>();

	private final List<String> exhausted = new CopyOnWriteArrayList<>();

	/** Number of further failures of the handler, by the name of the object. */
	private final Map<String, AtomicInteger> failing = new ConcurrentHashMap<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(EventHandler.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logger.setAdditive(false);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
		this.logger.detachAppender(this.lines);
		this.logger.setAdditive(true);
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
	}

	@Test
	void failedEventIsHandedOverAgainWhileOthersGoOn() throws InterruptedException {
		fail("a", 2);
		create("a");
		create("b");
		HandlerRegistration handler = start(SOON);
		assertThat(handler.awaitSync(LONG)).isTrue();
		assertThat(this.delivered).contains("+b").containsSubsequence("+a", "+a#2", "+a#3").hasSize(4);
		HandlerStatus status = handler.status();
		assertThat(status.deliveries().processed()).isEqualTo(2);
		assertThat(status.deliveries().failed()).isEqualTo(2);
		assertThat(status.deliveries().retries()).isEqualTo(2);
		assertThat(status.deliveries().exhausted()).isZero();
		assertThat(status.queue().waitingForRetry()).isZero();
		assertThat(this.lines.list).hasSize(1);
		assertThat(this.lines.list.get(0).getFormattedMessage()).isEqualTo(
				"Handler '" + handler.id() + "' failed on the addition of 'blog/a', the next attempt is due in 5 ms");
	}

	@Test
	void handlerIsNotSyncedWhileAnInitialEventIsInRetry() throws InterruptedException {
		fail("a", 1);
		create("a");
		create("b");
		HandlerRegistration handler = start(LATE);
		await().untilAsserted(() -> assertThat(this.delivered).containsExactlyInAnyOrder("+a", "+b"));
		await().untilAsserted(() -> assertThat(handler.status().queue().waitingForRetry()).isEqualTo(1));
		assertThat(handler.hasSynced()).isFalse();
		assertThat(handler.status().sync().pendingInitial()).isEqualTo(1);
		assertThat(handler.status().queue().size()).isEqualTo(1);
	}

	@Test
	void laterChangesAreReportedAsOneWithTheFailedAddition() throws InterruptedException {
		fail("a", 1);
		create("a");
		AtomicInteger labels = new AtomicInteger();
		HandlerRegistration handler = start((failures, cause) -> {
			// On the worker, so that these are there before the retry is due.
			for (int i = 0; i < 5; i++) {
				this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "v" + labels.incrementAndGet()));
			}
			String last = "v" + labels.get();
			await().until(() -> last
				.equals(this.informers.lister(V1Pod.class).get("blog/a").getMetadata().getLabels().get("app")));
			return Duration.ofMillis(5);
		});
		assertThat(handler.awaitSync(LONG)).isTrue();
		assertThat(this.delivered).containsExactly("+a", "+a");
		assertThat(handler.status().queue().merged()).isEqualTo(5);
	}

	@Test
	void deletionOfAnObjectWhoseAdditionFailedIsDelivered() throws InterruptedException {
		create("b");
		HandlerRegistration handler = start((failures, cause) -> {
			this.api.resources(V1Pod.class).delete("blog", "a");
			await().until(() -> this.informers.lister(V1Pod.class).get("blog/a") == null);
			return Duration.ofMillis(5);
		});
		assertThat(handler.awaitSync(LONG)).isTrue();
		fail("a", 1);
		create("a");
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+b", "+a", "-a"));
	}

	@Test
	void exhaustedEventIsReportedOnceAndTheNextEventTriesAgain() throws InterruptedException {
		fail("a", 4);
		create("a");
		HandlerRegistration handler = start(
				RetryBackoff.exponential(2, Duration.ofMillis(5), 2, Duration.ofMillis(20), Duration.ofMillis(2)));
		assertThat(handler.awaitSync(LONG)).isTrue();
		assertThat(this.delivered).containsExactly("+a", "+a#2", "+a#3");
		assertThat(this.exhausted).containsExactly("+a#3: no");
		assertThat(handler.status().deliveries().exhausted()).isEqualTo(1);
		assertThat(handler.status().lastError().exception()).isEqualTo("java.lang.IllegalStateException");
		this.api.resources(V1Pod.class).update(relabelled(pod("blog", "a"), "new"));
		await().untilAsserted(() -> assertThat(this.delivered).endsWith("~a", "~a#2").hasSize(5));
		await().untilAsserted(() -> assertThat(handler.status().deliveries().processed()).isEqualTo(1));
		assertThat(this.exhausted).hasSize(1);
		assertThat(this.lines.list).hasSize(2);
		assertThat(this.lines.list.get(0).getThrowableProxy()).isNotNull();
		assertThat(this.lines.list.get(1).getThrowableProxy()).isNull();
		assertThat(this.lines.list.get(1).getFormattedMessage()).isEqualTo("Handler '" + handler.id()
				+ "' gave up the addition of 'blog/a' after 3 attempts: java.lang.IllegalStateException");
	}

	@Test
	void exceptionThatIsExcludedEndsTheRetriesWithTheReason() throws InterruptedException {
		fail("a", 4);
		create("a");
		HandlerRegistration handler = start(SOON.excluding(List.of(IllegalStateException.class)));
		assertThat(handler.awaitSync(LONG)).isTrue();
		assertThat(this.delivered).containsExactly("+a");
		assertThat(this.exhausted).containsExactly("+a: no");
		assertThat(handler.status().deliveries().exhausted()).isEqualTo(1);
		assertThat(handler.status().deliveries().retries()).isZero();
		assertThat(this.lines.list).singleElement()
			.satisfies((line) -> assertThat(line.getThrowableProxy()).isNotNull())
			.extracting(ILoggingEvent::getFormattedMessage)
			.asString()
			.isEqualTo("Handler '" + handler.id() + "' gave up the addition of 'blog/a' after 1 attempt(s), as "
					+ "java.lang.IllegalStateException is excluded from retries: java.lang.IllegalStateException");
	}

	@Test
	void subclassesAndCausesOfWhatIsExcludedAreExcluded() {
		RetryBackoff backoff = SOON.excluding(List.of(IOException.class, IllegalStateException.class));
		assertThat(backoff.delay(1, new FileNotFoundException())).isNull();
		assertThat(backoff.delay(1, new RuntimeException(new UncheckedIOException(new IOException())))).isNull();
		assertThat(backoff.delay(1, new RuntimeException(new Error()))).isEqualTo(Duration.ofMillis(5));
		RuntimeException circle = new RuntimeException();
		circle.initCause(new RuntimeException(circle));
		assertThat(backoff.delay(1, circle)).isNotNull();
	}

	@Test
	void nameThatWouldForgeALineIsEscapedInTheLogAndInTheStatus() throws InterruptedException {
		try (ScriptedApiServer server = ScriptedApiServer.start()) {
			server.onEvery((request) -> !request.isWatch(), (reply) -> reply.json(200, """
					{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":
					{"namespace":"blog","name":"a\\nERROR forged","uid":"1","resourceVersion":"1"}}]}"""));
			server.onEvery(RecordedRequest::isWatch, ScriptedReply::hold);
			try (Informers scripted = informers(server.url())) {
				HandlerRegistration handler = scripted.informer(V1Pod.class).addHandler((event) -> {
					throw new IllegalStateException();
				}, HandlerOptions.defaults());
				scripted.start();
				assertThat(handler.awaitSync(LONG)).isTrue();
				assertThat(this.lines.list).singleElement()
					.extracting(ILoggingEvent::getFormattedMessage)
					.asString()
					.contains("'blog/a\\nERROR forged'")
					.doesNotContain("\n");
				assertThat(handler.status().lastError().key()).isEqualTo("blog/a\\nERROR forged");
			}
		}
	}

	@Test
	void exhaustedHandlerThatFailsHurtsNobody() throws InterruptedException {
		fail("a", 1);
		create("a");
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration handler = pods.addHandler(this::handle,
				HandlerOptions.defaults().withExhausted((event, cause) -> {
					throw new IllegalStateException("no");
				}));
		this.informers.start();
		assertThat(handler.awaitSync(LONG)).isTrue();
		create("b");
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a", "+b"));
		assertThat(this.lines.list).hasSize(2);
	}

	@Test
	void failedResyncIsTriedAgain() throws InterruptedException {
		create("a");
		HandlerRegistration handler = start(SOON);
		assertThat(handler.awaitSync(LONG)).isTrue();
		fail("a", 1);
		handler.resync();
		await().untilAsserted(() -> assertThat(this.delivered).containsExactly("+a", "=a", "=a#2"));
	}

	@Test
	void stopAndCloseDoNotWaitForRetries() throws InterruptedException {
		fail("a", 99);
		create("a");
		HandlerRegistration handler = start(LATE);
		await().untilAsserted(() -> assertThat(handler.status().queue().waitingForRetry()).isEqualTo(1));
		long before = System.nanoTime();
		this.informers.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
		await().untilAsserted(() -> assertThat(engineThreads()).isEmpty());
		assertThat(handler.status().queue().waitingForRetry()).isEqualTo(1);
		assertThat(handler.status().queue().dropped()).isZero();
		this.informers.start();
		assertThat(this.informers.informer(V1Pod.class).awaitSync(LONG)).isTrue();
		assertThat(handler.status().queue().waitingForRetry()).isEqualTo(1);
		assertThat(handler.hasSynced()).isFalse();
		handler.close();
		assertThat(handler.status().queue().waitingForRetry()).isZero();
		assertThat(handler.status().queue().size()).isZero();
		assertThat(handler.status().queue().dropped()).isEqualTo(1);
		assertThat(this.delivered).containsExactly("+a");
		assertThat(this.exhausted).isEmpty();
	}

	@Test
	void retriesOfAStoppedInformerGoOnAfterItsStart() throws InterruptedException {
		fail("a", 1);
		create("a");
		HandlerRegistration handler = start((failures, cause) -> {
			this.informers.stop();
			return Duration.ofMillis(5);
		});
		await().until(() -> handler.status().queue().waitingForRetry() == 1);
		await().untilAsserted(() -> assertThat(this.informers.isRunning()).isFalse());
		assertThat(this.delivered).containsExactly("+a");
		this.informers.start();
		assertThat(handler.awaitSync(LONG)).isTrue();
		assertThat(this.delivered).containsExactly("+a", "+a#2");
	}

	private void handle(ResourceEvent<V1Pod> event) {
		String name = event.object().getMetadata().getName();
		this.delivered.add(tell(event, name));
		AtomicInteger failures = this.failing.get(name);
		if (failures != null && failures.getAndDecrement() > 0) {
			throw new IllegalStateException("no");
		}
	}

	private static String tell(ResourceEvent<?> event, String name) {
		String type = switch (event.type()) {
			case ADD -> "+";
			case UPDATE -> event.resync() ? "=" : "~";
			case DELETE -> "-";
		};
		return type + name + ((event.attempt() > 1) ? "#" + event.attempt() : "");
	}

	private HandlerRegistration start(RetryBackoff retry) {
		Informer<V1Pod> pods = this.informers.informer(V1Pod.class);
		HandlerRegistration handler = pods.addHandler(this::handle,
				HandlerOptions.defaults()
					.withRetry(retry)
					.withExhausted((event, cause) -> this.exhausted
						.add(tell(event, event.object().getMetadata().getName()) + ": " + cause.getMessage())));
		this.informers.start();
		return handler;
	}

	private void fail(String name, int times) {
		this.failing.put(name, new AtomicInteger(times));
	}

	private void create(String name) {
		this.api.resources(V1Pod.class).create(pod("blog", name));
	}

}
