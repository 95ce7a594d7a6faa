package dev.kubeinformer.spring.autoconfigure.training;

import java.util.List;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Service;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.stereotype.Component;

import dev.kubeinformer.controller.Reconciliation;
import dev.kubeinformer.handler.EventHandler;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.OnDelete;
import dev.kubeinformer.spring.annotation.OnUpdate;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.autoconfigure.ForkedApplication;
import dev.kubeinformer.spring.autoconfigure.InformerAutoConfiguration;
import dev.kubeinformer.spring.autoconfigure.client.KubernetesClientAutoConfiguration;
import dev.kubeinformer.test.ApiResources;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of a run that trains an archive of the JVM.
 */
@Tag("slow")
class TrainingRunTests {

	@Test
	void applicationShouldEndWhenEverythingHasHadLiveChanges() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			ApiResources<V1Pod> pods = kubernetes.resources(V1Pod.class);
			pods.create(TestObjects.pod("default", "there"));
			try (ForkedApplication application = train(kubernetes, "PT1M")) {
				application.awaitLine("Training run: the application ends when");
				kubernetes.awaitWatches(3);
				pods.create(TestObjects.pod("default", "one"));
				pods.update(labelled(pods.get("default", "one")));
				application.awaitLine("handled UPDATE one");
				kubernetes.resources(V1ConfigMap.class)
					.create(new V1ConfigMap().metadata(TestObjects.pod("default", "one").getMetadata()));
				application.awaitLine("reconciled one");
				assertThat(application.isAlive()).isTrue();
				pods.delete("default", "one");
				assertThat(application.awaitExit()).as(() -> String.join("\n", application.output())).isZero();
				assertThat(application.output()).anyMatch((line) -> line.contains("Trained: everything is synced"));
				await().until(() -> kubernetes.openWatches() == 0);
			}
		}
	}

	@Test
	void applicationShouldFailAndSayWhatWasMissing() throws Exception {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();
				ForkedApplication application = train(kubernetes, "PT1S")) {
			kubernetes.resources(V1Pod.class).create(TestObjects.pod("default", "one"));
			assertThat(application.awaitExit()).as(() -> String.join("\n", application.output())).isOne();
			assertThat(application.output()).anyMatch((line) -> line.contains("Not trained within PT1S")
					&& line.contains("UPDATE, DELETE") && line.contains("handler 'podHandler' has not handled a live")
					&& line.contains("reconciler 'mapReconciler' has not run for a live change"));
		}
	}

	@Test
	void otherRunsShouldHaveNothingAroundTheirHandlers() {
		try (EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start()) {
			EventHandler<V1Pod> handler = (event) -> {
			};
			InformerContextRunner.with(kubernetes).withUserConfiguration(PodHandler.class).run((context) -> {
				TrainingRun run = context.getBean(TrainingRun.class);
				assertThat(run.decorate(handler, "podHandler", InformerSpec.of(V1Pod.class))).isSameAs(handler);
			});
		}
	}

	private static V1Pod labelled(V1Pod pod) {
		pod.getMetadata().putLabelsItem("changed", "true");
		return pod;
	}

	private static ForkedApplication train(EmbeddedKubernetes kubernetes, String timeout) throws Exception {
		return ForkedApplication.start(List.of(), Application.class, "--kubernetes.client.url=" + kubernetes.url(),
				"--kubernetes.informers.training.enabled=true", "--kubernetes.informers.training.timeout=" + timeout,
				"--spring.main.web-application-type=none");
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ PodHandler.class, MapReconciler.class, Reader.class })
	@ImportAutoConfiguration({ KubernetesClientAutoConfiguration.class, InformerAutoConfiguration.class })
	public static class Application {

		public static void main(String[] args) {
			SpringApplication.run(Application.class, args);
		}

	}

	@InformerHandler(id = "podHandler")
	static class PodHandler {

		@OnAdd
		void added(V1Pod pod) {
			System.out.println("handled ADD " + pod.getMetadata().getName());
		}

		@OnUpdate
		void changed(V1Pod pod) {
			System.out.println("handled UPDATE " + pod.getMetadata().getName());
		}

		@OnDelete
		void deleted(V1Pod pod) {
			System.out.println("handled DELETE " + pod.getMetadata().getName());
		}

	}

	@Reconciler(id = "mapReconciler")
	static class MapReconciler {

		@Reconcile
		void reconcile(V1ConfigMap map, Reconciliation<V1ConfigMap> run) {
			System.out.println("reconciled " + map.getMetadata().getName());
		}

	}

	@Component
	static class Reader {

		Reader(Lister<V1Service> services) {
			services.list();
		}

	}

}
