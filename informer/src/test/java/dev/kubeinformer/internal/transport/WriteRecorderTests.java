package dev.kubeinformer.internal.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.util.PatchUtils;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Writes by a client of the application are recorded for the run of the thread.
 */
class WriteRecorderTests {

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final WriteRecorder recorder = new WriteRecorder(new ModelJson(new JsonMappers(false)));

	private final ApiClient client = new ApiClient(new OkHttpClient());

	private final CoreV1Api core = new CoreV1Api(this.client);

	private final RunCalls calls = new RunCalls(Fence.NONE);

	private final List<RecordedWrite> writes = new ArrayList<>();

	@BeforeEach
	void start() {
		this.client.setBasePath(this.api.url());
		this.recorder.install(this.client);
		this.recorder.install(this.client);
		this.recorder.bind(this.calls, this.writes::add, WarningSink.NONE);
	}

	@AfterEach
	void stop() {
		this.recorder.unbind();
		this.api.close();
	}

	@Test
	void clientIsInstalledOnce() {
		assertThat(this.client.getHttpClient().interceptors()).hasSize(1);
	}

	@Test
	void eachKindOfWriteIsRecordedAndTheCallerGetsTheWholeAnswer() throws Exception {
		V1ConfigMap map = new V1ConfigMap()
			.metadata(new V1ObjectMeta().namespace("shop").name("child").labels(Map.of("a", "b")))
			.data(Map.of("key", "x".repeat(100_000)));
		V1ConfigMap created = this.core.createNamespacedConfigMap("shop", map).execute();
		assertThat(created.getData()).isEqualTo(map.getData());
		created.getData().put("key", "short");
		V1ConfigMap replaced = this.core.replaceNamespacedConfigMap("child", "shop", created).execute();
		V1ConfigMap patched = PatchUtils.patch(V1ConfigMap.class,
				() -> this.core
					.patchNamespacedConfigMap("child", "shop", new V1Patch("[{\"op\":\"remove\",\"path\":\"/data\"}]"))
					.buildCall(null),
				V1Patch.PATCH_FORMAT_JSON_PATCH, this.client);
		this.core.readNamespacedConfigMap("child", "shop").execute();
		this.core.deleteNamespacedConfigMap("child", "shop").execute();
		assertThat(this.writes).extracting(RecordedWrite::plural).containsOnly("configmaps");
		assertThat(this.writes).extracting(RecordedWrite::deletion).containsExactly(false, false, false, true);
		assertThat(this.writes.subList(0, 3)).extracting((write) -> write.object().getMetadata().getResourceVersion())
			.containsExactly(created.getMetadata().getResourceVersion(), replaced.getMetadata().getResourceVersion(),
					patched.getMetadata().getResourceVersion());
		assertThat(this.writes).allSatisfy((write) -> {
			assertThat(write.object().getMetadata().getNamespace()).isEqualTo("shop");
			assertThat(write.object().getMetadata().getName()).isEqualTo("child");
			assertThat(write.object().getMetadata().getUid()).isEqualTo(created.getMetadata().getUid());
		});
		assertThat(this.writes.get(0).object().getMetadata().getLabels()).isEqualTo(Map.of("a", "b"));
	}

	@Test
	void createOfARunWhoseAnswerIsLostIsNotSentTwice() throws Exception {
		V1ConfigMap map = new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").generateName("child-"));
		this.core.listNamespacedConfigMap("shop").execute();
		this.api.clearRequests();
		this.api.faults().on(Requests.create("configmaps")).times(1).cut();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.core.createNamespacedConfigMap("shop", map).execute());
		assertThat(this.api.requests()).hasSize(1);
	}

	@Test
	void dryRunsFailuresAndOtherThreadsAreNotRecorded() throws Exception {
		V1ConfigMap map = new V1ConfigMap().metadata(new V1ObjectMeta().namespace("shop").name("child"));
		this.core.createNamespacedConfigMap("shop", map).dryRun("All").execute();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.core.deleteNamespacedConfigMap("missing", "shop").execute());
		this.recorder.unbind();
		this.core.createNamespacedConfigMap("shop", map).execute();
		assertThat(this.writes).isEmpty();
	}

	@Test
	void requestsOfACancelledRunAreRefused() throws Exception {
		this.calls.cancel();
		assertThatExceptionOfType(ApiException.class)
			.isThrownBy(() -> this.core.readNamespacedConfigMap("child", "shop").execute())
			.withStackTraceContaining("the run has timed out or was stopped");
		assertThat(this.api.requests()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "/api/v1/namespaces/shop/configmaps/child,'',configmaps,shop,child",
			"/api/v1/namespaces/shop,'',namespaces,'',shop", "/api/v1/namespaces/shop/status,'',namespaces,'',shop",
			"/apis/apps/v1/namespaces/shop/deployments/api/status,apps,deployments,shop,api",
			"/apis/apps/v1/namespaces/apis/deployments,apps,deployments,apis,''",
			"/api/v1/namespaces/apis/pods/x,'',pods,apis,x", "/api/v1/nodes/n,'',nodes,'',n",
			"/k8s/clusters/c-1/apis/example.com/v1/widgets/w,example.com,widgets,'',w" })
	void pathNamesTheObject(String path, String group, String plural, String namespace, String name) {
		assertThat(RequestedObject.of(HttpUrl.get("https://server" + path)))
			.isEqualTo(new RequestedObject(group, plural, namespace, name, path.endsWith("/status") ? "/status" : ""));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/", "/api", "/api/v1", "/apis/apps/v1", "/version", "/api/v1/namespaces/shop/pods/x/eviction",
					"/api/v1/namespaces/shop/serviceaccounts/x/token", "/api/v1/namespaces/shop/pods/x/proxy/a/b" })
	void otherPathsNameNone(String path) {
		assertThat(RequestedObject.of(HttpUrl.get("https://server" + path))).isNull();
	}

}
