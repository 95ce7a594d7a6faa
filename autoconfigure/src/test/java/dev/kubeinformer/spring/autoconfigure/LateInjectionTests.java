package dev.kubeinformer.spring.autoconfigure;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Lazy;

import dev.kubeinformer.Informers;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.handler.HandlerOptions;
import dev.kubeinformer.handler.HandlerRegistration;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of listers that are injected into beans which are created after the start.
 */
class LateInjectionTests {

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final ApplicationContextRunner runner = InformerContextRunner.with(this.kubernetes)
		.withUserConfiguration(Reader.class);

	@BeforeEach
	void create() {
		this.kubernetes.resources(V1Node.class).create(TestObjects.node("n1"));
	}

	@AfterEach
	void close() {
		this.kubernetes.close();
	}

	@Test
	void lazyBeanShouldGetAFilledListerWhereTheStartWaits() {
		this.runner.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true").run((context) -> {
			assertThat(context.getBean(Informers.class).all()).isEmpty();
			assertThat(context.getBean(Reader.class).sizeAtCreation).isEqualTo(1);
		});
	}

	@Test
	void lazyBeanWhoseListerIsNotFilledInTimeShouldFailWithWhatIsMissing() {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner
			.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true",
					"kubernetes.informers.startup.late-timeout=300ms")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatException().isThrownBy(() -> context.getBean(Reader.class))
					.havingRootCause()
					.isInstanceOf(InformerSyncTimeoutException.class)
					.withMessageContaining("'nodes'");
				this.kubernetes.faults().clear();
				await().ignoreExceptions().until(() -> context.getBean(Reader.class).sizeAtCreation == 1);
			});
	}

	@Test
	void lazyBeanShouldNotWaitWhereThatIsSwitchedOff() {
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner.withPropertyValues("kubernetes.informers.startup.late-timeout=0s")
			.run((context) -> assertThat(context.getBean(Reader.class).sizeAtCreation).isZero());
	}

	@Test
	void lazyBeanShouldGetAFilledListerWhereTheStartDoesNotWait() {
		this.runner.run((context) -> assertThat(context.getBean(Reader.class).sizeAtCreation).isEqualTo(1));
	}

	@Test
	void callbackShouldNotWaitForWhatItAsksFor() {
		this.kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
		this.kubernetes.faults().on(Requests.of("nodes")).forbid();
		this.runner.withPropertyValues("kubernetes.informers.startup.wait-for-sync=true").run((context) -> {
			ObjectProvider<Reader> reader = context.getBeanProvider(Reader.class);
			EventHandler<V1Pod> callback = (event) -> assertThat(reader.getObject().sizeAtCreation).isZero();
			HandlerRegistration handler = context.getBean(Informers.class)
				.informer(V1Pod.class)
				.addHandler(callback, HandlerOptions.defaults());
			await().until(handler::hasSynced);
			assertThat(handler.status().deliveries().failed()).isZero();
			assertThat(handler.status().deliveries().processed()).isEqualTo(1);
		});
	}

	@Lazy
	static class Reader {

		private final int sizeAtCreation;

		Reader(Lister<V1Node> nodes) {
			this.sizeAtCreation = nodes.list().size();
		}

	}

}
