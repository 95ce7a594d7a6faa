package dev.kubeinformer.internal.dispatch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import dev.kubeinformer.handler.ResourceEvent;
import dev.kubeinformer.internal.store.Delta;
import dev.kubeinformer.internal.store.StoredObject;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Waiting additions, of which only the object is kept: changes of the object meanwhile,
 * and the delivered events.
 */
class PendingAdditionsTests {

	private static final int MANY = 10_000;

	private final AtomicLong clock = new AtomicLong();

	private final HandlerSync sync = new HandlerSync(() -> {
	});

	static Stream<Arguments> histories() {
		Delta<Note> other = Events.initial("b", 1);
		return Stream.of(
				// capacity, what comes, handed out
				arguments(MANY, List.of(Events.initial("a", 1), other, Events.updated("a", 1, 2)),
						List.of("+a:1 initial", "+b:1 initial", "a:1>2")),
				arguments(2,
						List.of(Events.initial("a", 1), other, Events.updated("a", 1, 2), Events.updated("a", 2, 3)),
						List.of("+a:3 initial", "+b:1 initial")),
				arguments(2, List.of(Events.added("a", 1), other, Events.updated("a", 1, 2)),
						List.of("+a:2", "+b:1 initial")),
				arguments(MANY, List.of(Events.initial("a", 1), other, Events.deleted("a", 2)),
						List.of("+a:1 initial", "+b:1 initial", "-a:2")),
				arguments(2, List.of(Events.initial("a", 1), other, Events.deleted("a", 2)), List.of("+b:1 initial")),
				arguments(2,
						List.of(Events.initial("a", 1), other, Events.deleted("a", 2), Events.added("a", "other", 3)),
						List.of("+b:1 initial", "+a:3")),
				arguments(MANY,
						List.of(Events.initial("a", 1), other, Events.deleted("a", 2), Events.added("a", "other", 3)),
						List.of("+a:1 initial", "+b:1 initial", "-a:2", "+a:3")),
				arguments(2, List.of(Events.initial("a", 1), other, initialUpdate("a", 1, 2)),
						List.of("+a:2 initial", "+b:1 initial")),
				arguments(2,
						List.of(Events.updated("c", 1, 2), Events.initial("a", 1), Events.updated("c", 2, 3), other),
						List.of("c:1>3", "+a:1 initial", "+b:1 initial")),
				arguments(MANY,
						List.of(Events.updated("c", 1, 2), Events.initial("a", 1), Events.updated("d", 1, 2), other),
						List.of("c:1>2", "+a:1 initial", "d:1>2", "+b:1 initial")),
				// a change that did not reach every handler comes again
				arguments(2, List.of(Events.initial("a", 1), other, Events.initial("a", 1)),
						List.of("+a:1 initial", "+b:1 initial")));
	}

	private static Delta<Note> initialUpdate(String name, int before, int after) {
		return new Delta<>(Delta.Kind.UPDATED, Events.object(name, before), Events.object(name, after), true, false);
	}

	@ParameterizedTest
	@MethodSource("histories")
	void whatComesMeanwhileIsMergedOrFollows(int capacity, List<Delta<Note>> history, List<String> handedOut) {
		PendingEvents<Note> events = events(capacity);
		history.forEach(events::add);
		this.sync.stateComplete();
		assertThat(events.size()).isEqualTo(handedOut.size());
		List<String> all = new ArrayList<>();
		PendingDelta<Note> next;
		while ((next = events.handOut()) != null) {
			all.add(describe(next));
			events.finished(next);
			events.finishedForSync(next);
		}
		assertThat(all).isEqualTo(handedOut);
		assertThat(this.sync.status().pendingInitial()).isZero();
		assertThat(this.sync.status().syncedAt()).isNotNull();
		assertThat(events.size()).isZero();
	}

	@Test
	void resyncWaitsForNothingWhileTheAdditionWaits() {
		PendingEvents<Note> events = events(MANY);
		events.add(Events.initial("a", 1));
		assertThat(events.addResync(Events.object("a", 1))).isFalse();
		assertThat(events.size()).isEqualTo(1);
	}

	@Test
	void additionOfAnObjectInWorkWaitsForIt() {
		PendingEvents<Note> events = events(MANY);
		events.add(Events.deleted("a", 1));
		PendingDelta<Note> deletion = events.handOut();
		events.add(Events.initial("a", 2));
		events.add(Events.initial("b", 3));
		assertThat(describe(events.handOut())).isEqualTo("+b:3 initial");
		assertThat(events.handOut()).isNull();
		events.finished(deletion);
		assertThat(describe(events.handOut())).isEqualTo("+a:2 initial");
	}

	@Test
	void additionFailsAndIsTriedAgainAsAnyEvent() {
		PendingEvents<Note> events = events(1);
		events.add(Events.initial("a", 1));
		events.add(Events.initial("b", 1));
		PendingDelta<Note> failed = events.handOut();
		events.add(Events.updated("a", 1, 2));
		events.putBack(failed, Duration.ofNanos(1), () -> failed.failed(Duration.ofNanos(1)));
		assertThat(events.size()).isEqualTo(2);
		this.clock.addAndGet(1);
		events.queueDue();
		assertThat(describe(events.handOut())).isEqualTo("+b:1 initial");
		assertThat(describe(events.handOut())).isEqualTo("+a:2 initial");
		assertThat(this.sync.status().pendingInitial()).isEqualTo(2);
	}

	@Test
	void updatesOfAnAdditionCountAsMerged() {
		PendingEvents<Note> events = events(2);
		List.of(Events.initial("a", 1), Events.initial("b", 1)).forEach(events::add);
		assertThat(events.add(Events.updated("a", 1, 2))).isFalse();
		assertThat(events.add(Events.updated("a", 2, 3))).isFalse();
		assertThat(events.status(0).merged()).isEqualTo(2);
	}

	@Test
	void additionKnowsWhenItCame() {
		PendingEvents<Note> events = events(MANY);
		this.clock.set(5);
		events.add(Events.initial("a", 1));
		this.clock.set(9);
		assertThat(events.handOut().queuedAt()).isEqualTo(5);
	}

	@Test
	void additionsByTheThousandStayInOrder() {
		Random random = new Random(1);
		PendingAdditions<Note> additions = new PendingAdditions<>();
		Map<String, PendingDelta<Note>> events = new HashMap<>();
		Map<String, Integer> model = new LinkedHashMap<>();
		Map<String, Integer> came = new HashMap<>();
		int place = 0;
		for (int step = 0; step < 60_000; step++) {
			// It grows to thousands, is held for long, and becomes empty again.
			int appended = (step < 20_000) ? 8 : (step < 40_000) ? 5 : 3;
			String name = "o" + random.nextInt(20_000);
			if (random.nextInt(10) < appended) {
				if (model.putIfAbsent(name, step) == null) {
					additions.append(Events.object(name, step), true, ++place, step);
					came.put(name, step);
				}
				else if (!events.containsKey(name)) {
					additions.replace(Events.object(name, step));
					model.put(name, step);
				}
			}
			else if (step < 40_000 && model.containsKey(name) && random.nextInt(4) > 0) {
				ObjectKey key = new ObjectKey("ns", name);
				assertThat(additions.contains(key)).isNotEqualTo(events.containsKey(name));
				PendingDelta<Note> event = events.computeIfAbsent(name, (absent) -> {
					PendingDelta<Note> made = additions.event(key);
					additions.replace(made);
					return made;
				});
				if (random.nextBoolean()) {
					assertThat(additions.remove(event)).isTrue();
					model.remove(name);
					events.remove(name);
				}
			}
			else if (!model.isEmpty()) {
				Iterator<Map.Entry<String, Integer>> oldest = model.entrySet().iterator();
				Map.Entry<String, Integer> expected = oldest.next();
				PendingDelta<Note> first = additions.firstEvent();
				assertThat(first.event("test").object()).hasToString(expected.getKey() + ":" + expected.getValue());
				assertThat(first.queuedAt()).isEqualTo((long) came.get(expected.getKey()));
				additions.removeFirst();
				events.remove(expected.getKey());
				oldest.remove();
			}
			if (step % 100 == 0) {
				additions.shrink();
			}
			assertThat(additions.size()).isEqualTo(model.size());
		}
		assertThat(place).isGreaterThan(20_000);
	}

	static Stream<IntFunction<ObjectKey>> keys() {
		return Stream.of((i) -> new ObjectKey("ns", "o" + i), (i) -> new ObjectKey("ns" + i, "o"));
	}

	@ParameterizedTest
	@MethodSource("keys")
	void objectsWithOneHashAreToldApart(IntFunction<ObjectKey> keys) {
		Map<Integer, ObjectKey> byHash = new HashMap<>();
		ObjectKey one = null;
		ObjectKey other = null;
		for (int i = 0; one == null; i++) {
			other = keys.apply(i);
			one = byHash.put(other.hashCode(), other);
		}
		PendingAdditions<Note> additions = new PendingAdditions<>();
		additions.append(object(one), true, 1, 1);
		assertThat(additions.contains(other)).isFalse();
		additions.append(object(other), true, 2, 2);
		assertThat(additions.event(one).key()).isEqualTo(one);
		PendingDelta<Note> event = additions.event(other);
		assertThat(event.key()).isEqualTo(other);
		additions.replace(event);
		assertThat(additions.contains(one)).isTrue();
		assertThat(additions.contains(other)).isFalse();
		assertThat(additions.remove(event)).isTrue();
		assertThat(additions.firstEvent().key()).isEqualTo(one);
	}

	private static StoredObject<Note> object(ObjectKey key) {
		return new StoredObject<>(key.namespace(), key.name(), "u", "1", new Note(key.name(), "u", "1"));
	}

	private PendingEvents<Note> events(int capacity) {
		return new PendingEvents<>(capacity, this.clock::get, () -> {
		}, this.sync, new Recovery());
	}

	private static String describe(PendingDelta<Note> pending) {
		ResourceEvent<Note> event = pending.event("test");
		return Events.describe(event) + (event.initial() ? " initial" : "");
	}

}
