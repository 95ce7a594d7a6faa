package dev.kubeinformer.spring.autoconfigure;

import java.time.Duration;
import java.util.List;

import io.kubernetes.client.openapi.models.V1Pod;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.test.agent.RuntimeHintsInvocations;
import org.springframework.aot.test.agent.RuntimeHintsRecorder;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.aot.AotServices;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;

import dev.kubeinformer.controller.ReconcilerRegistry;
import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Program that runs an application while Spring's agent records what it asks the JVM for
 * by reflection, and compares that with the hints for a native image.
 */
@SuppressWarnings({ "deprecation", "removal" }) // the tracing agent is part of GraalVM
public final class RecordedHints {

	static final String DONE = "All that was asked for is in the hints: ";

	private RecordedHints() {
	}

	public static void main(String[] args) {
		RuntimeHints hints = hints();
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			kubernetes.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
			RuntimeHintsInvocations invocations = RuntimeHintsRecorder.record(() -> run(kubernetes));
			assertThat(invocations).match(hints);
			System.out.println(DONE + "one handler, one reconciler");
		}
	}

	private static RuntimeHints hints() {
		TestGenerationContext generation = new TestGenerationContext();
		AnnotationConfigApplicationContext source = new AnnotationConfigApplicationContext();
		TestPropertyValues.of(InformerContextRunner.NO_CLUSTER).applyTo(source);
		source.register(Application.class);
		new ApplicationContextAotGenerator().processAheadOfTime(source, generation);
		List<RuntimeHintsRegistrar> registrars = AotServices.factories().load(RuntimeHintsRegistrar.class).asList();
		registrars.forEach((registrar) -> registrar.registerHints(generation.getRuntimeHints(),
				RecordedHints.class.getClassLoader()));
		// ReturnedTypes reads class files, but not in a native image.
		generation.getRuntimeHints().resources().registerPattern("dev/kubeinformer/**");
		return generation.getRuntimeHints();
	}

	private static void run(EmbeddedKubernetes kubernetes) {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of(InformerContextRunner.NO_CLUSTER)
				.and("kubernetes.client.url=" + kubernetes.url(), "kubernetes.client.protobuf=off",
						"kubernetes.informers.handlers.podHandler.retry.max-retries=3")
				.applyTo(context);
			context.register(Application.class);
			context.refresh();
			await().until(() -> context.getBean(InformerHandlerRegistry.class)
				.all()
				.stream()
				.allMatch((each) -> each.hasSynced()));
			assertThat(context.getBean(ReconcilerRegistry.class).awaitIdle(Duration.ofSeconds(60))).isTrue();
			assertThat(kubernetes.resources(V1Pod.class).get("web", "one").getStatus().getPhase()).isEqualTo("Seen");
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	@Import({ PodHandler.class, PodReconciler.class })
	static class Application {

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd(condition = "#event.object.metadata.name == 'one'")
		void added(V1Pod pod) {
		}

	}

	@Reconciler(id = "podReconciler")
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod, Reconciliation<V1Pod> run) throws Exception {
			run.status((changed) -> changed.getStatus().setPhase("Seen"));
		}

	}

}
