package dev.kubeinformer.spring.handler.event;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.cluster.ClusterRuntime;
import dev.kubeinformer.spring.cluster.ClusterRuntimes;
import dev.kubeinformer.spring.cluster.DefaultClusterRuntimes;
import dev.kubeinformer.spring.settings.ConfiguredSettings;
import dev.kubeinformer.spring.settings.InformerSpecs;
import dev.kubeinformer.types.InformerState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of {@link InformerEventPublisher}.
 */
class InformerEventPublisherTests {

	private final Informers informers = Informers.builder(new ApiClient()).build();

	private final Informer<V1Pod> pods = this.informers.informer(V1Pod.class);

	private final List<InformerState> published = new CopyOnWriteArrayList<>();

	private final List<Thread> threads = new CopyOnWriteArrayList<>();

	private final CountDownLatch release = new CountDownLatch(1);

	private final List<FailedEventSource> sources = new ArrayList<>();

	private final InformerEventPublisher publisher = new InformerEventPublisher(this::listen, clusters(),
			(thread, cluster) -> sources(thread));

	@Test
	void whatWaitsAtTheStopShouldNotBePublishedByTheNextStart() throws Exception {
		this.publisher.start();
		this.sources.get(0).stateChanged(this.pods, InformerState.LIVE, InformerState.STALE);
		await().until(() -> this.published.contains(InformerState.STALE));
		this.sources.get(0).stateChanged(this.pods, InformerState.STALE, InformerState.FORBIDDEN);
		this.publisher.stop();
		this.publisher.start();
		this.sources.get(1).stateChanged(this.pods, InformerState.SYNCING, InformerState.NOT_FOUND);
		await().until(() -> this.published.contains(InformerState.NOT_FOUND));
		this.release.countDown();
		Thread old = this.threads.get(0);
		old.join(TimeUnit.SECONDS.toMillis(30));
		assertThat(old.isAlive()).isFalse();
		assertThat(this.published).containsExactly(InformerState.STALE, InformerState.NOT_FOUND);
		this.publisher.stop();
	}

	private ClusterRuntimes clusters() {
		ConfiguredSettings configured = mock(ConfiguredSettings.class);
		ClusterRuntime cluster = new ClusterRuntime("default", this.informers, configured,
				new InformerSpecs(configured, () -> "default"), true);
		return new DefaultClusterRuntimes(cluster, List.of(), true, (name, client) -> cluster);
	}

	private List<FailedEventSource> sources(EventThread thread) {
		FailedEventSource source = new FailedEventSource(thread);
		this.sources.add(source);
		return List.of(source);
	}

	private void listen(Object event) {
		InformerState state = ((InformerFailedEvent) event).getState();
		this.threads.add(Thread.currentThread());
		this.published.add(state);
		if (state == InformerState.STALE) {
			try {
				this.release.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
