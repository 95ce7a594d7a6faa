package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerLease;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.types.InformerState;

import static dev.kubeinformer.EngineTestSupport.engineThreads;
import static dev.kubeinformer.EngineTestSupport.informers;
import static dev.kubeinformer.EngineTestSupport.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Informers that are closed with their last user.
 */
class InformerLeaseTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final InformerSpec<V1Pod> WEB = InformerSpec.of(V1Pod.class).withNamespaces("web");

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final Informers informers = informers(this.api.url());

	@AfterEach
	void stop() {
		this.informers.close();
		this.api.close();
	}

	@Test
	void informerIsClosedWithItsLastUser() throws InterruptedException {
		this.informers.start();
		InformerLease<V1Pod> first = this.informers.lease(WEB);
		InformerLease<V1Pod> second = this.informers.lease(WEB);
		Informer<V1Pod> shared = first.informer();
		assertThat(second.informer()).isSameAs(shared);
		HandlerRegistration handler = shared.addHandler(new Recorder<>(), HandlerOptions.defaults());
		assertThat(handler.awaitSync(LONG)).isTrue();
		await().until(() -> this.api.openWatches() == 1);
		first.close();
		first.close();
		await().until(() -> shared.state() == InformerState.LIVE);
		second.close();
		assertThat(shared.state()).isEqualTo(InformerState.STOPPED);
		assertThat(shared.handlers()).isEmpty();
		assertThat(this.informers.all()).isEmpty();
		await().until(() -> this.api.openWatches() == 0);
		await().until(() -> engineThreads().stream().noneMatch((name) -> name.contains("pods")));
		assertThatIllegalStateException().isThrownBy(shared::run)
			.withMessageEndingWith("was closed with its last lease, and cannot be started again");
	}

	@Test
	void informerThatIsAskedForAgainIsANewOne() throws InterruptedException {
		this.informers.start();
		InformerLease<V1Pod> first = this.informers.lease(WEB);
		first.close();
		this.api.resources(V1Pod.class).create(pod("web", "a"));
		try (InformerLease<V1Pod> again = this.informers.lease(WEB)) {
			assertThat(again.informer()).isNotSameAs(first.informer());
			assertThat(again.informer().awaitSync(LONG)).isTrue();
			assertThat(again.informer().snapshot().keys()).containsExactly("web/a");
		}
	}

	@Test
	void informerThatIsAskedForWithoutALeaseStays() throws InterruptedException {
		this.informers.start();
		Informer<V1Pod> before = this.informers.informer(InformerSpec.of(V1Pod.class));
		this.informers.lease(InformerSpec.of(V1Pod.class)).close();
		InformerLease<V1Pod> lease = this.informers.lease(WEB);
		Informer<V1Pod> after = this.informers.informer(WEB);
		lease.close();
		assertThat(this.informers.all()).containsExactly(before, after);
		assertThat(after.awaitSync(LONG)).isTrue();
		assertThat(before.awaitSync(LONG)).isTrue();
	}

	@Test
	void manyWhoComeAndGoShareOneInformerAtATime() throws Exception {
		this.api.resources(V1Pod.class).create(pod("web", "a"));
		this.informers.start();
		ExecutorService users = Executors.newFixedThreadPool(4);
		List<Future<?>> all = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			Random random = new Random(i);
			all.add(users.submit(() -> {
				for (int use = 0; use < 25; use++) {
					try (InformerLease<V1Pod> lease = this.informers.lease(WEB)) {
						if (random.nextBoolean()) {
							assertThat(lease.informer().awaitSync(LONG)).isTrue();
							assertThat(lease.informer().snapshot().keys()).containsExactly("web/a");
						}
					}
				}
				return null;
			}));
		}
		for (Future<?> each : all) {
			each.get(60, TimeUnit.SECONDS);
		}
		users.shutdown();
		assertThat(this.informers.all()).isEmpty();
		await().until(() -> this.api.openWatches() == 0);
		await().until(() -> engineThreads().stream().noneMatch((name) -> name.contains("pods")));
	}

}
