package dev.kubeinformer;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.kubeinformer.informer.Informer;
import dev.kubeinformer.informer.InformerSpec;
import dev.kubeinformer.resource.Metadata;
import dev.kubeinformer.test.RequiresCluster;
import dev.kubeinformer.types.ListMode;
import dev.kubeinformer.types.MetadataMode;
import dev.kubeinformer.types.WireEncoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Informers on metadata and a real kube-apiserver: built-in and custom resources, with
 * and without a class.
 */
@Tag("slow")
@RequiresCluster
class MetadataClusterTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final String suffix = UUID.randomUUID().toString().substring(0, 8);

	private final String namespace = "informer-metadata-" + this.suffix;

	private final String group = "g" + this.suffix + ".example.com";

	private ApiClient admin;

	private CoreV1Api core;

	private Gears gears;

	@BeforeEach
	void connect(Path kubeconfig) throws Exception {
		this.admin = ClusterSupport.client(kubeconfig);
		this.core = new CoreV1Api(this.admin);
		this.core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(this.namespace))).execute();
		this.gears = new Gears(this.admin, this.group, this.namespace);
	}

	@AfterEach
	void remove() throws Exception {
		this.core.deleteNamespace(this.namespace).execute();
		this.gears.remove();
	}

	@ParameterizedTest
	@CsvSource({ "PAGED,PROTOBUF", "PAGED,JSON", "AUTO,PROTOBUF", "AUTO,JSON" })
	void metadataShouldBeThatOfTheObjects(ListMode mode, WireEncoding encoding) throws Exception {
		createMap("a");
		createMap("b");
		this.core
			.createNamespacedSecret(this.namespace,
					new V1Secret().metadata(new V1ObjectMeta().name("s")).putStringDataItem("password", "p"))
			.execute();
		try (Informers informers = Informers.builder(this.admin)
			.listMode(mode)
			.pageSize(1)
			.protobuf(encoding == WireEncoding.PROTOBUF)
			.build()) {
			Informer<Metadata<V1ConfigMap>> maps = informers
				.informer(InformerSpec.metadata(V1ConfigMap.class).withNamespaces(this.namespace));
			Informer<Metadata<V1Secret>> secrets = informers
				.informer(InformerSpec.metadata(V1Secret.class).withNamespaces(this.namespace));
			Informer<Metadata<DynamicKubernetesObject>> gears = informers
				.informer(InformerSpec.metadata(this.group, "v1", Gears.PLURAL, true).withNamespaces(this.namespace));
			informers.start();
			for (Informer<? extends KubernetesObject> each : List.of(maps, secrets, gears)) {
				assertThat(each.awaitSync(LONG)).isTrue();
				await().atMost(LONG).until(() -> each.status().watch().everWatched());
			}
			createMap("c");
			this.gears.create("second");
			this.core.deleteNamespacedConfigMap("a", this.namespace).execute();
			await().atMost(LONG)
				.until(() -> maps.lister().namespace(this.namespace).get("c") != null
						&& maps.lister().namespace(this.namespace).get("a") == null
						&& gears.lister().list().size() == 2);
			for (Informer<? extends KubernetesObject> each : List.of(maps, secrets, gears)) {
				assertThat(each.status().metadata()).isEqualTo(MetadataMode.SERVER);
				assertThat(each.status().encoding()).isEqualTo(encoding);
				assertThat(each.status().cache().quarantined()).isZero();
			}
			for (V1ConfigMap present : this.core.listNamespacedConfigMap(this.namespace).execute().getItems()) {
				assertThat(maps.lister().namespace(this.namespace).get(present.getMetadata().getName()).getMetadata())
					.usingRecursiveComparison()
					.isEqualTo(present.getMetadata().managedFields(List.of()));
			}
			assertThat(maps.lister().list()).extracting(Metadata::getKind).containsOnly("ConfigMap");
			assertThat(secrets.lister().list()).extracting(Metadata::toString)
				.contains("Secret %s/s".formatted(this.namespace));
			assertThat(gears.lister().list()).allSatisfy((gear) -> {
				assertThat(gear.getKind()).isEqualTo("Gear");
				assertThat(gear.getApiVersion()).isEqualTo(this.group + "/v1");
				assertThat(gear.getMetadata().getLabels()).containsEntry("of", "gears");
			});
		}
	}

	private void createMap(String name) throws Exception {
		this.core
			.createNamespacedConfigMap(this.namespace,
					new V1ConfigMap().metadata(new V1ObjectMeta().name(name).putAnnotationsItem("note", "n"))
						.putDataItem("k", "v"))
			.execute();
	}

}
