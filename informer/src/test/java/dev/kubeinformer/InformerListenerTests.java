package dev.kubeinformer;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import io.kubernetes.client.openapi.models.V1Pod;
import okhttp3.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerError;
import dev.kubeinformer.informer.InformerListener;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.ScriptedReply;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.WatchEndReason;
import dev.kubeinformer.types.WireEncoding;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of what listeners are notified of, by informers on a scripted API server, over
 * HTTP.
 */
@InEveryWay
class InformerListenerTests {

	private final RecordingListener listener = new RecordingListener();

	private final ScriptedPods api;

	InformerListenerTests(ListMode mode, Protocol protocol, WireEncoding encoding) {
		this.api = new ScriptedPods(mode, protocol, encoding);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	@Test
	void lifeOfAnInformerIsReportedInItsOrder() throws InterruptedException {
		this.api.state("41", "a@1", "b@2");
		startAndSync();
		awaitDelivered(is("handled").or(is("handler synced")).negate(), "added pods", "handler added recorder",
				"NEW>SYNCING", "listed 2 INITIAL", "synced pods", "SYNCING>LIVE", "watch");
		awaitDelivered(is("handled").or(is("handler synced")), "handled ADD 1 HANDLED", "handled ADD 1 HANDLED",
				"handler synced recorder");
		this.api.informers().stop();
		awaitDelivered((word) -> word.contains(">"), "NEW>SYNCING", "SYNCING>LIVE", "LIVE>STOPPED");
		// The end of a watch that is no longer wanted is not reported.
		assertThat(this.listener.delivered(is("watch ended"))).isEmpty();
		assertThat(this.listener.durations())
			.allMatch((duration) -> !duration.isNegative() && duration.compareTo(Duration.ofMinutes(1)) < 0);
	}

	@Test
	void emptyStateSyncsTheHandlerToo() throws InterruptedException {
		this.api.state("41");
		startAndSync();
		awaitDelivered(is("handler synced"), "handler synced recorder");
	}

	@Test
	void eventsOfTheServerAreReportedByType() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		startAndSync();
		watch.event("ADDED", ScriptedPods.pod("b@42"))
			.event("MODIFIED", ScriptedPods.pod("b@43"))
			.bookmark("44")
			.event("DELETED", ScriptedPods.pod("a@45"));
		awaitDelivered(is("event"), "event ADDED", "event MODIFIED", "event BOOKMARK", "event DELETED");
	}

	@Test
	void expiredVersionIsReportedAsTheReasonOfTheWatchsEndAndOfTheList() throws InterruptedException {
		this.api.state("41", "a@1").error(410, "too old").end();
		this.api.state("50", "a@1", "b@45");
		Informer<V1Pod> pods = startAndSync();
		this.api.awaitDelivered("+a", "+b");
		awaitDelivered((word) -> is("listed").or(is("watch")).or(is("failed")).test(word), "listed 1 INITIAL", "watch",
				"failed watch 410", "watch ended EXPIRED", "listed 2 EXPIRED", "watch");
		assertThat(pods.status().lists().byReason()).isEqualTo(Map.of(ListReason.INITIAL, 1L, ListReason.EXPIRED, 1L));
		assertThat(pods.status().watch().restarts()).isEqualTo(Map.of(WatchEndReason.EXPIRED, 1L));
		assertThat(this.listener.errors()).extracting(InformerError::reason).containsExactly("Expired");
	}

	@Test
	void watchThatIsClosedThrottledOrCutIsReportedWithItsReason() throws InterruptedException {
		ScriptedReply first = this.api.state("41", "a@1");
		this.api.watch((reply) -> reply.status(429));
		this.api.watch((reply) -> reply.status(403));
		ScriptedReply second = this.api.watch();
		this.api.watch();
		Informer<V1Pod> pods = startAndSync();
		first.event("ADDED", ScriptedPods.pod("b@42")).end();
		await().until(() -> this.listener.delivered(is("watch")).contains("watch ended REJECTED"));
		second.event("ADDED", ScriptedPods.pod("c@43"));
		this.api.awaitDelivered("+a", "+b", "+c");
		this.api.server().dropConnections();
		awaitDelivered(is("watch"), "watch", "watch ended CLOSED", "watch ended THROTTLED", "watch ended REJECTED",
				"watch", "watch ended BROKEN", "watch");
		assertThat(pods.status().watch().restarts()).isEqualTo(Map.of(WatchEndReason.CLOSED, 1L,
				WatchEndReason.THROTTLED, 1L, WatchEndReason.REJECTED, 1L, WatchEndReason.BROKEN, 1L));
		awaitDelivered((word) -> word.contains(">"), "NEW>SYNCING", "SYNCING>LIVE", "LIVE>STALE", "STALE>FORBIDDEN",
				"FORBIDDEN>LIVE", "LIVE>STALE", "STALE>LIVE");
		assertThat(pods.status().lists().byReason()).containsOnlyKeys(ListReason.INITIAL);
	}

	@Test
	void verificationIsReportedAsTheReasonOfItsList() throws InterruptedException {
		this.api.state("41", "a@1").delay(Duration.ofSeconds(2)).end();
		this.api.state("44", "a@1");
		startAndSync(this.listener, Duration.ofMillis(200));
		awaitDelivered(is("listed"), "listed 1 INITIAL", "listed 1 VERIFICATION");
	}

	@Test
	void brokenFramesAreReportedAsTheReasonOfTheList() throws InterruptedException {
		this.api.state("41", "a@1").line("{garbage").end();
		this.api.watch((reply) -> reply.line("{garbage").end());
		this.api.watch((reply) -> reply.line("{garbage").end());
		this.api.state("44", "a@1");
		Informer<V1Pod> pods = startAndSync();
		awaitDelivered(is("listed"), "listed 1 INITIAL", "listed 1 BROKEN_FRAMES");
		assertThat(pods.status().watch().restarts()).containsEntry(WatchEndReason.MALFORMED, 3L);
	}

	@Test
	void unreadableObjectsAreCounted() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1", "b!@2", "c!@3");
		startAndSync();
		watch.event("MODIFIED", ScriptedPods.pod("a!@42"));
		awaitDelivered(is("unreadable"), "unreadable 2", "unreadable 1");
	}

	@Test
	void eventsThatAHandlerFailsOnAreReportedWithTheirAttempts() throws InterruptedException {
		this.api.state("41", "a@1");
		Informer<V1Pod> pods = startAndSync();
		awaitDelivered(is("handler"), "handler added recorder", "handler synced recorder");
		AtomicInteger calls = new AtomicInteger();
		HandlerRegistration failing = pods.addHandler((event) -> {
			if (calls.incrementAndGet() < 4) {
				throw new IllegalStateException("no");
			}
		}, HandlerOptions.defaults()
			.withId("failing")
			.withRetry((failures, cause) -> (failures < 3) ? Duration.ofMillis(10) : null));
		awaitDelivered(is("handled"), "handled ADD 1 HANDLED", "handled ADD 1 RETRY", "handled ADD 2 RETRY",
				"handled ADD 3 EXHAUSTED");
		awaitDelivered(is("handler"), "handler added recorder", "handler synced recorder", "handler added failing",
				"handler synced failing");
		failing.close();
		failing.close();
		awaitDelivered(is("handler removed"), "handler removed failing");
	}

	@Test
	void listenerThatThrowsHurtsNobody() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		this.api.start((builder) -> builder.listener(throwing()).listener(this.listener));
		this.api.awaitSync();
		watch.event("ADDED", ScriptedPods.pod("b@42"));
		this.api.awaitDelivered("+a", "+b");
		awaitDelivered(is("handled"), "handled ADD 1 HANDLED", "handled ADD 1 HANDLED");
		assertThat(this.listener.delivered()).contains("added pods", "synced pods", "event ADDED",
				"handler synced recorder");
	}

	@Test
	void listenerMayUseTheInformerThatItIsNotifiedOf() throws InterruptedException {
		this.api.state("41", "a@1");
		List<Object> seen = new ArrayList<>();
		Informer<V1Pod> pods = startAndSync(new InformerListener() {

			@Override
			public void synced(Informer<?> informer, Duration duration) {
				seen.add(informer.hasSynced());
				seen.add(informer.status().cache().size());
				informer.addHandler((event) -> {
				}, HandlerOptions.defaults().withId("another"));
			}

		}, Duration.ZERO);
		await().until(() -> pods.handlers().size() == 2);
		assertThat(seen).containsExactly(true, 1);
	}

	@Test
	void listenerThatIsAddedLateIsNotifiedOfWhatFollowsAndNothingWhenRemoved() throws InterruptedException {
		ScriptedReply watch = this.api.state("41", "a@1");
		this.api.startAndSync();
		this.api.informers().addListener(this.listener);
		watch.event("ADDED", ScriptedPods.pod("b@42"));
		awaitDelivered(is("event"), "event ADDED");
		this.api.informers().removeListener(this.listener);
		watch.event("ADDED", ScriptedPods.pod("c@43"));
		this.api.awaitDelivered("+a", "+b", "+c");
		assertThat(this.listener.delivered(is("event"))).hasSize(1);
	}

	@Test
	void informerOfALeaseIsReportedAsRemoved() throws InterruptedException {
		this.api.state("41", "a@1");
		startAndSync();
		awaitDelivered(is("watch"), "watch");
		InformerSpec<V1Pod> spec = InformerSpec.of(V1Pod.class).withNamespaces("other").named("leased");
		this.api.informers().stop();
		this.api.informers().lease(spec).close();
		awaitDelivered((word) -> word.endsWith("leased"), "added leased", "removed leased");
	}

	@Test
	void everyCauseOfTheReflectorHasItsReason() {
		assertThat(Arrays.stream(ListReason.values()).map(Enum::name))
			.containsExactlyElementsOf(Arrays.stream(ListReason.values()).map(Enum::name).toList());
		assertThat(Arrays.stream(WatchEndReason.values()).map(Enum::name))
			.containsExactlyElementsOf(Arrays.stream(WatchEndReason.values()).map(Enum::name).toList());
	}

	private Informer<V1Pod> startAndSync() throws InterruptedException {
		return startAndSync(this.listener, Duration.ZERO);
	}

	private Informer<V1Pod> startAndSync(InformerListener delivered, Duration verifyEvery) throws InterruptedException {
		return this.api.startAndSync((builder) -> builder.listener(delivered).verifyEvery(verifyEvery));
	}

	private void awaitDelivered(Predicate<String> which, String... words) {
		await().untilAsserted(() -> assertThat(this.listener.delivered(which)).containsExactly(words));
	}

	private static Predicate<String> is(String word) {
		return (delivered) -> delivered.startsWith(word);
	}

	private static InformerListener throwing() {
		return (InformerListener) Proxy.newProxyInstance(InformerListener.class.getClassLoader(),
				new Class<?>[] { InformerListener.class }, (proxy, method, arguments) -> {
					if (method.getDeclaringClass() == Object.class) {
						return method.getName().equals("hashCode") ? (Object) 1 : (Object) "thrower";
					}
					throw new IllegalStateException("from " + method.getName());
				});
	}

}
