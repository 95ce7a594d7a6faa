package dev.kubeinformer.internal.status;

import java.net.SocketException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1Pod;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.informer.InformerStatus;
import dev.kubeinformer.informer.RequiredRbac;
import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.failure.Failure;
import dev.kubeinformer.internal.runtime.InformerRuntime;
import dev.kubeinformer.internal.store.ObjectStore;
import dev.kubeinformer.internal.store.StoreSnapshot;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.InformerState;
import dev.kubeinformer.types.ListReason;
import dev.kubeinformer.types.Problem;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests of the time since which a cache is stale, and of the log of an outage. */
class StatusTrackerTests {

	private static final Instant START = Instant.parse("2030-01-01T12:00:00Z");

	private final Logger logger = (Logger) LoggerFactory.getLogger(Informer.class);

	private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

	private final SettableClock clock = new SettableClock();

	private final StoreSnapshot<V1Pod> snapshot = new ObjectStore<V1Pod>(Set.of("")).snapshot();

	private StatusTracker tracker = tracker();

	private boolean additive;

	@BeforeEach
	void listen() {
		this.additive = this.logger.isAdditive();
		this.logger.setLevel(Level.INFO);
		this.logger.setAdditive(false);
		this.lines.start();
		this.logger.addAppender(this.lines);
	}

	@AfterEach
	void detach() {
		this.logger.detachAppender(this.lines);
		this.logger.setLevel(null);
		this.logger.setAdditive(this.additive);
	}

	@Test
	void cacheIsStaleFromTheEndOfItsWatchToAWatchThatWorks() {
		sync("");
		after(10);
		condition("", InformerState.STALE);
		assertThat(staleSince()).isEqualTo(10);
		after(5);
		condition("", InformerState.FORBIDDEN);
		assertThat(staleSince()).isEqualTo(10);
		after(5);
		condition("", InformerState.LIVE);
		this.tracker.alive();
		assertThat(staleSince()).isNull();
	}

	@Test
	void watchesThatEndAtOnceDoNotEndAnOutage() {
		sync("");
		after(10);
		for (int i = 0; i < 10; i++) {
			condition("", InformerState.STALE);
			this.clock.now = this.clock.now.plusSeconds(30);
			condition("", InformerState.LIVE);
			assertThat(staleSince()).isEqualTo(10);
			this.clock.now = this.clock.now.plusMillis(100);
		}
		condition("", InformerState.STALE);
		assertThat(staleSince()).isEqualTo(10);
	}

	@Test
	void watchThatLivesOrBringsSomethingOrFollowsAListEndsAnOutage() {
		for (Runnable proof : List.<Runnable>of(() -> after(1), () -> this.tracker.alive(), this::list)) {
			this.tracker = tracker();
			sync("");
			after(10);
			condition("", InformerState.STALE);
			condition("", InformerState.LIVE);
			assertThat(staleSince()).isNotNull();
			proof.run();
			assertThat(staleSince()).isNull();
			after(10);
			Instant ended = this.clock.now;
			condition("", InformerState.STALE);
			assertThat(status().cache().staleSince()).isEqualTo(ended);
		}
	}

	@Test
	void cacheThatWasFilledAndIsWatchedNextIsNotStale() {
		this.tracker.started(Set.of(""));
		list();
		this.tracker.synced();
		assertThat(staleSince()).isNull();
		condition("", InformerState.LIVE);
		assertThat(staleSince()).isNull();
	}

	@Test
	void cacheThatIsFilledButMustNotBeWatchedIsStale() {
		this.tracker.started(Set.of(""));
		condition("", InformerState.FORBIDDEN);
		assertThat(staleSince()).isNull();
		after(10);
		this.tracker.synced();
		assertThat(staleSince()).isEqualTo(10);
	}

	@Test
	void cacheWhoseMissingNamespaceIsRemovedWhileTheServerIsGoneIsStale() {
		this.tracker.started(Set.of("a", "b"));
		condition("a", InformerState.LIVE);
		condition("b", InformerState.FORBIDDEN);
		condition("a", InformerState.STALE);
		this.tracker.namespaceRemoved("b", this.snapshot);
		assertThat(staleSince()).isNull();
		this.tracker.synced();
		assertThat(staleSince()).isEqualTo(0);
	}

	@Test
	void cacheIsWatchedOnceEachOfItsNamespacesHadAWatchAlsoWhenOneIsCut() {
		this.tracker.started(Set.of("a", "b"));
		this.tracker.synced();
		condition("a", InformerState.LIVE);
		condition("b", InformerState.FORBIDDEN);
		assertThat(status().watch().watchedAt()).isNull();
		assertThat(status().watch().everWatched()).isFalse();
		condition("a", InformerState.STALE);
		after(10);
		condition("b", InformerState.LIVE);
		assertThat(status().watch().watchedAt()).isEqualTo(this.clock.now);
		this.tracker.namespaceAdded("c");
		condition("b", InformerState.FORBIDDEN);
		assertThat(status().watch().watchedAt()).isNotNull();
		this.tracker.stopped();
		this.tracker.started(Set.of("a", "b"));
		assertThat(status().watch().watchedAt()).isNull();
		assertThat(status().watch().everWatched()).isTrue();
	}

	@Test
	void cacheIsWatchedWhenTheNamespaceThatMustNotBeWatchedIsRemoved() {
		this.tracker.started(Set.of("a", "b"));
		condition("a", InformerState.LIVE);
		condition("b", InformerState.FORBIDDEN);
		this.tracker.namespaceRemoved("b", this.snapshot);
		assertThat(status().watch().watchedAt()).isNull();
		this.tracker.synced();
		assertThat(status().watch().watchedAt()).isNotNull();
	}

	@Test
	void nothingShouldBeKeptOfNamespacesThatAreGone() {
		sync("stays");
		Set<RequiredRbac> missing = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			String namespace = "tenant-" + (i % 2);
			this.tracker.namespaceAdded(namespace);
			assertThat(status().state()).isEqualTo(InformerState.LIVE);
			this.tracker.quarantined(namespace, 1, null, true);
			condition(namespace, InformerState.FORBIDDEN);
			missing.addAll(status().requiredRbac());
			assertThat(status().cache().quarantined()).isEqualTo(1);
			this.tracker.namespaceRemoved(namespace, this.snapshot);
			assertThat(status().state()).isEqualTo(InformerState.LIVE);
			assertThat(status().cache().quarantined()).isZero();
			assertThat(status().requiredRbac()).isEmpty();
		}
		assertThat(missing).hasSize(2);
		this.tracker.quarantined("tenant-0", 1, null, true);
		assertThat(status().cache().quarantined()).isZero();
	}

	@Test
	void stoppedCacheIsNotStaleAndAStartBeginsAnew() {
		sync("");
		condition("", InformerState.STALE);
		this.tracker.stopped();
		assertThat(staleSince()).isNull();
		this.tracker.started(Set.of(""));
		assertThat(staleSince()).isNull();
	}

	@Test
	void outageIsLoggedWithItsEnd() {
		sync("");
		after(600);
		fail();
		condition("", InformerState.STALE);
		fail();
		after(60);
		condition("", InformerState.LIVE);
		assertThat(lines()).containsExactly("INFO Informer 'pods' is LIVE: 0 objects at resourceVersion ",
				"WARN Informer 'pods' cannot watch pods: it broke; it will watch again",
				"INFO Informer 'pods' is LIVE: 0 objects at resourceVersion ");
	}

	@Test
	void connectionThatThisSideClosedIsNotLoggedButWhatFailsNextIs() {
		sync("");
		after(600);
		closeHere();
		assertThat(this.lines.list).hasSize(1);
		condition("", InformerState.STALE);
		condition("", InformerState.LIVE);
		after(600);
		closeHere();
		assertThat(this.lines.list).hasSize(1);
		condition("", InformerState.STALE);
		after(1);
		fail();
		assertThat(lines()).last().isEqualTo("WARN Informer 'pods' cannot watch pods: it broke; it will watch again");
		condition("", InformerState.LIVE);
		assertThat(this.lines.list).hasSize(3);
	}

	@Test
	void connectionsThatThisSideClosesAllTheTimeAreLogged() {
		sync("");
		after(600);
		condition("", InformerState.STALE);
		for (int i = 0; i < 30; i++) {
			closeHere();
			after(1);
		}
		assertThat(this.lines.list).hasSize(1);
		closeHere();
		assertThat(lines()).last().asString().startsWith("WARN Informer 'pods' cannot watch pods: Socket closed");
	}

	@Test
	void connectionsThatAreCutEveryMinuteAreLoggedOnceAndCounted() {
		sync("");
		after(600);
		for (int i = 0; i < 100; i++) {
			fail();
			condition("", InformerState.STALE);
			condition("", InformerState.LIVE);
			after(60);
		}
		assertThat(this.lines.list).hasSize(3);
		after(120);
		fail();
		assertThat(lines().subList(3, 5)).containsExactly(
				"INFO Informer 'pods' has recovered; 99 failures like the last one were not logged",
				"WARN Informer 'pods' cannot watch pods: it broke; it will watch again");
	}

	@Test
	void resourceThatIsNotFoundIsLoggedWithWhatToLookAt() {
		this.tracker.started(Set.of(""));
		Failure failure = new Failure(Problem.NOT_FOUND, new ApiStatus(404, "NotFound", "not found", "", null),
				"NotFound", "not found");
		this.tracker.failed("list", failure, "list again", Duration.ZERO);
		assertThat(lines())
			.containsExactly("WARN Informer 'pods' cannot list pods: HTTP 404: not found (check that this "
					+ "version of Kubernetes serves 'pods' of 'v1', and that the URL is the root of the API server); it will list again");
		ResourceType<?> custom = ResourceType.of(Widget.class);
		assertThat(new OutageLog("widgets", custom).message(failure)).isEqualTo(
				"not found (check that the CustomResourceDefinition 'widgets.example.com' is installed and serves "
						+ "the version 'v2')");
	}

	@Test
	void rightsOnASingleObjectAreAskedForByItsName() {
		this.tracker = tracker(InformerSpec.of(V1Pod.class).withNamespaces("a").withFieldSelector("metadata.name=p"));
		this.tracker.started(Set.of("a"));
		condition("a", InformerState.FORBIDDEN);
		assertThat(status().requiredRbac()).first()
			.hasToString("Role in namespace 'a' with apiGroups: [\"\"], resources: [\"pods\"], "
					+ "resourceNames: [\"p\"], verbs: [\"list\", \"watch\"]");
	}

	@Test
	void otherKindsOfFailuresAreLoggedAtOnce() {
		sync("");
		fail();
		this.tracker.failed("watch", new Failure(Problem.SILENT, null, "Silence", "nothing came"), "watch again",
				Duration.ZERO);
		assertThat(lines()).filteredOn((line) -> line.startsWith("WARN")).hasSize(2);
	}

	@Test
	void outageThatLastsIsLoggedWithItsEndHoweverSoonItFollowsAnother() {
		sync("");
		after(600);
		outage(20);
		after(60);
		int before = this.lines.list.size();
		outage(20);
		after(10);
		assertThat(this.lines.list).hasSize(before);
		outage(40);
		assertThat(lines().subList(before, this.lines.list.size())).containsExactly(
				"WARN Informer 'pods' cannot watch pods: it broke; it will watch again (6 failures before were not logged)",
				"INFO Informer 'pods' is LIVE: 0 objects at resourceVersion ");
	}

	@Test
	void outageOfHoursIsLoggedOnce() {
		sync("");
		outage(1);
		after(30);
		int before = this.lines.list.size();
		outage(3600);
		assertThat(this.lines.list).hasSize(before + 2);
	}

	@Test
	void watchesThatEndAtOnceForHoursAreLoggedAFewTimesInTwoMinutesAtMost() {
		sync("");
		after(600);
		int before = this.lines.list.size();
		for (int seconds = 0; seconds < 3600; seconds += 15) {
			fail();
			condition("", InformerState.STALE);
			after(15);
			condition("", InformerState.LIVE);
		}
		assertThat(this.lines.list).hasSizeBetween(before + 20, before + 2 * 30);
		assertThat(lines()).last().asString().contains("is LIVE");
	}

	/**
	 * Loses the watch, tries each ten seconds, and has it again.
	 */
	private void outage(int seconds) {
		fail();
		condition("", InformerState.STALE);
		for (int passed = 0; passed < seconds; passed += 10) {
			after(Math.min(10, seconds - passed));
			if (passed + 10 < seconds) {
				fail();
			}
		}
		condition("", InformerState.LIVE);
	}

	private StatusTracker tracker() {
		return tracker(InformerSpec.of(V1Pod.class));
	}

	private StatusTracker tracker(InformerSpec<V1Pod> spec) {
		InformerListeners nobody = new InformerListeners(List.of(), () -> 0);
		Informer<V1Pod> informer = Informers.builder(() -> {
			throw new IllegalStateException();
		}).build().informer(V1Pod.class);
		return new StatusTracker(spec.id(), spec, new InformerRuntime.Clocks(this.clock, () -> 0),
				new InformerNotices(informer, nobody, System::nanoTime));
	}

	private void sync(String partition) {
		this.tracker.started(Set.of(partition));
		this.tracker.synced();
		condition(partition, InformerState.LIVE);
	}

	private void condition(String partition, InformerState condition) {
		this.tracker.condition(partition, condition, this.snapshot);
	}

	private void list() {
		this.tracker.listed(ListReason.EXPIRED, 0, Duration.ZERO);
	}

	private void fail() {
		this.tracker.failed("watch", new Failure(Problem.IO, null, "IOException", "it broke"), "watch again",
				Duration.ZERO);
	}

	private void closeHere() {
		this.tracker.failed("watch", Failure.of(new SocketException("Socket closed")), "watch again", Duration.ZERO);
	}

	private void after(int seconds) {
		this.clock.now = this.clock.now.plusSeconds(seconds);
	}

	private InformerStatus status() {
		return this.tracker.status(this.snapshot, true, null, null);
	}

	private @Nullable Long staleSince() {
		Instant since = status().cache().staleSince();
		return (since != null) ? Duration.between(START, since).toSeconds() : null;
	}

	private List<String> lines() {
		return this.lines.list.stream().map((line) -> line.getLevel() + " " + line.getFormattedMessage()).toList();
	}

	@KubernetesResource(group = "example.com", version = "v2", plural = "widgets")
	private abstract static class Widget implements KubernetesObject {

	}

	private static final class SettableClock extends Clock {

		private Instant now = START;

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

		@Override
		public Instant instant() {
			return this.now;
		}

	}

}
