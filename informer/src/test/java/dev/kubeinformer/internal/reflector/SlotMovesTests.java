package dev.kubeinformer.internal.reflector;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.slots.HeldSlots;
import dev.kubeinformer.internal.slots.SlotSource;
import dev.kubeinformer.types.ShardKey;
import dev.kubeinformer.types.Slots;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thread that lists gained slots, when it fails outside of a request.
 */
class SlotMovesTests {

	@Test
	@SuppressWarnings("unchecked")
	void unexpectedFailureShouldNotEndTheListsOfGainedSlots() throws InterruptedException {
		CountDownLatch attempts = new CountDownLatch(2);
		SlotMoves<V1Pod> moves = new SlotMoves<>(new GainedSlot(), (filter) -> {
			attempts.countDown();
			throw new NoClassDefFoundError("broken by the test");
		}, (work) -> {
			Thread thread = new Thread(work);
			thread.setDaemon(true);
			return thread;
		});
		ReflectorSink<V1Pod> sink = (ReflectorSink<V1Pod>) Proxy.newProxyInstance(ReflectorSink.class.getClassLoader(),
				new Class<?>[] { ReflectorSink.class }, (proxy, method, args) -> null);
		moves.connect(sink, (opened) -> {
			throw new AssertionError("There is no connection");
		}, () -> {
		}, Duration.ofMillis(200));
		moves.changed();
		assertThat(attempts.await(30, TimeUnit.SECONDS)).isTrue();
		moves.stop();
	}

	/**
	 * Slots of which one is listed, and another one was gained.
	 */
	private static final class GainedSlot implements SlotSource {

		@Override
		public Slots division() {
			return new Slots(ShardKey.UID, 8);
		}

		@Override
		public boolean isSettled() {
			return true;
		}

		@Override
		public HeldSlots held() {
			return full().with(Set.of(2), 2);
		}

		@Override
		public HeldSlots full() {
			return HeldSlots.none().with(Set.of(1), 1);
		}

	}

}
