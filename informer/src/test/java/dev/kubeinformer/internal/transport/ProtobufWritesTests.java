package dev.kubeinformer.internal.transport;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Secret;
import okhttp3.OkHttpClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.kubeinformer.internal.codec.json.JsonMappers;
import dev.kubeinformer.internal.codec.json.ModelJson;
import dev.kubeinformer.internal.http.WarningSink;
import dev.kubeinformer.internal.transport.ApiConnections.Deadlines;
import dev.kubeinformer.internal.transport.ApiWrites.Caller;
import dev.kubeinformer.internal.transport.ApiWrites.ManagedObject;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.test.EmbeddedKubernetes;
import dev.kubeinformer.test.Requests;
import dev.kubeinformer.types.ObjectKey;
import dev.kubeinformer.types.Problem;
import dev.kubeinformer.types.WriteFailedException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Applies to built-in resources are answered in protobuf, with the same meaning. */
class ProtobufWritesTests {

	private static final ResourceType<V1ConfigMap> MAPS = ResourceType.of(V1ConfigMap.class);

	private static final ObjectKey KEY = new ObjectKey("shop", "child");

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf,application/json";

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder().namespacesMustExist(false).start();

	private final ModelJson json = new ModelJson(new JsonMappers(false));

	private final Caller caller = new Caller("tester", new RunCalls(Fence.NONE));

	private final ApiWrites plain = writes(false);

	private final ApiWrites compact = writes(true);

	private ApiWrites writes(boolean protobuf) {
		ApiClient client = new ApiClient(new OkHttpClient());
		client.setBasePath(this.api.url());
		Duration deadline = Duration.ofSeconds(60);
		Deadlines deadlines = new Deadlines(deadline, deadline, deadline, deadline, deadline);
		return new ApiWrites(new ApiConnections(client, deadlines, System::nanoTime), this.json, WarningSink.NONE,
				(type) -> protobuf);
	}

	@AfterEach
	void stop() {
		this.api.close();
	}

	private V1ConfigMap apply(ApiWrites through, String label) throws ApiException {
		return through.apply(MAPS, KEY, body(label), this.caller);
	}

	private byte[] body(String label) {
		V1ConfigMap map = new V1ConfigMap().apiVersion("v1")
			.kind("ConfigMap")
			.metadata(new V1ObjectMeta().name("child")
				.namespace("shop")
				.putLabelsItem("app", label)
				.addOwnerReferencesItem(new V1OwnerReference().apiVersion("v1").kind("Pod").name("p").uid("u")))
			.data(Map.of("password", "hunter2"))
			.putBinaryDataItem("b", new byte[] { 1, 2 });
		return this.json.write(this.json.tree(map));
	}

	private List<@Nullable String> accepted() {
		List<@Nullable String> accepted = this.api.requests().stream().map((each) -> each.header("Accept")).toList();
		this.api.clearRequests();
		return accepted;
	}

	@Test
	void answerIsTheSameAsInJson() throws Exception {
		V1ConfigMap fromJson = apply(this.plain, "a");
		assertThat(accepted()).containsExactly("application/json");
		V1ConfigMap read = apply(this.compact, "a");
		assertThat(accepted()).containsExactly(PROTOBUF);
		assertThat(this.json.tree(read)).isEqualTo(this.json.tree(fromJson));
		assertThat(read.getMetadata().getManagedFields()).isNullOrEmpty();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> read.getData().clear());
	}

	@Test
	void newObjectHasNoOtherFieldManagers() throws Exception {
		ManagedObject<V1ConfigMap> applied = this.compact.applyWithManagers(MAPS, KEY, body("a"), true, this.caller);
		assertThat(accepted()).containsExactly(PROTOBUF);
		assertThat(applied.managedFields()).isEmpty();
		assertThat(applied.object().getData()).containsKey("password");
	}

	@Test
	void fieldManagersOfAnUnexpectedObjectAreReadInJson() throws Exception {
		this.compact.create(MAPS, "shop", body("a"), this.caller);
		this.api.faults()
			.on(Requests.patch("configmaps"))
			.times(1)
			.body(200, "application/vnd.kubernetes.protobuf", "k8s\0\n\4\n\2v1\22\1");
		accepted();
		assertThat(operations("b")).containsExactlyInAnyOrder("Apply", "Update");
		assertThat(accepted()).containsExactly(PROTOBUF, "application/json");
	}

	@Test
	void fieldManagersAreReadFromTheFirstResponseIfItIsInJson() throws Exception {
		this.compact.create(MAPS, "shop", body("a"), this.caller);
		accepted();
		assertThat(operations("b")).containsExactlyInAnyOrder("Apply", "Update");
		assertThat(accepted()).containsExactly(PROTOBUF);
	}

	private List<String> operations(String label) throws ApiException {
		ManagedObject<V1ConfigMap> applied = this.compact.applyWithManagers(MAPS, KEY, body(label), true, this.caller);
		assertThat(applied.object().getMetadata().getLabels()).containsEntry("app", label);
		return applied.managedFields()
			.stream()
			.map((entry) -> String.valueOf(((Map<?, ?>) entry).get("operation")))
			.toList();
	}

	@Test
	void writesThatCannotBeRepeatedAskForJson() throws Exception {
		byte[] body = this.json.write(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("name", "child", "namespace", "shop")));
		this.compact.create(MAPS, "shop", body, this.caller);
		this.compact.patch(MAPS, KEY, "application/merge-patch+json", "{}".getBytes(StandardCharsets.UTF_8),
				this.caller);
		assertThat(this.compact.get(MAPS, KEY, this.caller)).isNotNull();
		assertThat(accepted()).hasSize(3).containsOnly("application/json");
	}

	@Test
	void refusalIsTheSameAsInJson() {
		byte[] body = this.json.write(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("name", "another", "namespace", "shop")));
		WriteFailedException fromJson = catchThrowableOfType(WriteFailedException.class,
				() -> this.plain.apply(MAPS, KEY, body, this.caller));
		WriteFailedException read = catchThrowableOfType(WriteFailedException.class,
				() -> this.compact.apply(MAPS, KEY, body, this.caller));
		assertThat(accepted()).containsExactly("application/json", PROTOBUF);
		assertThat(read).hasMessage(fromJson.getMessage()).hasMessageContaining("HTTP 400 BadRequest");
		assertThat(read.getWrite()).isEqualTo(fromJson.getWrite());
		assertThat(read.isRejected()).isEqualTo(fromJson.isRejected());
		assertThat(JsonParser.parseString(read.getResponseBody()))
			.isEqualTo(JsonParser.parseString(fromJson.getResponseBody()));
		assertThat(this.compact.failure(read).problem()).isEqualTo(this.plain.failure(fromJson).problem());
	}

	@Test
	void resourceOfWhichAnAnswerCannotBeReadIsAskedForInJson() throws Exception {
		this.api.faults()
			.on(Requests.patch("configmaps"))
			.times(1)
			.body(200, "application/vnd.kubernetes.protobuf", "k8s\0\n\4\n\2v1\22\1");
		ApiException malformed = catchThrowableOfType(ApiException.class, () -> apply(this.compact, "a"));
		assertThat(this.compact.failure(malformed).problem()).isEqualTo(Problem.MALFORMED);
		assertThat(apply(this.compact, "a").getData()).containsKey("password");
		assertThat(accepted()).containsExactly(PROTOBUF, "application/json");
		byte[] body = this.json.write(
				Map.of("apiVersion", "v1", "kind", "Secret", "metadata", Map.of("name", "child", "namespace", "shop")));
		this.compact.apply(ResourceType.of(V1Secret.class), KEY, body, this.caller);
		assertThat(accepted()).as("of another resource").containsExactly(PROTOBUF);
	}

}
