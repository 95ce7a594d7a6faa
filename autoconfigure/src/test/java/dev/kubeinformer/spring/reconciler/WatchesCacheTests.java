package dev.kubeinformer.spring.reconciler;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.spring.Gear;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.annotation.InformerSource;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.annotation.Watches;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Fault;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Reconcilers whose {@code @Watches} methods are called while the cache that they read is
 * still being filled: that of the object that they are called with.
 */
class WatchesCacheTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes);

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void watchesMethodShouldWaitForTheCacheOfItsOwnObject() {
		Gear.serve(this.kubernetes);
		this.kubernetes.resources(V1Secret.class).create(secret("web", "one"));
		this.kubernetes.resources(V1Secret.class).create(secret("late", "two"));
		Fault denied = this.kubernetes.faults().on(Requests.of("secrets").inNamespace("late")).forbid();
		this.runner.withBean("gearReconciler", SecretReader.class).run((context) -> {
			Informer<?> secrets = context.getBean(Informers.class)
				.all()
				.stream()
				.filter((informer) -> informer.id().startsWith("secrets"))
				.findFirst()
				.orElseThrow();
			await().until(() -> secrets.snapshot().size() == 1);
			await().until(() -> secrets.handlers().stream().anyMatch((handler) -> handler.status().handling() != null));
			denied.remove();
			assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(Duration.ofSeconds(60))).isTrue();
			SecretReader reader = context.getBean(SecretReader.class);
			await().untilAsserted(() -> assertThat(reader.seen).containsExactlyInAnyOrder("one of 2", "two of 2"));
			assertThat(secrets.handlers()).extracting(HandlerRegistration::status)
				.allSatisfy((status) -> assertThat(status.deliveries().failed()).isZero());
		});
	}

	private static V1Secret secret(String namespace, String name) {
		return new V1Secret().metadata(new V1ObjectMeta().namespace(namespace).name(name));
	}

	@Reconciler
	static class SecretReader {

		private final Lister<V1Secret> secrets;

		private final Set<String> seen = ConcurrentHashMap.newKeySet();

		SecretReader(@InformerSource(namespaces = { "web", "late" }) Lister<V1Secret> secrets) {
			this.secrets = secrets;
		}

		@Reconcile
		void reconcile(Gear gear) {
		}

		@Watches(namespaces = { "web", "late" })
		Stream<ObjectKey> map(V1Secret secret) {
			this.seen.add(secret.getMetadata().getName() + " of " + this.secrets.list().size());
			return Stream.empty();
		}

	}

}
