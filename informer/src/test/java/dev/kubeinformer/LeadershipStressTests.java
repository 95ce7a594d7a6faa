package dev.kubeinformer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.controller.ReconcilerContainer;
import dev.kubeinformer.controller.ReconcilerState;
import dev.kubeinformer.controller.Result;
import dev.kubeinformer.test.RecordedRequest;

import static dev.kubeinformer.EngineTestSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reconcilers while terms come and go at random, over real HTTP.
 */
@Tag("slow")
class LeadershipStressTests {

	private static final int OBJECTS = 12;

	private static final int TERMS = 40;

	/** Longest time of a request on its way to the server, which records its arrival. */
	private static final Duration ON_ITS_WAY = Duration.ofMillis(100);

	private final WidgetWorld world = new WidgetWorld();

	private final ScriptedLeadership leadership = new ScriptedLeadership();

	private final Random random = new Random(42);

	private final Map<String, AtomicInteger> active = new ConcurrentHashMap<>();

	private final Set<String> overlaps = ConcurrentHashMap.newKeySet();

	private final List<Gap> gaps = new CopyOnWriteArrayList<>();

	@AfterEach
	void stop() {
		this.world.close();
	}

	@Test
	void noWriteShouldComeBetweenTermsAndNoKeyShouldBeLost() throws InterruptedException {
		for (int i = 0; i < OBJECTS; i++) {
			this.world.create("w" + i);
		}
		ReconcilerContainer container = this.world.start((widget, run) -> {
			AtomicInteger running = this.active.computeIfAbsent(run.key().name(), (key) -> new AtomicInteger());
			if (running.incrementAndGet() > 1) {
				this.overlaps.add(run.key().name());
			}
			try {
				// Interrupts do not end it, but a refused request does.
				LockSupport.parkNanos(Duration.ofMillis(3).toNanos());
				run.apply(WidgetWorld.child(widget));
				run.status((copy) -> copy.ready(widget.size()));
				return Result.done();
			}
			finally {
				running.decrementAndGet();
			}
		}, (spec) -> spec.withLeadership(this.leadership)
			.withOwned(V1ConfigMap.class)
			.withDrainTimeout(Duration.ofMillis(50)));
		assertThat(container.awaitSync(WidgetWorld.LONG)).isTrue();
		for (int i = 0; i < TERMS; i++) {
			this.leadership.grant();
			pause(40);
			change();
			pause(40);
			endTerm(container);
			change();
			// A run that is over may have a request on its way, on a machine that is
			// slow.
			await().pollInterval(Duration.ofMillis(1)).until(() -> container.status().runs().active() == 0);
			for (int j = 0; j < 10; j++) {
				LockSupport.parkNanos(ON_ITS_WAY.toNanos() / 10);
			}
			Instant from = Instant.now();
			pause(80);
			this.gaps.add(new Gap(from, Instant.now()));
		}
		await().untilAsserted(() -> assertThat(container.status().state()).isEqualTo(ReconcilerState.STANDBY));
		change();
		this.leadership.grant();
		assertThat(container.awaitIdle(WidgetWorld.LONG)).isTrue();
		assertThat(this.overlaps).isEmpty();
		assertThat(
				this.world.configMaps.list("web")
					.stream()
					.collect(Collectors.toMap((child) -> child.getMetadata().getName(),
							(child) -> child.getData().get("size"))))
			.isEqualTo(this.world.widgets.list("web")
				.stream()
				.collect(Collectors.toMap((widget) -> widget.getMetadata().getName(),
						(widget) -> Integer.toString(widget.size()))));
		assertThat(this.world.widgets.list("web")).allMatch((widget) -> widget.ready() == widget.size());
		assertThat(this.world.writes()).noneMatch(this::isInAGap);
		assertThat(container.status().runs().failed()).isZero();
		assertThat(container.status().state()).isEqualTo(ReconcilerState.ACTIVE);
	}

	private void endTerm(ReconcilerContainer container) throws InterruptedException {
		switch (this.random.nextInt(5)) {
			case 0 -> this.leadership.expire();
			case 1 -> {
				this.leadership.expire();
				this.leadership.lose();
			}
			case 2 -> {
				if (this.leadership.drain()) {
					assertThat(container.status().runs().active()).isZero();
				}
				this.leadership.lose();
			}
			case 3 -> {
				this.leadership.lose();
				this.leadership.grant();
				this.leadership.lose();
			}
			default -> this.leadership.lose();
		}
	}

	private void change() {
		String name = "w" + this.random.nextInt(OBJECTS);
		this.world.widgets.edit("web", name, (widget) -> widget.size(this.random.nextInt(1000)));
	}

	private void pause(int mostMillis) {
		LockSupport.parkNanos(Duration.ofMillis(this.random.nextInt(mostMillis)).toNanos());
	}

	private boolean isInAGap(RecordedRequest write) {
		return this.gaps.stream().anyMatch((gap) -> write.at().isAfter(gap.from()) && write.at().isBefore(gap.until()));
	}

	/**
	 * Time between two terms.
	 *
	 * @param from when the last request of the one must have come
	 * @param until when the other had not begun
	 */
	private record Gap(Instant from, Instant until) {

	}

}
