package dev.kubeinformer.spring;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformer;
import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import dev.kubeinformer.Informers;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.Snapshot;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what can be done with injected listers and informers.
 */
class InjectedInformerTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void runOfAStartedInformerShouldDoNothing() {
		this.runner.withBean(Shared.class).run((context) -> {
			Shared shared = context.getBean(Shared.class);
			await().until(shared.indexed::hasSynced);
			shared.indexed.run();
			shared.own.run();
			assertThat(shared.indexed.hasSynced()).isTrue();
			this.kubernetes.awaitWatches(1);
			assertThat(context.getBean(Informers.class).all()).hasSize(1);
		});
	}

	@Test
	void stopShouldNameWhatStopsAll() {
		this.runner.withBean(Shared.class).run((context) -> {
			Shared shared = context.getBean(Shared.class);
			await().until(shared.indexed::hasSynced);
			for (SharedInformer<V1Pod> informer : List.of(shared.indexed, shared.own, shared.base)) {
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(informer::stop)
					.withMessage("Informer 'pods' was injected and others share it, so that it is not stopped alone. "
							+ "Stop all with Informers.stop()");
			}
			assertThat(shared.indexed.hasSynced()).isTrue();
		});
	}

	@Test
	void injectedTypesShouldShowOneCache() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(Shared.class).run((context) -> {
			Shared shared = context.getBean(Shared.class);
			await().until(() -> shared.lister.list().size() == 1);
			V1Pod pod = shared.lister.namespace("web").get("one");
			assertThat(shared.indexed.getIndexer().getByKey("web/one")).isSameAs(pod);
			assertThat(shared.own.snapshot().get("web", "one")).isSameAs(pod);
			assertThat(context.getBean(Informers.class).lister(V1Pod.class).list()).containsExactly(pod);
			assertThat(context.getBean(Informers.class).snapshot(V1Pod.class).list()).containsExactly(pod);
		});
	}

	@Test
	void injectedListerShouldWorkWhenInformersStopAndStart() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.runner.withBean(Shared.class).run((context) -> {
			Lister<V1Pod> pods = context.getBean(Shared.class).lister;
			Informers informers = context.getBean(Informers.class);
			await().until(() -> pods.list().size() == 1);
			informers.stop();
			await().until(() -> this.kubernetes.openWatches() == 0);
			this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "two", Map.of("app", "b")));
			informers.start();
			await().until(() -> pods.list().size() == 2);
		});
	}

	@Test
	void optionalListAndProviderShouldHoldTheInformer() {
		this.runner.withBean(Wrapped.class).run((context) -> {
			Wrapped wrapped = context.getBean(Wrapped.class);
			assertThat(wrapped.optional).isPresent();
			assertThat(wrapped.list).hasSize(1);
			assertThat(wrapped.provider.getIfAvailable()).isNotNull();
			assertThat(context.getBean(Informers.class).all()).extracting(Informer::id)
				.containsExactlyInAnyOrder("pods", "nodes");
		});
	}

	@Test
	void usersInformerShouldWin() {
		this.runner.withUserConfiguration(UserInformer.class).withBean(Shared.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(Shared.class).indexed).isSameAs(context.getBean("userPods"));
		});
	}

	@Test
	void noBeanOfAJdkTypeOrOfASnapshotShouldBeDefined() {
		this.runner.run((context) -> {
			assertThat(context).doesNotHaveBean(Snapshot.class);
			assertThat(context.getBeanDefinitionNames()).filteredOn((name) -> name.matches("(kubernetes|informer).*"))
				.hasSizeGreaterThan(5)
				.allSatisfy((name) -> assertThat(context.getType(name).getName()).doesNotStartWith("java"));
		});
	}

	static class Shared {

		private final Lister<V1Pod> lister;

		private final SharedIndexInformer<V1Pod> indexed;

		private final Informer<V1Pod> own;

		private final SharedInformer<V1Pod> base;

		Shared(Lister<V1Pod> lister, SharedIndexInformer<V1Pod> indexed, Informer<V1Pod> own,
				SharedInformer<V1Pod> base) {
			this.lister = lister;
			this.indexed = indexed;
			this.own = own;
			this.base = base;
		}

	}

	static class Wrapped {

		private final Optional<Lister<V1Pod>> optional;

		private final List<SharedIndexInformer<V1Node>> list;

		private final ObjectProvider<Informer<V1Node>> provider;

		Wrapped(Optional<Lister<V1Pod>> optional, @InformerSource List<SharedIndexInformer<V1Node>> list,
				ObjectProvider<Informer<V1Node>> provider) {
			this.optional = optional;
			this.list = list;
			this.provider = provider;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class UserInformer {

		@Bean(destroyMethod = "")
		Informer<V1Pod> userPods(Informers informers) {
			return informers.informer(V1Pod.class);
		}

	}

}
