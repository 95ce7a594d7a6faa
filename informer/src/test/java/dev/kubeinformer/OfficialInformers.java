package dev.kubeinformer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.generic.GenericKubernetesApi;

import dev.kubeinformer.test.EmbeddedKubernetes;

import static dev.kubeinformer.EngineTestSupport.client;
import static dev.kubeinformer.EngineTestSupport.informers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Informers of an API server in one of two implementations: that of the official client,
 * and ours.
 */
final class OfficialInformers implements AutoCloseable {

	private final EmbeddedKubernetes api;

	private final Implementation implementation;

	private final ApiClient client;

	private final SharedInformerFactory official;

	private final Informers ours;

	private final List<SharedIndexInformer<?>> made = new ArrayList<>();

	OfficialInformers(EmbeddedKubernetes api, Implementation implementation) {
		this.api = api;
		this.implementation = implementation;
		this.client = client(api.url());
		this.client.setReadTimeout(0);
		this.official = new SharedInformerFactory(this.client);
		this.ours = informers(api.url());
	}

	SharedIndexInformer<V1Pod> pods() {
		return pods(Duration.ZERO);
	}

	/**
	 * Makes an informer of pods.
	 * @param resync the resync period of the informer, which only the official one has
	 * @return the informer
	 */
	SharedIndexInformer<V1Pod> pods(Duration resync) {
		return informer(V1Pod.class, V1PodList.class, "pods", resync);
	}

	SharedIndexInformer<V1Node> nodes() {
		return informer(V1Node.class, V1NodeList.class, "nodes", Duration.ZERO);
	}

	private <T extends KubernetesObject, L extends KubernetesListObject> SharedIndexInformer<T> informer(
			Class<T> objectClass, Class<L> listClass, String plural, Duration resync) {
		SharedIndexInformer<T> informer = switch (this.implementation) {
			case OFFICIAL -> this.official.sharedIndexInformerFor(
					new GenericKubernetesApi<>(objectClass, listClass, "", "v1", plural, this.client), objectClass,
					resync.toMillis());
			case OURS -> this.ours.informer(objectClass);
		};
		this.made.add(informer);
		return informer;
	}

	@Override
	public void close() {
		this.made.forEach(SharedIndexInformer::stop);
		this.ours.close();
		this.client.getHttpClient().dispatcher().executorService().shutdown();
		this.client.getHttpClient().connectionPool().evictAll();
		await().untilAsserted(() -> assertThat(EngineTestSupport.engineThreads()).isEmpty());
		await().until(() -> this.api.openWatches() == 0);
	}

	enum Implementation {

		OFFICIAL, OURS

	}

}
