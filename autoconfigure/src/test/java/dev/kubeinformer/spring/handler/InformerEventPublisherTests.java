package dev.kubeinformer.spring.handler;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.Informer;
import dev.kubeinformer.Informers;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link InformerEventPublisher}.
 */
class InformerEventPublisherTests {

	private final Informers informers = Informers.builder(new ApiClient()).build();

	private final Informer<V1Pod> pods = this.informers.informer(V1Pod.class);

	private final List<InformerState> told = new CopyOnWriteArrayList<>();

	private final List<Thread> tellers = new CopyOnWriteArrayList<>();

	private final CountDownLatch release = new CountDownLatch(1);

	private final InformerEventPublisher publisher = new InformerEventPublisher(this::tell, this.informers,
			new NoHandlers(), false);

	@Test
	void whatWaitsAtTheStopShouldNotBeToldByTheNextStart() throws Exception {
		this.publisher.start();
		this.publisher.stateChanged(this.pods, InformerState.LIVE, InformerState.STALE);
		await().until(() -> this.told.contains(InformerState.STALE));
		this.publisher.stateChanged(this.pods, InformerState.STALE, InformerState.FORBIDDEN);
		this.publisher.stop();
		this.publisher.start();
		this.publisher.stateChanged(this.pods, InformerState.SYNCING, InformerState.NOT_FOUND);
		await().until(() -> this.told.contains(InformerState.NOT_FOUND));
		this.release.countDown();
		Thread old = this.tellers.get(0);
		old.join(TimeUnit.SECONDS.toMillis(30));
		assertThat(old.isAlive()).isFalse();
		assertThat(this.told).containsExactly(InformerState.STALE, InformerState.NOT_FOUND);
		this.publisher.stop();
	}

	private void tell(Object event) {
		InformerState state = ((InformerFailedEvent) event).getState();
		this.told.add(state);
		this.tellers.add(Thread.currentThread());
		if (state == InformerState.STALE) {
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private static final class NoHandlers implements InformerHandlerRegistry {

		@Override
		public InformerHandlerContainer get(String id) {
			throw new IllegalArgumentException(id);
		}

		@Override
		public Collection<InformerHandlerContainer> all() {
			return List.of();
		}

	}

}
