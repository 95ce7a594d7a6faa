package dev.kubeinformer.test;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Answers in protobuf, to clients that accept nothing else. The codes and types are those
 * of kube-apiserver 1.36.
 */
class ProtobufRepresentationTests {

	private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private static final String METADATA = PROTOBUF + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

	private static final String METADATA_LIST = PROTOBUF + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

	private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

	private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";

	private static final String EVERYTHING = "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')";

	private static final String INITIAL = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
			+ "&allowWatchBookmarks=true&timeoutSeconds=1";

	private final HttpClient client = HttpClient.newHttpClient();

	private final EmbeddedKubernetes api = EmbeddedKubernetes.builder()
		.protobuf(true)
		.compression(true)
		.shardedListAndWatch(true)
		.start();

	@BeforeEach
	void create() throws Exception {
		this.api.resources(V1ConfigMap.class).create(TestObjects.labelled("a", "x", "1"));
		this.api.serve("example.com", "v1", "widgets", "Widget", true);
		new TestClient(this.api.url()).send("POST", WIDGETS, """
				{"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "managedFields": [
				{"manager": "test", "operation": "Update", "apiVersion": "v1", "fieldsType": "FieldsV1",
				"fieldsV1": {"f:spec": {}}}]}, "spec": {"size": 1}}""");
	}

	@AfterEach
	void close() {
		this.api.close();
	}

	@Test
	void listShouldRepeatTheShardInItsMetadata() throws Exception {
		V1.ConfigMapList list = V1.ConfigMapList
			.parseFrom(message("ConfigMapList", get(CONFIG_MAPS + shard(), PROTOBUF)));
		assertThat(list.getMetadata().getShardInfo().getSelector()).isEqualTo(EVERYTHING);
		assertThat(list.getItemsList()).singleElement()
			.satisfies((map) -> assertThat(map.getDataMap()).isEqualTo(Map.of("value", "1")));
	}

	@ParameterizedTest
	@ValueSource(strings = { CONFIG_MAPS, WIDGETS })
	void metadataShouldBeListedAndWatchedOfEveryKind(String path) throws Exception {
		Meta.PartialObjectMetadataList list = Meta.PartialObjectMetadataList
			.parseFrom(message("PartialObjectMetadataList", get(path + shard(), METADATA_LIST)));
		assertThat(list.getMetadata().hasShardInfo()).isFalse();
		assertThat(list.getItemsList()).hasSize(1);
		Meta.ObjectMeta listed = list.getItems(0).getMetadata();
		assertThat(listed.getUid()).isNotEmpty();
		List<Meta.WatchEvent> events = events(get(path + shard() + "&" + INITIAL, METADATA));
		assertThat(events).extracting(Meta.WatchEvent::getType).startsWith("ADDED", "BOOKMARK");
		assertThat(watched(events.get(0))).isEqualTo(listed);
		assertThat(watched(events.get(1)).getAnnotationsMap()).containsEntry("k8s.io/initial-events-end", "true");
	}

	@Test
	void managedFieldsShouldBeDroppedWhereAsked() throws Exception {
		for (String drop : List.of("", ";drop=metadata.managedFields")) {
			Meta.PartialObjectMetadataList list = Meta.PartialObjectMetadataList
				.parseFrom(message("PartialObjectMetadataList", get(WIDGETS, METADATA_LIST + drop)));
			assertThat(list.getItems(0).getMetadata().getManagedFieldsList()).hasSize(drop.isEmpty() ? 1 : 0);
			Meta.ObjectMeta watched = watched(events(get(WIDGETS + "?" + INITIAL, METADATA + drop)).get(0));
			assertThat(watched.getManagedFieldsList()).hasSize(drop.isEmpty() ? 1 : 0);
		}
	}

	@Test
	void wholeCustomResourceShouldNotBeAcceptable() throws Exception {
		assertThat(get(WIDGETS, PROTOBUF).statusCode()).isEqualTo(406);
		assertThat(type(get(WIDGETS, PROTOBUF + ", application/json"))).isEqualTo("application/json");
		HttpResponse<byte[]> list = get(WIDGETS, METADATA);
		assertThat(list.statusCode()).isEqualTo(406);
		assertThat(type(list)).isEqualTo("application/json");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "&watch=true" })
	void failureShouldBeAStatus(String watch) throws Exception {
		HttpResponse<byte[]> refused = get(CONFIG_MAPS + "?shardSelector=foo" + watch, PROTOBUF);
		assertThat(refused.statusCode()).isEqualTo(500);
		assertThat(type(refused)).isEqualTo(PROTOBUF);
		assertThat(Meta.Status.parseFrom(message("Status", refused)).getMessage())
			.startsWith("invalid shard selector: ");
		HttpResponse<byte[]> form = get(CONFIG_MAPS + "?shardSelector=foo" + watch, METADATA);
		assertThat(type(form)).isEqualTo("application/json");
	}

	@Test
	void largeListShouldBeCompressedWhereAccepted() throws Exception {
		this.api.resources(V1ConfigMap.class)
			.create(TestObjects.configMap("large", "1").data(Map.of("k", "x".repeat(200_000))));
		HttpResponse<byte[]> answer = get(CONFIG_MAPS, PROTOBUF, "Accept-Encoding", "gzip");
		assertThat(answer.headers().firstValue("Content-Encoding")).contains("gzip");
		assertThat(answer.body()).hasSizeLessThan(50_000);
		byte[] body = new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes();
		assertThat(V1.ConfigMapList.parseFrom(message("ConfigMapList", body)).getItemsList()).hasSize(2);
	}

	private static Meta.ObjectMeta watched(Meta.WatchEvent event) throws IOException {
		byte[] object = message("PartialObjectMetadata", event.getObject().getRaw().toByteArray());
		return Meta.PartialObjectMetadata.parseFrom(object).getMetadata();
	}

	private static List<Meta.WatchEvent> events(HttpResponse<byte[]> answer) throws IOException {
		assertThat(type(answer)).isEqualTo(PROTOBUF + ";stream=watch");
		List<Meta.WatchEvent> events = new ArrayList<>();
		DataInputStream frames = new DataInputStream(new ByteArrayInputStream(answer.body()));
		while (frames.available() > 0) {
			events.add(Meta.WatchEvent.parseFrom(frames.readNBytes(frames.readInt())));
		}
		return events;
	}

	private static byte[] message(String kind, HttpResponse<byte[]> answer) throws IOException {
		return message(kind, answer.body());
	}

	private static byte[] message(String kind, byte[] body) throws IOException {
		assertThat(body).startsWith('k', '8', 's', 0);
		Runtime.Unknown envelope = Runtime.Unknown.parseFrom(Arrays.copyOfRange(body, 4, body.length));
		assertThat(envelope.getTypeMeta().getKind()).isEqualTo(kind);
		return envelope.getRaw().toByteArray();
	}

	private static String type(HttpResponse<byte[]> answer) {
		return answer.headers().firstValue("Content-Type").orElse("");
	}

	private HttpResponse<byte[]> get(String path, String accept, String... headers) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.api.url() + path))
			.header("Accept", accept);
		if (headers.length > 0) {
			request.headers(headers);
		}
		return this.client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
	}

	private static String shard() {
		return "?shardSelector=" + URLEncoder.encode(EVERYTHING, StandardCharsets.UTF_8);
	}

}
