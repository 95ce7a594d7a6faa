package dev.kubeinformer.test;

import java.util.Map;
import java.util.function.Consumer;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.BatchV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1JobSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaim;
import io.kubernetes.client.openapi.models.V1PersistentVolumeClaimSpec;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSecurityContext;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServicePort;
import io.kubernetes.client.openapi.models.V1ServiceSpec;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V1StatefulSetSpec;
import io.kubernetes.client.openapi.models.V1VolumeResourceRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that objects which the official client has read can be written back. Its models
 * start with empty lists and maps, which Go omits.
 */
class OfficialModelTests {

	private static final String NAMESPACE = "default";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.start();

	private final ApiClient client = new ApiClient().setBasePath(this.api.url());

	private final CoreV1Api core = new CoreV1Api(this.client);

	private final AppsV1Api apps = new AppsV1Api(this.client);

	@AfterEach
	void tearDown() {
		this.api.close();
	}

	@Test
	void podThatWasReadShouldBeWrittenBack() throws ApiException {
		this.core.createNamespacedPod(NAMESPACE, new V1Pod().metadata(metadata()).spec(pod())).execute();
		V1Pod read = this.core.readNamespacedPod("a", NAMESPACE).execute();
		assertUnchanged(read.getMetadata(),
				this.core.replaceNamespacedPod("a", NAMESPACE, read).execute().getMetadata());
		read.getSpec().securityContext(new V1PodSecurityContext());
		read.getMetadata().putLabelsItem("b", "c");
		this.core.replaceNamespacedPod("a", NAMESPACE, read).execute();
	}

	@Test
	void workloadsThatWereReadShouldBeWrittenBack() throws ApiException {
		this.apps
			.createNamespacedDeployment(NAMESPACE,
					new V1Deployment().metadata(metadata())
						.spec(new V1DeploymentSpec().selector(selector()).template(template())))
			.execute();
		V1Deployment deployment = this.apps.readNamespacedDeployment("a", NAMESPACE).execute();
		assertUnchanged(deployment.getMetadata(),
				this.apps.replaceNamespacedDeployment("a", NAMESPACE, deployment).execute().getMetadata());
		this.apps
			.createNamespacedStatefulSet(NAMESPACE,
					new V1StatefulSet().metadata(metadata())
						.spec(new V1StatefulSetSpec().selector(selector())
							.template(template())
							.addVolumeClaimTemplatesItem(claim())))
			.execute();
		V1StatefulSet set = this.apps.readNamespacedStatefulSet("a", NAMESPACE).execute();
		assertUnchanged(set.getMetadata(),
				this.apps.replaceNamespacedStatefulSet("a", NAMESPACE, set).execute().getMetadata());
		BatchV1Api batch = new BatchV1Api(this.client);
		batch
			.createNamespacedJob(NAMESPACE,
					new V1Job().metadata(metadata())
						.spec(new V1JobSpec().template(new V1PodTemplateSpec().spec(pod().restartPolicy("Never")))))
			.execute();
		V1Job job = batch.readNamespacedJob("a", NAMESPACE).execute();
		assertUnchanged(job.getMetadata(), batch.replaceNamespacedJob("a", NAMESPACE, job).execute().getMetadata());
	}

	@Test
	void serviceShouldKeepItsAddressesIfAClientSendsTheFirstOnly() throws ApiException {
		V1Service wanted = service((spec) -> {
		});
		V1Service created = this.core.createNamespacedService(NAMESPACE, wanted).execute();
		V1Service again = service((spec) -> spec.clusterIP(created.getSpec().getClusterIP()));
		V1Service replaced = this.core.replaceNamespacedService("a", NAMESPACE, again).execute();
		assertThat(replaced.getSpec().getClusterIPs()).isEqualTo(created.getSpec().getClusterIPs());
		assertThat(created.getSpec().getIpFamilies()).isNotEmpty();
		this.core.deleteNamespacedService("a", NAMESPACE).execute();
		this.core.createNamespacedService(NAMESPACE, service((spec) -> spec.clusterIP("None"))).execute();
		this.core.replaceNamespacedService("a", NAMESPACE, service((spec) -> spec.clusterIP("None"))).execute();
	}

	@Test
	void claimThatWasReadShouldBeWrittenBack() throws ApiException {
		this.core.createNamespacedPersistentVolumeClaim(NAMESPACE, claim().metadata(metadata())).execute();
		V1PersistentVolumeClaim read = this.core.readNamespacedPersistentVolumeClaim("a", NAMESPACE).execute();
		assertUnchanged(read.getMetadata(),
				this.core.replaceNamespacedPersistentVolumeClaim("a", NAMESPACE, read).execute().getMetadata());
	}

	@Test
	void clientShouldNotBeBlamedForWhatATestHasStored() throws ApiException {
		V1Pod stored = new V1Pod().metadata(metadata().addFinalizersItem("example.com/cleanup"))
			.spec(new V1PodSpec().addContainersItem(new V1Container().name("web")));
		this.api.resources(V1Pod.class).create(stored);
		V1Pod read = this.core.readNamespacedPod("a", NAMESPACE).execute();
		read.getMetadata().finalizers(null);
		assertThat(this.core.replaceNamespacedPod("a", NAMESPACE, read).execute().getMetadata().getFinalizers())
			.isNullOrEmpty();
	}

	@Test
	void objectWithoutASpecificationShouldStayReadable() throws ApiException {
		this.api.resources(V1Pod.class).create(new V1Pod().metadata(metadata()));
		V1Pod pod = this.core.readNamespacedPod("a", NAMESPACE).execute();
		pod.getMetadata().putLabelsItem("b", "c");
		assertThat(this.core.replaceNamespacedPod("a", NAMESPACE, pod).execute().getMetadata().getLabels())
			.containsEntry("b", "c");
		this.api.resources(V1Deployment.class).create(new V1Deployment().metadata(metadata()));
		V1Deployment deployment = this.apps.readNamespacedDeployment("a", NAMESPACE).execute();
		deployment.getMetadata().putLabelsItem("b", "c");
		assertThat(
				this.apps.replaceNamespacedDeployment("a", NAMESPACE, deployment).execute().getMetadata().getLabels())
			.containsEntry("b", "c");
	}

	private static void assertUnchanged(V1ObjectMeta before, V1ObjectMeta after) {
		assertThat(after.getResourceVersion()).isEqualTo(before.getResourceVersion());
	}

	private static V1ObjectMeta metadata() {
		return new V1ObjectMeta().namespace(NAMESPACE).name("a");
	}

	private static V1LabelSelector selector() {
		return new V1LabelSelector().matchLabels(Map.of("app", "web"));
	}

	private static V1PodTemplateSpec template() {
		return new V1PodTemplateSpec().metadata(new V1ObjectMeta().labels(Map.of("app", "web"))).spec(pod());
	}

	private static V1PodSpec pod() {
		V1PodSpec spec = new V1PodSpec().addContainersItem(new V1Container().name("web").image("nginx"));
		spec.setOverhead(null);
		return spec;
	}

	private static V1PersistentVolumeClaim claim() {
		return new V1PersistentVolumeClaim().metadata(new V1ObjectMeta().name("data"))
			.spec(new V1PersistentVolumeClaimSpec().addAccessModesItem("ReadWriteOnce")
				.resources(new V1VolumeResourceRequirements().requests(Map.of("storage", new Quantity("1Gi")))));
	}

	private static V1Service service(Consumer<V1ServiceSpec> change) {
		V1ServiceSpec spec = new V1ServiceSpec().addPortsItem(new V1ServicePort().port(80));
		change.accept(spec);
		return new V1Service().metadata(metadata()).spec(spec);
	}

}
