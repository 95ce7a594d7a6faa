package dev.kubeinformer.internal.codec.json;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import com.google.gson.annotations.SerializedName;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.custom.IntOrString;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

import dev.kubeinformer.internal.codec.DecodedObject;
import dev.kubeinformer.internal.codec.ListHeader;
import dev.kubeinformer.internal.codec.MalformedResponseException;
import dev.kubeinformer.internal.codec.WatchFrame;
import dev.kubeinformer.internal.codec.model.FilledModels;
import dev.kubeinformer.internal.codec.pool.KnownValues;
import dev.kubeinformer.resource.KubernetesResource;
import dev.kubeinformer.resource.ResourceType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Compares the values that the tables read with those of the mapper. */
class JsonModelsTests {

	private static final String POD = """
			{"metadata":{"name":"web-1","namespace":"blog","labels":{"app":"web","tier":null},"generation":3,
			"creationTimestamp":"2026-01-02T03:04:05Z","annotations":{"a":"caf\u00e9 \\n\\u00e9\\ud83d\\ude00\\/"},
			"managedFields":[{"manager":"k","time":"2026-01-02T03:04:05Z","fieldsV1":{"f:a":{".":{},"n":[1,-2.5e3]}}}]},
			"spec":{"containers":[{"name":"app","ports":[{"containerPort":80}],"resources":{"limits":{"memory":"512Mi",
			"cpu":2,"x":0.5}},"livenessProbe":{"httpGet":{"port":"http"},"tcpSocket":{"port":8080}}}],"hostPID":true,
			"tolerations":[{"tolerationSeconds":300}]},"status":{"phase":"Running","podIPs":null,"conditions":[]}}""";

	private final JsonMappers mappers = new JsonMappers(true);

	private final Map<JsonMappers, MapperModels> mappersOfJackson = new HashMap<>();

	@ParameterizedTest
	@MethodSource("builtIn")
	void builtInTypeIsReadAsByTheMapper(ResourceType<?> type) throws Exception {
		byte[] json = bytes(JSON.serialize(FilledModels.filled(type.objectClass(), Set.of())) + " ");
		Object byMapper = byMapper(this.mappers, json, type.objectClass());
		Object read = read(this.mappers, json, type.objectClass());
		assertThat(read).usingRecursiveComparison().isEqualTo(byMapper);
		assertThat(JSON.serialize(read)).isEqualTo(JSON.serialize(byMapper));
		assertThat(read(this.mappers.modifiable(), json, type.objectClass())).usingRecursiveComparison()
			.isEqualTo(byMapper);
	}

	@ParameterizedTest
	@MethodSource("builtIn")
	void emptyObjectOfABuiltInTypeIsReadAsByTheMapper(ResourceType<?> type) {
		byte[] json = bytes("{\"metadata\":{},\"spec\":null,\"items\":[]} ");
		assertThat(read(this.mappers, json, type.objectClass())).usingRecursiveComparison()
			.isEqualTo(byMapper(this.mappers, json, type.objectClass()));
	}

	static Stream<ResourceType<?>> builtIn() {
		return ResourceType.builtIn().stream();
	}

	@Test
	void anythingIsReadAsByTheMapper() {
		Random random = new Random(8);
		byte[] pod = bytes(POD);
		byte[] marks = bytes("{}[]\",:\\\n n0-.eE1tf\u00e9");
		int read = 0;
		int rounds = Boolean.getBoolean("tests.thorough") ? 50_000 : 10_000;
		for (int round = 0; round < rounds; round++) {
			byte[] changed = Arrays.copyOf(pod, pod.length + 1);
			changed[pod.length] = ' ';
			int changes = 1 + random.nextInt(2);
			for (int i = 0; i < changes; i++) {
				int at = random.nextInt(pod.length);
				switch (random.nextInt(4)) {
					case 0 -> changed[at] = marks[random.nextInt(marks.length)];
					case 1 -> changed[at] = (byte) random.nextInt();
					case 2 -> System.arraycopy(changed, at + 1, changed, at, pod.length - at);
					default -> changed[at] = changed[random.nextInt(pod.length)];
				}
			}
			read += assertReadAsByTheMapper(changed);
		}
		assertThat(read).isGreaterThan(rounds / 5);
	}

	private int assertReadAsByTheMapper(byte[] json) {
		String text = new String(json, StandardCharsets.UTF_8);
		@Nullable Object expected = null;
		@Nullable RuntimeException problem = null;
		try {
			expected = byMapper(this.mappers, json, V1Pod.class);
		}
		catch (JacksonException ex) {
			problem = ex;
		}
		try {
			assertThat(read(this.mappers, json, V1Pod.class)).as(text).isEqualTo(expected);
			assertThat(problem).as(text).isNull();
			return 1;
		}
		catch (JacksonException | FieldMismatchException ex) {
			assertThat(problem).as(text).isNotNull();
			// In case of both problems, either reader may report another one first.
			if (!DecodeProblem.isOfTheStream(ex) && !DecodeProblem.isOfTheStream(problem)) {
				assertThat(DecodeProblem.describe(ex)).as(text).startsWith(MapperModels.describe(problem));
			}
			return 0;
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "plain", "", "\\\"quoted\\\"", "\\\\ \\/ \\b\\f\\n\\r\\t", "\\u0041\\u00e9\\u4e16",
			"\\ud83d\\ude00", "caf\u00e9 \u4e16\u754c \ud83d\ude00", "\\\\u0041", "\u007f", "\\u0000", "\ufffd" })
	void textsAreReadAsByTheMapper(String text) throws IOException {
		List<V1ConfigMap> items = list(ResourceType.of(V1ConfigMap.class),
				"{\"metadata\":{\"name\":\"c\"},\"data\":{\"key-%s\":\"%s\"}}".formatted(text, text));
		byte[] json = bytes("{\"data\":{\"key-%s\":\"%s\"}}".formatted(text, text));
		Map<String, String> expected = ((V1ConfigMap) byMapper(this.mappers, json, V1ConfigMap.class)).getData();
		assertThat(items.get(0).getData()).isEqualTo(expected);
	}

	@ParameterizedTest
	@ValueSource(strings = { "\\x", "\\u12", "\\u12g4", "\n", "\u0001", "\\ud83d", "\\ud83d\\u0041", "\\ude00",
			"\\udc00\\ud800" })
	void textsThatAreNotJsonMakeTheListBad(String text) {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> list(ResourceType.of(V1ConfigMap.class),
					"{\"metadata\":{\"name\":\"c\"},\"data\":{\"key-%s\":\"%s\"}}".formatted(text, text)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-01-02T03:04:05Z", "2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05+02:00",
			"2026-01-02T03:04:05+0000", "0001-01-01T00:00:00Z", "2024-02-29T23:59:59Z" })
	void timesAreReadAsByGson(String time) throws IOException {
		V1Pod pod = list(ResourceType.of(V1Pod.class),
				"{\"metadata\":{\"name\":\"p\",\"creationTimestamp\":\"%s\"}}".formatted(time))
			.get(0);
		V1ObjectMeta official = JSON.deserialize("{\"creationTimestamp\":\"%s\"}".formatted(time), V1ObjectMeta.class);
		assertThat(pod.getMetadata().getCreationTimestamp()).isEqualTo(official.getCreationTimestamp());
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-02-30T03:04:05Z", "2026-01-02T24:00:00Z", "2026-01-02T03:04:0xZ",
			"2026-01-0203:04:05 Z", "", "now" })
	void textsThatAreNoTimesAreNamed(String time) throws IOException {
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		new JsonCodec<>(ResourceType.of(V1Pod.class), this.mappers).readList(
				body("{\"metadata\":{\"name\":\"p\",\"creationTimestamp\":\"%s\"}}".formatted(time), "Pod"),
				items::add);
		assertThat(items.get(0).metadata().name()).isEqualTo("p");
		assertThat(items.get(0).problem()).contains("'metadata.creationTimestamp'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"5\"", "5.0", "true", "5e0", "123456789012345678901", "9223372036854775807", "-0" })
	void valueThatTheServerWouldNotWriteIsReadAsByTheMapper(String value) throws IOException {
		String json = "{\"metadata\":{\"name\":\"p\",\"generation\":%s}}".formatted(value);
		List<DecodedObject<V1Pod>> items = new ArrayList<>();
		new JsonCodec<>(ResourceType.of(V1Pod.class), this.mappers).readList(body(json, "Pod"), items::add);
		try {
			V1Pod expected = (V1Pod) byMapper(this.mappers, bytes(json), V1Pod.class);
			assertThat(items.get(0).object().getMetadata().getGeneration())
				.isEqualTo(expected.getMetadata().getGeneration());
		}
		catch (JacksonException ex) {
			assertThat(items.get(0).problem()).contains("'metadata.generation'");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 7, 1000, 100_000, 400_000 })
	void objectsAreReadWhereverTheWindowEnds(int length) throws IOException {
		Random random = new Random(length);
		StringBuilder body = new StringBuilder();
		List<String> names = new ArrayList<>();
		for (int i = 0; i < 60; i++) {
			names.add("c" + i);
			body.append((i > 0) ? " , " : "")
				.append("{\"metadata\":{\"name\":\"c%d\"},\"unknown\":[\"%s\"],\"data\":{\"k\":\"%s\"}}".formatted(i,
						"x]\\\"}".repeat(random.nextInt(length) / 6), "y".repeat(random.nextInt(length))));
		}
		InputStream trickle = new ByteArrayInputStream(
				bytes("{\"kind\":\"ConfigMapList\",\"items\":[%s],\"metadata\":{\"resourceVersion\":\"7\"}}"
					.formatted(body))) {

			@Override
			public synchronized int read(byte[] buffer, int offset, int count) {
				return super.read(buffer, offset, Math.min(count, 1 + random.nextInt(5000)));
			}

		};
		List<String> found = new ArrayList<>();
		ListHeader header = new JsonCodec<>(ResourceType.of(V1ConfigMap.class), this.mappers).readList(trickle,
				(item) -> found.add(item.metadata().name()));
		assertThat(found).isEqualTo(names);
		assertThat(header.resourceVersion()).isEqualTo("7");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = {
			"\"spec\":{\"priority\":3000000000} | the field 'spec.priority' cannot be read as Integer",
			"\"spec\":{\"priority\":{\"a\":[1]}} | the field 'spec.priority' cannot be read as Integer",
			"\"spec\":[{}] | the field 'spec' cannot be read as V1PodSpec",
			"\"spec\":{\"containers\":[{},{\"ports\":[[]]}]} | the field 'spec.containers[1].ports[0]' cannot be read as V1ContainerPort",
			"\"spec\":{\"containers\":{\"a\":[]}} | the field 'spec.containers' cannot be read as a list",
			"\"spec\":{\"nodeSelector\":[1]} | the field 'spec.nodeSelector' cannot be read as a map",
			"\"spec\":{\"nodeSelector\":{\"a\":[1]}} | the field 'spec.nodeSelector.a' cannot be read as String",
			"\"spec\":{\"hostPID\":\"perhaps\"} | the field 'spec.hostPID' cannot be read as Boolean",
			"\"spec\":{\"overhead\":{\"cpu\":\"1 cpu\"}} | the field 'spec.overhead.cpu' cannot be read as Quantity" })
	void fieldThatCannotBeReadIsNamedAsByTheMapper(String field, String problem) {
		byte[] json = bytes("{\"metadata\":{\"name\":\"p\"},%s}".formatted(field));
		assertThatExceptionOfType(FieldMismatchException.class).isThrownBy(() -> read(this.mappers, json, V1Pod.class))
			.satisfies((ex) -> assertThat(DecodeProblem.describe(ex)).isEqualTo(problem))
			.withNoCause();
		assertThatExceptionOfType(JacksonException.class).isThrownBy(() -> byMapper(this.mappers, json, V1Pod.class))
			.satisfies((ex) -> assertThat(problem).startsWith(MapperModels.describe(ex)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "a===", "a", "*", "[1]", "\u00e9" })
	void textThatIsNotBase64CostsOneObject(String text) throws IOException {
		List<DecodedObject<V1Secret>> items = new ArrayList<>();
		String good = ",{\"metadata\":{\"name\":\"good\"},\"data\":{\"a\":\"aGk=\"}}";
		new JsonCodec<>(ResourceType.of(V1Secret.class), this.mappers).readList(
				body("{\"data\":{\"a\":\"%s\"},\"metadata\":{\"name\":\"bad\"}}".formatted(text) + good, "Secret"),
				items::add);
		assertThat(items).extracting((item) -> item.metadata().name()).containsExactly("bad", "good");
		assertThat(items.get(0).problem()).isEqualTo("the field 'data.a' cannot be read as byte[]");
	}

	@Test
	void equalValuesOfManyObjectsAreOne() throws IOException {
		List<V1Pod> pods = list(ResourceType.of(V1Pod.class), String.join(",", POD, POD, POD, POD));
		// The pool grows with the first ones.
		V1Pod pod = pods.get(2);
		V1Pod other = pods.get(3);
		assertThat(pod.getMetadata().getNamespace()).isSameAs(other.getMetadata().getNamespace());
		assertThat(pod.getMetadata().getLabels().keySet().iterator().next())
			.isSameAs(other.getMetadata().getLabels().keySet().iterator().next());
		assertThat(pod.getMetadata().getAnnotations().get("a")).isSameAs(other.getMetadata().getAnnotations().get("a"));
		assertThat(pod.getMetadata().getCreationTimestamp()).isSameAs(other.getMetadata().getCreationTimestamp());
		V1Container container = pod.getSpec().getContainers().get(0);
		V1Container otherContainer = other.getSpec().getContainers().get(0);
		assertThat(container.getResources().getLimits().get("memory"))
			.isSameAs(otherContainer.getResources().getLimits().get("memory"));
		assertThat(container.getPorts().get(0).getContainerPort())
			.isSameAs(otherContainer.getPorts().get(0).getContainerPort());
	}

	@Test
	void equalValuesOfCustomResourcesAreOne() throws IOException {
		String json = "{\"metadata\":{\"name\":\"o\",\"labels\":{\"app\":\"web\"}},\"size\":\"LARGE\","
				+ "\"texts\":[\"text\"],\"amount\":\"1Gi\"}";
		List<Odd> items = list(ResourceType.of(Odd.class), json + "," + json);
		assertThat(items.get(0).texts.get(0)).isEqualTo("text").isSameAs(items.get(1).texts.get(0));
		assertThat(items.get(0).metadata.getLabels().get("app")).isSameAs(items.get(1).metadata.getLabels().get("app"));
		assertThat(items.get(0).amount).isSameAs(items.get(1).amount);
		assertThat(items.get(0).size).isEqualTo(Odd.Size.LARGE);
	}

	@Test
	void customResourceLikeTheOfficialOnesIsReadAsByGson() throws IOException {
		String json = """
				{"apiVersion": "example.com/v1", "kind": "Plain", "metadata": {"name": "w"}, "spec-of-it": {"ratio": 1.5,
				"tags": ["a", null], "any": {"n": 1, "l": [true, null, "x", {}]}, "more": {"a": {"b": [7]}},
				"port": 80, "inner": {"ratio": -1e3, "inner": null}}, "unknown": [[{"a": 1e5}], "]"]}""";
		Plain ours = list(ResourceType.of(Plain.class), json).get(0);
		assertThat(ours).usingRecursiveComparison().isEqualTo(JSON.deserialize(json, Plain.class));
		assertThat(ours.spec.port).isEqualTo(new IntOrString(80));
		assertThat(ours.ignored).isEqualTo("default");
	}

	@Test
	void codecThatReadSomethingBadReadsTheNextOneWell() throws IOException {
		JsonCodec<V1Secret> codec = new JsonCodec<>(ResourceType.of(V1Secret.class), this.mappers);
		for (int i = 0; i < 3; i++) {
			assertThatExceptionOfType(MalformedResponseException.class)
				.isThrownBy(() -> codec.readEvent(bytes("{\"type\":\"ADDED\",\"object\":{\"data\":{\"a\":\"aGk=\"}")));
			WatchFrame<V1Secret> frame = codec.readEvent(
					bytes("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"s\"},\"data\":{\"a\":\"aGk=\"}}}"));
			assertThat(frame.object().object().getData()).containsOnlyKeys("a");
		}
	}

	private @Nullable Object read(JsonMappers settings, byte[] json, Class<?> type) {
		try (JsonParser parser = settings.parser(json, 0, json.length)) {
			parser.nextToken();
			Object read = new JsonReader(parser, new KnownValues()).readObject(settings.models().value(type));
			parser.nextToken();
			return read;
		}
	}

	private Object byMapper(JsonMappers settings, byte[] json, Class<?> type) {
		try (JsonParser parser = settings.parser(json, 0, json.length)) {
			Object read = this.mappersOfJackson.computeIfAbsent(settings, MapperModels::new).read(parser, type);
			parser.nextToken();
			return read;
		}
	}

	private <T extends KubernetesObject> List<T> list(ResourceType<T> type, String items) throws IOException {
		List<T> found = new ArrayList<>();
		new JsonCodec<>(type, this.mappers).readList(body(items, type.kind()), (item) -> {
			assertThat(item.problem()).isNull();
			found.add(item.object());
		});
		return found;
	}

	private static InputStream body(String items, String kind) {
		return new ByteArrayInputStream(bytes("{\"kind\":\"%sList\",\"items\":[%s]}".formatted(kind, items)));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "plains")
	static class Plain implements KubernetesObject {

		private @Nullable String apiVersion;

		private @Nullable String kind;

		private @Nullable V1ObjectMeta metadata;

		@SerializedName("spec-of-it")
		Spec spec;

		transient String ignored = "default";

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return this.apiVersion;
		}

		@Override
		public String getKind() {
			return this.kind;
		}

		static class Spec {

			Double ratio;

			List<String> tags;

			Object any;

			Map<String, Map<String, List<Integer>>> more;

			IntOrString port;

			Spec inner;

		}

	}

	@KubernetesResource(group = "example.com", version = "v1", plural = "odds")
	static class Odd implements KubernetesObject {

		V1ObjectMeta metadata;

		Size size;

		List<String> texts;

		Quantity amount;

		@Override
		public V1ObjectMeta getMetadata() {
			return this.metadata;
		}

		@Override
		public String getApiVersion() {
			return "example.com/v1";
		}

		@Override
		public String getKind() {
			return "Odd";
		}

		enum Size {

			LARGE, SMALL

		}

	}

}
