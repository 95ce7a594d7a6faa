package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1OwnerReference;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.kubeinformer.fixtures.CustomObject;
import dev.kubeinformer.internal.codec.ApiStatus;
import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.ObjectMetadata;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;
import dev.kubeinformer.types.WatchEventType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class JsonCodecTests {

	private static final String POD = """
			{"metadata": {"name": "web-1", "namespace": "blog", "uid": "u1", "resourceVersion": "7",
			  "creationTimestamp": "2026-01-02T03:04:05Z", "labels": {"app": "web", "tier": null},
			  "managedFields": [{"manager": "kubelet"}], "fieldOfTomorrow": {"a": [1, {"b": 2}]}},
			 "spec": {"containers": [{"name": "app", "image": "web:1", "ports": [{"containerPort": 80}],
			   "resources": {"limits": {"memory": "512Mi", "cpu": 2}},
			   "livenessProbe": {"httpGet": {"port": "http"}, "tcpSocket": {"port": 8080}}}]},
			 "status": {"phase": "Running", "podIPs": null}}""";

	private final JsonMappers mappers = new JsonMappers(false);

	private final JsonCodec<V1Pod> pods = new JsonCodec<>(ResourceType.of(V1Pod.class), this.mappers);

	@Test
	void itemIsDecodedIntoTheOfficialModel() throws IOException {
		V1Pod pod = only(list(POD));
		assertThat(pod.getMetadata().getName()).isEqualTo("web-1");
		assertThat(pod.getMetadata().getCreationTimestamp()).isEqualTo(OffsetDateTime.parse("2026-01-02T03:04:05Z"));
		assertThat(pod.getSpec().getContainers().get(0).getResources().getLimits())
			.containsEntry("memory", Quantity.fromString("512Mi"))
			.containsEntry("cpu", Quantity.fromString("2"));
		assertThat(pod.getSpec().getContainers().get(0).getLivenessProbe().getHttpGet().getPort())
			.isEqualTo(new IntOrString("http"));
		assertThat(pod.getSpec().getContainers().get(0).getLivenessProbe().getTcpSocket().getPort())
			.isEqualTo(new IntOrString(8080));
		assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
	}

	@Test
	void itemEqualsWhatTheOfficialClientReads() throws IOException {
		String known = POD.replace(", \"fieldOfTomorrow\": {\"a\": [1, {\"b\": 2}]}", "")
			.replace("\"tier\": null", "\"tier\": \"\"");
		V1Pod official = JSON.deserialize(known, V1Pod.class);
		V1Pod ours = only(list(known));
		assertThat(ours).isEqualTo(official.apiVersion("v1").kind("Pod"));
	}

	@Test
	void itemGetsTheKindThatTheListImplies() throws IOException {
		V1Pod pod = only(list(POD));
		assertThat(pod.getKind()).isEqualTo("Pod");
		assertThat(pod.getApiVersion()).isEqualTo("v1");
	}

	@Test
	void managedFieldsAreSkippedUnlessKept() throws IOException {
		assertThat(only(list(POD)).getMetadata().getManagedFields()).isEmpty();
		JsonCodec<V1Pod> keeping = new JsonCodec<>(ResourceType.of(V1Pod.class), new JsonMappers(true));
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		keeping.readList(stream(list(POD)), items::add);
		assertThat(items.get(0).object().getMetadata().getManagedFields()).hasSize(1);
	}

	@Test
	void collectionsAreUnmodifiableAndAcceptNulls() throws IOException {
		V1Pod pod = only(list(POD));
		Map<String, String> labels = pod.getMetadata().getLabels();
		assertThat(labels).containsEntry("tier", null).containsKey("app");
		assertThat(labels.containsKey(null)).isFalse();
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> labels.put("a", "b"));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> pod.getSpec().getContainers().add(null));
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> pod.getSpec().getContainers().get(0).getPorts().clear());
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> pod.getSpec().getVolumes().add(null));
	}

	@Test
	void objectsMayBeDecodedToBeChanged() throws IOException {
		JsonMappers modifiable = this.mappers.modifiable();
		assertThat(this.mappers.modifiable()).isSameAs(modifiable);
		JsonCodec<V1Pod> codec = new JsonCodec<>(ResourceType.of(V1Pod.class), modifiable);
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		codec.readList(stream(list(POD)), items::add);
		V1Pod pod = items.get(0).object();
		assertThat(pod).isEqualTo(only(list(POD)));
		pod.getMetadata().getLabels().put("a", "b");
		pod.getSpec().getContainers().get(0).getPorts().clear();
		pod.getSpec().getVolumes().add(null);
		assertThat(only(list(POD)).getSpec().getVolumes()).isEmpty();
	}

	@Test
	void bytesAreDecodedFromBase64() throws IOException {
		JsonCodec<V1Secret> secrets = new JsonCodec<>(ResourceType.of(V1Secret.class), this.mappers);
		List<DecodedObject<V1Secret>> items = new ArrayList<>();
		secrets.readList(stream("{\"kind\": \"SecretList\", \"items\": [{\"metadata\": {\"name\": \"s\"}, "
				+ "\"data\": {\"a\": \"aGk=\", \"b\": \"\"}}]}"), items::add);
		assertThat(items.get(0).object().getData().get("a")).isEqualTo("hi".getBytes(StandardCharsets.UTF_8));
		assertThat(items.get(0).object().getData().get("b")).isEmpty();
	}

	@Test
	void listHeaderIsReadWhereverItStands() throws IOException {
		String items = "\"items\": [" + POD + "]";
		String metadata = "\"metadata\": {\"resourceVersion\": \"41\", \"continue\": \"next\", \"remainingItemCount\": 5}";
		for (String body : List.of("{\"kind\": \"PodList\", " + metadata + ", " + items + "}",
				"{" + items + ", " + metadata + ", \"kind\": \"PodList\"}")) {
			List<DecodedObject<V1Pod>> found = new ArrayList<>();
			assertThat(this.pods.readList(stream(body), found::add)).isEqualTo(new ListHeader("41", "next"));
			assertThat(found).hasSize(1);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"kind\": \"PodList\", \"items\": null}", "{\"kind\": \"PodList\", \"items\": []}" })
	void emptyListHasNoItems(String body) throws IOException {
		List<DecodedObject<V1Pod>> found = new ArrayList<>();
		this.pods.readList(stream(body), found::add);
		assertThat(found).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "<html>login</html>", "[]", "\"x\"", "{\"kind\": \"Table\", \"rows\": []}",
			"{\"kind\": \"PodList\"}", "{\"kind\": \"PodList\", \"items\": [{\"metadata\": {\"name\": \"a\"}}, ",
			"{\"kind\": \"PodList\", \"items\": [{\"metadata\": {\"name\": \"a\"}}]",
			"{\"kind\": \"PodList\", \"items\": [{]}", "{\"kind\": \"PartialObjectMetadataList\", \"items\": []}",
			"{\"kind\": \"PodList\", \"items\": {}}" })
	void answerThatIsNoListIsRefusedAsAWhole(String body) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> this.pods.readList(stream(body), (item) -> {
			}));
	}

	@Test
	void brokenConnectionIsNotTakenForABadAnswer() {
		InputStream broken = new InputStream() {

			@Override
			public int read() throws IOException {
				throw new IOException("reset");
			}

		};
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.pods.readList(broken, (item) -> {
		})).isNotInstanceOf(MalformedResponseException.class).withMessage("reset");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{\"metadata\": {METADATA}, \"spec\": \"secret text\"} | spec",
			"{\"spec\": {\"containers\": [{\"name\": \"a\"}, {\"ports\": {\"a\": [{}]}}]}, \"metadata\": {METADATA}} | spec.containers[1].ports",
			"{\"spec\": {\"containers\": [{\"livenessProbe\": {\"tcpSocket\": {\"port\": [1]}}}]}, \"metadata\": {METADATA}} | spec.containers[0].livenessProbe.tcpSocket.port",
			"{\"metadata\": {METADATA, \"creationTimestamp\": \"secret text\"}} | metadata.creationTimestamp",
			"{\"metadata\": {METADATA}, \"spec\": {\"priority\": 3000000000}} | spec.priority",
			"{\"metadata\": {METADATA}, \"spec\": {\"priority\": 1.5e20}} | spec.priority",
			"{\"metadata\": {METADATA}, \"spec\": {\"containers\": [{\"resources\": {\"limits\": {\"cpu\": \"secret text\"}}}]}} | spec.containers[0].resources.limits.cpu" })
	void badObjectCostsNoOtherAndIsNamed(String bad, String path) throws IOException {
		String badItem = bad.replace("METADATA",
				"\"name\": \"bad\", \"namespace\": \"blog\", \"uid\": \"u9\", \"resourceVersion\": \"8\"");
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		ListHeader header = this.pods.readList(stream(list(POD + ", " + badItem + ", " + POD)), items::add);
		assertThat(header.resourceVersion()).isEqualTo("41");
		assertThat(items).hasSize(3);
		assertThat(items.get(0).object()).isNotNull().isEqualTo(items.get(2).object());
		assertThat(items.get(1).object()).isNull();
		assertThat(items.get(1).metadata()).isEqualTo(new ObjectMetadata("blog", "bad", "u9", "8"));
		assertThat(items.get(1).problem()).contains("'" + path + "'").doesNotContain("secret text");
	}

	@Test
	void deeplyNestedObjectIsReadOrLeftAlone() throws IOException {
		String deep = "{\"a\":".repeat(3000) + "1" + "}".repeat(3000);
		JsonCodec<Widget> widgets = new JsonCodec<>(ResourceType.of(Widget.class), this.mappers);
		List<DecodedObject<Widget>> items = new ArrayList<>();
		widgets.readList(
				stream("{\"kind\": \"WidgetList\", \"items\": [{\"metadata\": {\"name\": \"deep\"}, \"unknown\": "
						+ deep + ", \"spec-of-it\": {\"any\": " + deep + "}}, {\"metadata\": {\"name\": \"flat\"}}]}"),
				items::add);
		assertThat(items).hasSize(2);
		assertThat(items.get(0).metadata().name()).isEqualTo("deep");
		assertThat(items.get(1).object()).isNotNull();
	}

	@ParameterizedTest
	@ValueSource(ints = { 9_990, 9_997, 9_999, 10_001, 40_000 })
	void objectThatIsTooDeepForAParserIsLeftAloneInAListAndInAnEvent(int depth) throws IOException {
		String deep = "{\"a\":[".repeat(depth / 2) + "\"}]\\\"\"" + "]}".repeat(depth / 2);
		String item = "{\"aa\":%s,\"kind\":\"Pod\",\"metadata\":{\"labels\":%s,\"name\":\"d\\u00e9ep\",\"uid\":\"u\",\"resourceVersion\":\"9\"}}"
			.formatted(deep, deep);
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		String more = IntStream.range(0, 3).mapToObj((i) -> item + " , " + POD).collect(Collectors.joining(","));
		assertThat(this.pods.readList(stream(list(POD + "," + more)), items::add)).isEqualTo(new ListHeader("41", ""));
		assertThat(items).hasSize(7);
		assertThat(items).filteredOn((each) -> each.object() != null).hasSize(4);
		assertThat(items).filteredOn((each) -> each.object() == null)
			.allSatisfy((each) -> assertThat(each.metadata()).isEqualTo(new ObjectMetadata("", "d\u00e9ep", "u", "9")));
		for (String event : List.of("{\"type\":\"DELETED\",\"object\":" + item + "}",
				"{ \"object\" : " + item + ", \"type\" : \"DELETED\" }")) {
			WatchFrame<V1Pod> frame = this.pods.readEvent(bytes(event));
			assertThat(frame.type()).isEqualTo(WatchEventType.DELETED);
			assertThat(frame.object().metadata()).isEqualTo(items.get(1).metadata());
			assertThat(frame.object().problem()).isNotNull();
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> this.pods.readEvent(bytes(event.substring(0, event.length() - 2))));
		}
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> this.pods.readList(stream(list(item).replace("]}]", "]]")), items::add));
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"%s\"", "%s", "%s.5", "1e%s" })
	@Timeout(10)
	void quantityOfAMillionDigitsIsLeftAlone(String form) throws IOException {
		String item = "{\"metadata\":{\"name\":\"big\"},\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"cpu\":%s}}}]}}"
			.formatted(form.formatted("1234567890".repeat(100_000)));
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		this.pods.readList(stream(list(POD + "," + item + "," + POD)), items::add);
		assertThat(items).extracting((each) -> each.object() != null).containsExactly(true, false, true);
		assertThat(items.get(1).metadata().name()).isEqualTo("big");
	}

	@Test
	void quantityMayBeOf64Characters() throws IOException {
		String item = "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"resources\":{\"limits\":{\"cpu\":\"%s\"}}}]}}";
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		this.pods.readList(stream(list(item.formatted("1".repeat(64)) + "," + item.formatted("1".repeat(65)))),
				items::add);
		assertThat(items).extracting((each) -> each.object() != null).containsExactly(true, false);
		assertThat(items.get(1).problem()).contains("resources.limits.cpu");
	}

	@Test
	void listOfAnotherKindIsRefused() {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> this.pods.readList(stream("{\"kind\": \"NodeList\", \"items\": []}"), (item) -> {
			}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "null", "7", "\"text\"", "[1, [2]]", "{}", "{\"metadata\": {\"namespace\": \"blog\"}}" })
	void itemWithoutANameIsUnreadable(String bad) throws IOException {
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		this.pods.readList(stream(list(bad + ", " + POD)), items::add);
		assertThat(items).hasSize(2);
		assertThat(items.get(0).object()).isNull();
		assertThat(items.get(0).metadata().hasName()).isFalse();
		assertThat(items.get(1).object()).isNotNull();
	}

	@Test
	void badObjectIsFoundAgainBehindMegabytesOfOthers() throws IOException {
		StringBuilder body = new StringBuilder();
		String padded = POD.replace("web:1", "w".repeat(5000));
		for (int i = 0; i < 500; i++) {
			body.append(padded).append((i % 2 != 0) ? "," : ",\r\n");
		}
		body.append("{\"metadata\": {\"name\": \"bad\"}, \"spec\": [\"\u00e9\u4e16\"]},").append(POD);
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		this.pods.readList(stream(list(body.toString())), items::add);
		assertThat(items).hasSize(502);
		assertThat(items).filteredOn((item) -> item.object() == null)
			.singleElement()
			.satisfies((item) -> assertThat(item.metadata().name()).isEqualTo("bad"));
	}

	@Test
	void eventIsReadInAnyOrder() throws IOException {
		for (String line : List.of("{\"type\":\"MODIFIED\",\"object\":" + POD + "}",
				"{\"object\":" + POD + ",\"more\":{\"type\":\"x\"},\"type\":\"MODIFIED\"}\r")) {
			WatchFrame<V1Pod> frame = this.pods.readEvent(bytes(line));
			assertThat(frame.type()).isEqualTo(WatchEventType.MODIFIED);
			assertThat(frame.resourceVersion()).isEqualTo("7");
			assertThat(frame.object().object().getMetadata().getName()).isEqualTo("web-1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { ",\"more\":1}", ",\"type\":\"ADDED\"}", "}  ", "}\r" })
	void eventThatOnlyBeginsLikeTheUsualOnesIsReadWithCare(String end) throws IOException {
		WatchFrame<V1Pod> frame = this.pods.readEvent(bytes("{\"type\":\"ADDED\",\"object\":" + POD + end));
		assertThat(frame.type()).isEqualTo(WatchEventType.ADDED);
		assertThat(frame.object().object().getMetadata().getName()).isEqualTo("web-1");
	}

	@Test
	void eventThatIsCutOffIsRefused() {
		String line = "{\"type\":\"ADDED\",\"object\":" + POD + "}";
		for (int length = 1; length < line.length(); length++) {
			String cut = line.substring(0, length);
			assertThatExceptionOfType(MalformedResponseException.class).as(cut)
				.isThrownBy(() -> this.pods.readEvent(bytes(cut)));
		}
	}

	@Test
	void bookmarkHasOnlyAVersion() throws IOException {
		WatchFrame<V1Pod> frame = this.pods.readEvent(bytes("{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\","
				+ "\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"99\"},\"spec\":{\"containers\":null}}}"));
		assertThat(frame.type()).isEqualTo(WatchEventType.BOOKMARK);
		assertThat(frame.resourceVersion()).isEqualTo("99");
		assertThat(frame.initialEventsEnd()).isFalse();
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "false, false", "'', false" })
	void bookmarkEndsInitialEventsOnlyIfItsAnnotationIsTrue(String value, boolean end) throws IOException {
		WatchFrame<V1Pod> frame = this.pods.readEvent(bytes("{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":"
				+ "{\"resourceVersion\":\"99\",\"annotations\":{\"k8s.io/initial-events-end\":\"" + value + "\"}}}}"));
		assertThat(frame.initialEventsEnd()).isEqualTo(end);
	}

	@Test
	void errorEventCarriesItsStatus() throws IOException {
		WatchFrame<V1Pod> frame = this.pods.readEvent(bytes("{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\","
				+ "\"code\":504,\"reason\":\"Timeout\",\"message\":\"m\",\"details\":{\"retryAfterSeconds\":3,"
				+ "\"causes\":[{\"reason\":\"ResourceVersionTooLarge\",\"message\":\"x\"}]}}}"));
		assertThat(frame.status()).isEqualTo(new ApiStatus(504, "Timeout", "m", "ResourceVersionTooLarge:x", 3));
	}

	@Test
	void unreadableObjectOfAnEventKeepsItsIdentity() throws IOException {
		WatchFrame<V1Pod> frame = this.pods.readEvent(bytes("{\"type\":\"DELETED\",\"object\":{\"kind\":\"Pod\","
				+ "\"spec\":[],\"metadata\":{\"name\":\"bad\",\"namespace\":\"blog\",\"resourceVersion\":\"12\"}}}"));
		assertThat(frame.object().object()).isNull();
		assertThat(frame.object().metadata().name()).isEqualTo("bad");
		assertThat(frame.resourceVersion()).isEqualTo("12");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"spec\":[]", "\"spec\":{\"containers\":%s}", "\"metadata\":%s" })
	void unreadableObjectKeepsItsTies(String broken) throws IOException {
		String deep = "[".repeat(3000) + "]".repeat(3000);
		String metadata = """
				{"name":"bad","deletionTimestamp":"2026-11-28T03:00:00Z","finalizers":["a",7,"b"],"labels":{"x":"y"},
				 "ownerReferences":[3,{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","uid":"u7","controller":true},
				 {"kind":"Other","name":"o","uid":"u8","controller":false}]%s}""";
		String object = broken.contains("metadata")
				? "{\"metadata\":" + metadata.formatted(",\"managedFields\":" + deep) + "}"
				: "{" + broken.formatted(deep) + ",\"metadata\":" + metadata.formatted("") + "}";
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		this.pods.readList(new ByteArrayInputStream(bytes("{\"items\":[" + object + "],\"metadata\":{}}")), items::add);
		DecodedObject<V1Pod> event = this.pods.readEvent(bytes("{\"object\":" + object + ",\"type\":\"MODIFIED\"}"))
			.object();
		for (DecodedObject<V1Pod> decoded : List.of(items.get(0), event)) {
			assertThat(decoded.object()).isNull();
			assertThat(decoded.metadata().name()).isEqualTo("bad");
			assertThat(decoded.remains().getDeletionTimestamp()).isEqualTo("2026-11-28T03:00:00Z");
			assertThat(decoded.remains().getFinalizers()).containsExactly("a", "", "b");
			assertThat(decoded.remains().getOwnerReferences())
				.containsExactly(
						new V1OwnerReference().apiVersion("apps/v1")
							.kind("ReplicaSet")
							.name("rs")
							.uid("u7")
							.controller(true),
						new V1OwnerReference().kind("Other").name("o").uid("u8").controller(false));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "garbage", "{\"type\":\"ADDED\"", "{\"type\":\"ADDED\"}", "{\"object\":{}}", "[]",
			"{\"type\":\"SOMETHING\",\"object\":{}}",
			"{\"type\":\"ADDED\",\"object\":{\"kind\":\"Node\",\"metadata\":{\"name\":\"n\"}}}" })
	void frameThatIsNoEventIsRefused(String line) {
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> this.pods.readEvent(bytes(line)));
	}

	@Test
	void customResourceIsReadAsGsonReadsIt() throws IOException {
		String json = """
				{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"},
				 "spec-of-it": {"size": "BIG", "ratio": 1.5, "tags": ["a", null], "any": {"n": 1, "l": [true, null]}}}""";
		JsonCodec<Widget> widgets = new JsonCodec<>(ResourceType.of(Widget.class), this.mappers);
		WatchFrame<Widget> frame = widgets.readEvent(bytes("{\"type\":\"ADDED\",\"object\":" + json + "}"));
		Widget ours = frame.object().object();
		Widget official = JSON.deserialize(json, Widget.class);
		assertThat(ours).usingRecursiveComparison().isEqualTo(official);
		assertThat(ours.spec.size).isEqualTo(Widget.Size.LARGE);
		assertThat(ours.ignored).isEqualTo("default");
	}

	@Test
	void statusOfAProxyIsItsHttpCodeAlone() {
		assertThat(this.mappers.readStatus(502, bytes("<html>Bad Gateway</html>")))
			.isEqualTo(new ApiStatus(502, "", "", "", null));
	}

	private V1Pod only(String body) throws IOException {
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		this.pods.readList(stream(body), items::add);
		assertThat(items).hasSize(1);
		return items.get(0).object();
	}

	private static String list(String items) {
		return "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"metadata\": {\"resourceVersion\": \"41\"}, \"items\": ["
				+ items + "]}";
	}

	private static InputStream stream(String text) {
		return new ByteArrayInputStream(bytes(text));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "widgets")
	static class Widget extends CustomObject {

		@SerializedName("spec-of-it")
		Spec spec;

		transient String ignored = "default";

		static class Spec {

			Size size;

			double ratio;

			List<String> tags;

			Object any;

		}

		enum Size {

			@SerializedName("BIG")
			LARGE, SMALL

		}

	}

}
