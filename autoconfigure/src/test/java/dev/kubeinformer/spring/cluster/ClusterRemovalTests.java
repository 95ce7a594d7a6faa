package dev.kubeinformer.spring.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.kubernetes.client.informer.cache.Lister;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Pod;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import dev.kubeinformer.Informers;
import dev.kubeinformer.spring.InformerContextRunner;
import dev.kubeinformer.spring.TestObjects;
import dev.kubeinformer.spring.annotation.InformerHandler;
import dev.kubeinformer.spring.annotation.OnAdd;
import dev.kubeinformer.spring.annotation.Reconcile;
import dev.kubeinformer.spring.annotation.Reconciler;
import dev.kubeinformer.spring.handler.InformerHandlerContainer;
import dev.kubeinformer.spring.handler.InformerHandlerRegistry;
import dev.kubeinformer.test.EmbeddedKubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of clusters that are added and removed while the application runs.
 */
class ClusterRemovalTests {

	private final EmbeddedKubernetes edge = EmbeddedKubernetes.start();

	private final HungServer hung = new HungServer();

	private final ApplicationContextRunner runner = InformerContextRunner.withoutCluster()
		.withBean("pods-of-all", PodHandler.class)
		.withBean("pods-again", PodReconciler.class)
		.withBean(PodReader.class);

	ClusterRemovalTests() {
		this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "one"));
	}

	@AfterEach
	void close() {
		this.edge.close();
		this.hung.close();
	}

	private static ApiClient client(String url) {
		return new ApiClient().setBasePath(url);
	}

	private static List<String> threads(String cluster) {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter(Thread::isAlive)
			.map(Thread::getName)
			.filter((name) -> name.contains(cluster))
			.toList();
	}

	@Test
	void clusterThatHangsShouldBeAddedAndRemovedWithoutWaiting() {
		this.runner.run((context) -> {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			long began = System.nanoTime();
			clusters.add("tarpit", client(this.hung.url()));
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
			await().until(() -> this.hung.connections() > 0);
			assertThat(threads("tarpit")).isNotEmpty();
			began = System.nanoTime();
			clusters.remove("tarpit");
			assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(8));
			await().untilAsserted(() -> assertThat(threads("tarpit")).isEmpty());
			clusters.add("tarpit", client(this.edge.url()));
			await().untilAsserted(() -> assertThat(context.getBean(PodHandler.class).handled).containsExactly("one"));
		});
	}

	@Test
	void cachesOfARemovedClusterShouldBeEmptyAndItsInformersRefuseToStart() {
		this.runner.run((context) -> {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			Informers informers = clusters.add("gone", client(this.edge.url()));
			ClusterListers<V1Pod> listers = context.getBean(PodReader.class).listers.getObject();
			await().until(() -> listers.get("gone").list().size() == 1);
			Lister<V1Pod> pods = informers.lister(V1Pod.class);
			clusters.remove("gone");
			assertThat(pods.list()).isEmpty();
			assertThat(informers.all()).isEmpty();
			assertThatIllegalStateException().isThrownBy(informers::start)
				.withMessageContaining("their cluster was removed");
			await().untilAsserted(() -> assertThat(threads("informer-gone")).isEmpty());
		});
	}

	@Test
	void clusterShouldBeAddedBeforeTheApplicationRunsAndStartWithIt() {
		this.runner.withPropertyValues("kubernetes.informers.auto-startup=false").run((context) -> {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			Informers added = clusters.add("later", client(this.edge.url()));
			assertThat(added.isRunning()).isFalse();
			context.stop();
			context.start();
			await().until(added::isRunning);
			await().untilAsserted(() -> assertThat(context.getBean(PodHandler.class).handled).containsExactly("one"));
		});
	}

	@Test
	void stopAndStartOfTheContextShouldStopAndStartAllClusters() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url()).run((context) -> {
			PodHandler handler = context.getBean(PodHandler.class);
			await().untilAsserted(() -> assertThat(handler.handled).containsExactly("one"));
			context.stop();
			Informers informers = context.getBean(InformerClusters.class).get("edge");
			assertThat(informers.isRunning()).isFalse();
			this.edge.resources(V1Pod.class).create(TestObjects.pod("web", "two"));
			context.start();
			await().untilAsserted(() -> assertThat(handler.handled).contains("two"));
		});
	}

	@Test
	void namesThatAreTakenOrWrongShouldBeRefused() {
		this.runner.withPropertyValues("kubernetes.clusters.edge.url=" + this.edge.url()).run((context) -> {
			InformerClusters clusters = context.getBean(InformerClusters.class);
			ApiClient client = client(this.edge.url());
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.add("edge", client))
				.withMessageContaining("Cluster 'edge' exists");
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.add("default", client))
				.withMessageContaining("Cluster 'default' exists");
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.add("Edge.eu", client))
				.withMessageContaining("Invalid cluster name 'Edge.eu'");
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.remove("edge"))
				.withMessageContaining("'kubernetes.clusters.edge' and cannot be removed");
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.remove("default"))
				.withMessageContaining("cannot be removed");
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.remove("none"))
				.withMessageContaining("There is no cluster 'none'; the clusters are [default, edge]");
			assertThatIllegalArgumentException().isThrownBy(() -> clusters.get("none"));
		});
	}

	@Test
	void listenersShouldBeNotifiedBeforeHandlersComeAndAfterTheyWent() {
		this.runner.run((context) -> {
			List<String> notified = new CopyOnWriteArrayList<>();
			InformerHandlerRegistry handlers = context.getBean(InformerHandlerRegistry.class);
			ClusterRuntimes runtimes = context.getBean(ClusterRuntimes.class);
			runtimes.addListener(new ClusterRuntimes.Listener() {

				@Override
				public void added(ClusterRuntime cluster) {
					notified.add("added %s %s".formatted(cluster.name(), ids(handlers)));
				}

				@Override
				public void removed(ClusterRuntime cluster) {
					notified.add("removed %s %s".formatted(cluster.name(), ids(handlers)));
				}

			});
			assertThat(runtimes.isMultiple()).isFalse();
			InformerClusters clusters = context.getBean(InformerClusters.class);
			clusters.add("edge", client(this.edge.url()));
			assertThat(ids(handlers)).containsExactly("edge.pods-of-all");
			clusters.remove("edge");
			assertThat(notified).containsExactly("added edge []", "removed edge []");
			assertThat(runtimes.isMultiple()).isTrue();
		});
	}

	private static List<String> ids(InformerHandlerRegistry handlers) {
		return handlers.all().stream().map(InformerHandlerContainer::id).toList();
	}

	@InformerHandler(cluster = "*")
	static class PodHandler {

		final List<String> handled = new CopyOnWriteArrayList<>();

		@OnAdd
		void added(V1Pod pod) {
			this.handled.add(pod.getMetadata().getName());
		}

	}

	@Reconciler(cluster = "*")
	static class PodReconciler {

		@Reconcile
		void reconcile(V1Pod pod) {
		}

	}

	static class PodReader {

		final ObjectProvider<ClusterListers<V1Pod>> listers;

		PodReader(ObjectProvider<ClusterListers<V1Pod>> listers) {
			this.listers = listers;
		}

	}

}
