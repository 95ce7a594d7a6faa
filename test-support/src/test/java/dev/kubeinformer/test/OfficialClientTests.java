package dev.kubeinformer.test;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.util.CallGeneratorParams;
import okhttp3.Call;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

class OfficialClientTests {

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private ApiClient client;

	private CoreV1Api core;

	@BeforeEach
	void setUp() {
		this.client = new ApiClient();
		this.client.setBasePath(this.api.url());
		this.client.setReadTimeout(0);
		this.core = new CoreV1Api(this.client);
	}

	@AfterEach
	void tearDown() {
		this.client.getHttpClient().dispatcher().executorService().shutdown();
		this.client.getHttpClient().connectionPool().evictAll();
		this.api.close();
	}

	@Test
	void clientWhenWritingShouldReadBackWhatIsStored() throws ApiException {
		V1ConfigMap created = this.core.createNamespacedConfigMap("default", TestObjects.configMap("a", "1")).execute();
		assertThat(created.getMetadata().getResourceVersion()).isEqualTo(this.api.resourceVersion());
		created.setData(Map.of("value", "2"));
		V1ConfigMap updated = this.core.replaceNamespacedConfigMap("a", "default", created).execute();
		assertThat(updated).isEqualTo(this.core.readNamespacedConfigMap("a", "default").execute());
		assertThat(updated.getData()).containsEntry("value", "2");
		assertThat(this.core.listConfigMapForAllNamespaces().execute().getItems()).hasSize(1);
		this.core.deleteNamespacedConfigMap("a", "default").execute();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.core.readNamespacedConfigMap("a", "default").execute())
			.satisfies((ex) -> assertThat(ex.getCode()).isEqualTo(404));
	}

	@Test
	void informerWhenServerRestartsShouldFollow() {
		ApiResources<V1ConfigMap> configMaps = this.api.resources(V1ConfigMap.class);
		configMaps.create(TestObjects.configMap("a", "1"));
		SharedInformerFactory factory = new SharedInformerFactory(this.client);
		try {
			SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(this::configMapsCall,
					V1ConfigMap.class, V1ConfigMapList.class);
			CountingHandler handler = new CountingHandler();
			informer.addEventHandler(handler);
			factory.startAllRegisteredInformers();
			await().until(() -> informer.hasSynced() && handler.added.get() == 1);
			await().until(() -> this.api.openWatches() == 1);
			configMaps.update(TestObjects.configMap("a", "2"));
			configMaps.create(TestObjects.configMap("b", "1"));
			configMaps.delete("a");
			await().until(() -> handler.added.get() == 2 && handler.updated.get() == 1 && handler.deleted.get() == 1);
			this.api.restart();
			configMaps.create(TestObjects.configMap("c", "1"));
			await().atMost(Duration.ofSeconds(20)).until(() -> handler.added.get() == 3);
			assertThat(informer.getIndexer().listKeys()).containsExactlyInAnyOrder("default/b", "default/c");
		}
		finally {
			factory.stopAllRegisteredInformers();
		}
		await().atMost(Duration.ofSeconds(20)).until(() -> this.api.openWatches() == 0);
	}

	private Call configMapsCall(CallGeneratorParams params) {
		try {
			return this.core.listNamespacedConfigMap("default")
				.resourceVersion(params.resourceVersion)
				.timeoutSeconds(params.timeoutSeconds)
				.watch(params.watch)
				.buildCall(null);
		}
		catch (ApiException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Counts the events that it gets.
	 */
	private static final class CountingHandler implements ResourceEventHandler<V1ConfigMap> {

		private final AtomicInteger added = new AtomicInteger();

		private final AtomicInteger updated = new AtomicInteger();

		private final AtomicInteger deleted = new AtomicInteger();

		@Override
		public void onAdd(V1ConfigMap object) {
			this.added.incrementAndGet();
		}

		@Override
		public void onUpdate(V1ConfigMap before, V1ConfigMap after) {
			this.updated.incrementAndGet();
		}

		@Override
		public void onDelete(V1ConfigMap object, boolean finalStateUnknown) {
			this.deleted.incrementAndGet();
		}

	}

}
